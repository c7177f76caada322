import { expect } from 'chai';
import { ToolkitError } from '../../../../../../kernel/index.ts';
import type { Exchange } from '../../../../../../plugins/cli/commands/test/cassette/cassette.ts';
import { Scratch } from '../../../../../../plugins/cli/commands/test/cassette/scratch.ts';
import { Session } from '../../../../../../plugins/cli/commands/test/cassette/session.ts';
import { exchangesOf } from '../../../../../../plugins/cli/commands/test/seams/function.ts';
import { rejection } from '../../../../../support/rejection.ts';

const unreached = async (): Promise<never> => {
  throw new Error('nothing is asked');
};

/** Returns the value or the error of a promise. */
async function endOf(promise: Promise<unknown>): Promise<unknown> {
  return promise.catch((error: unknown) => error);
}

describe('context.exchange in a test', () => {
  let scratch: Scratch;
  before(async () => {
    scratch = await Scratch.open();
  });
  after(() => scratch.close());

  const live = (): Session => {
    const session = new Session(true, scratch);
    session.begin({}, {});
    return session;
  };
  const replay = (exchanges: readonly Exchange[]): Session => {
    const session = new Session(false, scratch);
    session.begin({}, { exchanges: JSON.parse(JSON.stringify(exchanges)) });
    return session;
  };

  const answers: readonly (readonly [what: string, answer: unknown, recorded: unknown])[] = [
    ['a value', { rows: [[1, null]] }, { answer: { rows: [[1, null]] } }],
    ['null', null, { answer: null }],
    ['nothing', undefined, {}],
    ['what says itself how it is JSON', { at: new Date(0) }, { answer: { at: '1970-01-01T00:00:00.000Z' } }],
  ];
  for (const [what, answer, response] of answers)
    it(`gives ${what} again, and a function that is recorded what it will get then`, async () => {
      const session = live();
      const first = await exchangesOf(session)('sql', { text: 'SELECT 1' }, async () => answer);
      expect(session.recorded).to.deep.equal([{ kind: 'sql', request: { text: 'SELECT 1' }, response }]);
      const second = await exchangesOf(replay(session.recorded))('sql', { text: 'SELECT 1' }, unreached);
      expect(second).to.deep.equal(first);
    });

  it('writes the folder of the test as a word, and gives it again', async () => {
    const session = live();
    await exchangesOf(session)('files', { folder: scratch.folder }, async () => [`${scratch.folder}/a`]);
    expect(session.recorded).to.deep.equal([{ kind: 'files', request: { folder: '{folder}' }, response: { answer: ['{folder}/a'] } }]);
    expect(await exchangesOf(replay(session.recorded))('files', { folder: scratch.folder }, unreached)).to.deep.equal([
      `${scratch.folder}/a`,
    ]);
  });

  it('throws what was thrown again, with its members', async () => {
    const session = live();
    const fail = async (): Promise<never> => {
      throw Object.assign(new Error('no such table'), { code: '42P01', line: 2 });
    };
    const first = await endOf(exchangesOf(session)('sql', {}, fail));
    expect(session.recorded[0]?.response).to.deep.equal({
      error: { name: 'Error', message: 'no such table', code: '42P01', line: 2 },
    });
    const second = await endOf(exchangesOf(replay(session.recorded))('sql', {}, unreached));
    for (const error of [first, second])
      expect(error).to.be.instanceOf(Error).and.include({ message: 'no such table', code: '42P01', line: 2 });
  });

  it('throws an error of toolkit as one', async () => {
    const session = live();
    const fail = async (): Promise<never> => {
      throw new ToolkitError('AUTH_FAILED', 'No.', { sqlstate: '28P01' });
    };
    await endOf(exchangesOf(session)('sql', {}, fail));
    const error = await rejection(exchangesOf(replay(session.recorded))('sql', {}, unreached), 'AUTH_FAILED');
    expect(error).to.deep.include({ message: 'No.', details: { sqlstate: '28P01' } });
  });

  it('is answered by what was recorded of its kind, even where it asks for something else', async () => {
    const exchanges = [
      { kind: 'queue', request: 'a', response: { answer: 1 } },
      { kind: 'sql', request: 'a', response: { answer: 2 } },
    ];
    const session = replay(exchanges);
    expect(await exchangesOf(session)('sql', 'b', unreached)).to.equal(2);
    expect(session.replayed).to.deep.equal([{ request: 'b', exchange: exchanges[1] }]);
    expect(session.unused).to.deep.equal([exchanges[0]]);
  });

  for (const kind of ['http', 'program', 'addresses', ''])
    it(`cannot have the kind "${kind}"`, async () => {
      const error = await rejection(exchangesOf(live())(kind, {}, unreached), 'EXECUTION_FAILED');
      expect(error.message).to.include(`context.exchange cannot have the kind "${kind}": expected a word of your own`);
    });

  it('says where a request or an answer cannot be recorded, and records nothing', async () => {
    const session = live();
    const asked = await rejection(exchangesOf(session)('sql', { ids: [1n] }, unreached), 'OUTPUT_INVALID');
    expect(asked.message).to.include('The request of context.exchange("sql", …) at "ids[0]" cannot be recorded');
    const answered = await rejection(
      exchangesOf(session)('sql', {}, async () => ({ run: unreached })),
      'OUTPUT_INVALID',
    );
    expect(answered.message).to.include('The answer of context.exchange("sql", …) at "run" cannot be recorded');
    expect(session.recorded).to.deep.equal([]);
  });
});
