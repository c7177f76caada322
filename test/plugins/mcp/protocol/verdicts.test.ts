import { expect } from 'chai';
import { checkValue } from '../../../../kernel/index.ts';
import { isAnswerTo } from '../../../../plugins/mcp/protocol/asking/client-answer.ts';
import { readEnvelope } from '../../../../plugins/mcp/protocol/clients/envelope.ts';
import type { Question } from '../../../../plugins/mcp/protocol/clients/exchange.ts';
import { methodsOf } from '../../../../plugins/mcp/protocol/methods/methods.ts';
import { type Revision, revisions } from '../../../../plugins/mcp/protocol/revisions.ts';
import { isRequest, messageProblem, type Request, readMessage } from '../../../../plugins/shared/json-rpc/message.ts';
import { Random } from '../../../support/random.ts';
import { type Mutation, mutate } from '../support/mutated.ts';
import { type ClientMessage, sessionlessMessage, sessionMessage } from '../support/protocol-messages.ts';
import { sdkAcceptsInSession, sdkAcceptsSessionless } from '../support/sdk-verdicts.ts';
import { type Difference, sessionDifferences, sessionlessDifferences } from '../support/verdict-differences.ts';

/** Messages of each kind of client; every second one is mutated. */
const count = 2000;
const seed = 9;

/** Returns true when we accept a message of a client. */
function weAccept({ version, subject, message }: ClientMessage): boolean {
  if (messageProblem(message) !== undefined) return false;
  if (subject.startsWith('notifications/')) return true;
  if (subject.startsWith('answer to ')) {
    const { result } = message as { readonly result?: unknown };
    return isAnswerTo(subject.slice('answer to '.length) as Question['method'], result);
  }
  return isRequest(message) && isAccepted(revisions.get(version) as Revision, message);
}

function isAccepted(revision: Revision, { method, params = {} }: Request): boolean {
  const found = methodsOf(revision).get(method);
  if (found === undefined || (!revision.hasSessions && !describesClient(params))) return false;
  return found.fits?.(params) === true || checkValue(found.params, params).length === 0;
}

function describesClient(params: unknown): boolean {
  try {
    return readEnvelope(params) !== undefined;
  } catch {
    return false;
  }
}

interface Verdicts {
  /** The message and its change, as patterns of `Difference` expect them. */
  readonly title: string;
  readonly text: string;
  readonly mutation: Mutation | undefined;
  readonly ours: boolean;
  readonly sdk: boolean;
  /** True when `fits` of the method accepts parameters that its schema refuses. */
  readonly fitsWrongly: boolean;
}

function verdicts(make: (random: Random) => ClientMessage, sdkAccepts: (message: ClientMessage) => boolean): readonly Verdicts[] {
  const random = new Random(seed);
  return Array.from({ length: count }, (_, index) => {
    const valid = make(random);
    const mutation = index % 2 === 0 ? undefined : mutate(random, valid.message);
    const text = JSON.stringify(mutation?.message ?? valid.message);
    const received = { ...valid, message: readMessage(text) as object };
    // No number: the SDK reads it so.
    const sdk = sdkAccepts({ ...valid, message: JSON.parse(text) as object });
    const title = `${valid.subject} ${mutation?.change ?? 'valid'} ${mutation?.pointer ?? ''}`;
    return { title, text, mutation, ours: weAccept(received), sdk, fitsWrongly: fitsWrongly(received) };
  });
}

function fitsWrongly({ version, message }: ClientMessage): boolean {
  if (messageProblem(message) !== undefined || !isRequest(message)) return false;
  const { method, params = {} } = message;
  const found = methodsOf(revisions.get(version) as Revision).get(method);
  return found?.fits?.(params) === true && checkValue(found.params, params).length > 0;
}

for (const [title, make, sdkAccepts, differences] of [
  ['messages of clients with a session (SDK 1)', sessionMessage, sdkAcceptsInSession, sessionDifferences],
  ['requests of clients without a session (SDK 2)', sessionlessMessage, sdkAcceptsSessionless, sessionlessDifferences],
] as const)
  describe(`our schemas and those of the official SDK, for ${count} ${title}`, () => {
    let all: readonly Verdicts[] = [];
    let different: readonly Verdicts[] = [];
    before(() => {
      all = verdicts(make, sdkAccepts);
      different = all.filter(({ ours, sdk }) => ours !== sdk);
    });
    const isKnown = (known: Difference, { title: where, ours }: Verdicts): boolean =>
      known.stricter === (ours ? 'SDK' : 'ours') && known.where.test(where);

    it('accept every valid message', () => {
      expect(all.filter(({ mutation, ours, sdk }) => mutation === undefined && !(ours && sdk)).map(({ text }) => text)).to.deep.equal([]);
    });

    it('refuse many of the mutated messages', () => {
      expect(all.filter(({ ours, sdk }) => !ours && !sdk).length).to.be.above(count / 5);
    });

    it('give the same verdict but for differences with a reason', () => {
      const unknown = different.filter((one) => !differences.some((known) => isKnown(known, one)));
      expect(unknown.map((one) => `${one.ours ? 'SDK' : 'ours'} is stricter: ${one.title}: ${one.text.slice(0, 500)}`)).to.deep.equal([]);
    });

    it('have each of these differences', () => {
      const unseen = differences.filter((known) => !different.some((one) => isKnown(known, one)));
      expect(unseen.map(({ where }) => String(where))).to.deep.equal([]);
    });

    it('accept what methods accept without their schemas', () => {
      expect(all.filter(({ fitsWrongly: isWrong }) => isWrong).map(({ text }) => text.slice(0, 500))).to.deep.equal([]);
    });
  });
