import { type ApprovalRequest, changedIn, isPlainObject, ToolkitError } from '../../../kernel/index.ts';
import { shortened } from '../text/visible-text.ts';
import type { HumanRequest } from './human-request.ts';

/** Parts that an approval holds for, by name. A value is the beginning of a digest, a blank, and the text that the person saw. */
export type ApprovedParts = Readonly<Record<string, string>>;

const digestLength = 16;
const wordsLength = 120;

/** Maximum number of parts to compare. Beyond it the digest of the whole still differs, and the person is asked anyway. */
const maxParts = 40;

/** Returns the parts that an approval of a request holds for, short enough for a client to keep between question and answer. */
export function approvedParts({ bindings }: ApprovalRequest, { files = {}, ...shown }: HumanRequest): ApprovedParts {
  const words = new Map<string, unknown>([
    ...Object.entries(shown),
    ...Object.entries(files).map(([path, what]) => [JSON.stringify(path), what] as const),
  ]);
  const things = Object.entries(bindings).slice(0, maxParts);
  return Object.fromEntries(things.map(([name, digest]) => [name, `${digest.slice(0, digestLength)} ${wordsFor(words.get(name))}`]));
}

/** Returns the approved parts from the error of a client whose answer was for another request. Undefined for any other error. */
export function previouslyApprovedParts(error: unknown): ApprovedParts | undefined {
  const before = ToolkitError.is(error) ? error.details['answeredFor'] : undefined;
  return isPlainObject(before) ? (before as ApprovedParts) : undefined;
}

/** Describes the changed parts for a person: `its content (from … to …)`. */
export function describeChangedParts(before: ApprovedParts, now: ApprovedParts): readonly string[] {
  return changedIn(before, now).map((name) => {
    const [from, to] = [before[name], now[name]].map((thing) => thing?.slice(digestLength + 1) ?? 'nothing');
    if (from === to) return from === '' ? `its ${name}` : `its ${name} (${from})`;
    return `its ${name} (from ${from} to ${to})`;
  });
}

function wordsFor(shown: unknown): string {
  return typeof shown === 'string' ? shortened(shown, wordsLength) : '';
}
