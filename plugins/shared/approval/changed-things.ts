import { type ApprovalRequest, changedIn, isPlainObject, ToolkitError } from '../../../kernel/index.ts';
import { shortened } from '../text/visible-text.ts';
import type { HumanRequest } from './human-request.ts';

/** What an answer holds for, by the word for it: the beginning of a digest, a blank, and the words that a person was shown. */
export type Things = Readonly<Record<string, string>>;

const digestLength = 16;
const wordsLength = 120;

/** Further ones are not compared here: with any of them the digest of the whole differs, and the person is asked anyway. */
const maxThings = 40;

/** Says what an answer to a request holds for, short enough to be kept by a client between a question and its answer. */
export function thingsOf({ bindings }: ApprovalRequest, { files = {}, ...shown }: HumanRequest): Things {
  const words = new Map<string, unknown>([
    ...Object.entries(shown),
    ...Object.entries(files).map(([path, what]) => [JSON.stringify(path), what] as const),
  ]);
  const things = Object.entries(bindings).slice(0, maxThings);
  return Object.fromEntries(things.map(([name, digest]) => [name, `${digest.slice(0, digestLength)} ${wordsFor(words.get(name))}`]));
}

/** The things that an answer was given for, where a client has brought it for others now; undefined for any other error. */
export function thingsBefore(error: unknown): Things | undefined {
  const before = ToolkitError.is(error) ? error.details['answeredFor'] : undefined;
  return isPlainObject(before) ? (before as Things) : undefined;
}

/** What changed, for a person: `its content (from … to …)`. */
export function changedThings(before: Things, now: Things): readonly string[] {
  return changedIn(before, now).map((name) => {
    const [from, to] = [before[name], now[name]].map((thing) => thing?.slice(digestLength + 1) ?? 'nothing');
    if (from === to) return from === '' ? `its ${name}` : `its ${name} (${from})`;
    return `its ${name} (from ${from} to ${to})`;
  });
}

function wordsFor(shown: unknown): string {
  return typeof shown === 'string' ? shortened(shown, wordsLength) : '';
}
