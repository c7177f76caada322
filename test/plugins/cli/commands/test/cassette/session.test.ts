import { expect } from 'chai';
import type { Exchange } from '../../../../../../plugins/cli/commands/test/cassette/cassette.ts';
import { Scratch } from '../../../../../../plugins/cli/commands/test/cassette/scratch.ts';
import { type OutboundRequest, Session } from '../../../../../../plugins/cli/commands/test/cassette/session.ts';
import { rejection } from '../../../../../support/rejection.ts';

const lookup = (host: string, live: () => Promise<string> = () => Promise.reject(new Error('live'))): OutboundRequest<string> => ({
  kind: 'addresses',
  request: { host },
  send: live,
  toRecorded: async (answer) => ({ answer, response: answer }),
  fromRecorded: String,
});

const known = (host: string, response: string): Exchange => ({ kind: 'addresses', request: { host }, response });

async function replay(...exchanges: Exchange[]): Promise<Session> {
  const session = new Session(false, await opened());
  session.begin({}, { exchanges });
  return session;
}

const folders: Scratch[] = [];

async function opened(): Promise<Scratch> {
  const scratch = await Scratch.open();
  folders.push(scratch);
  return scratch;
}

describe('the session of a test', () => {
  afterEach(async () => {
    for (const scratch of folders.splice(0)) await scratch.close();
  });

  it('answers each request with what was recorded for it, in whatever order they come', async () => {
    const session = await replay(known('a', '1'), known('b', '2'), known('a', '3'));
    const answers = await Promise.all(['b', 'a', 'a'].map((host) => session.exchange(lookup(host))));
    expect(answers).to.deep.equal(['2', '1', '3']);
    expect(session.unused).to.deep.equal([]);
  });

  it('answers another request with the next of its kind, and keeps both to be compared', async () => {
    const exchange = known('a', '1');
    const session = await replay(exchange);
    expect(await session.exchange(lookup('c'))).to.equal('1');
    expect(session.replayed).to.deep.equal([{ request: { host: 'c' }, exchange }]);
  });

  it('refuses what was not recorded, and asks nobody', async () => {
    const session = await replay(known('a', '1'));
    await session.exchange(lookup('a'));
    const error = await rejection(session.exchange(lookup('a')), 'EXECUTION_FAILED');
    expect(error.message).to.include('not recorded');
    expect(session.replayed.map(({ exchange }) => exchange === undefined)).to.deep.equal([false, true]);
  });

  it('says what was recorded and not asked for', async () => {
    const session = await replay(known('a', '1'), known('b', '2'));
    await session.exchange(lookup('b'));
    expect(session.unused).to.deep.equal([known('a', '1')]);
  });

  it('records in the order in which requests were begun, without those that failed', async () => {
    const session = new Session(true, await opened());
    session.begin({}, {});
    let answerFirst = (_answer: string): void => {};
    const first = session.exchange(lookup('a', () => new Promise((resolve) => (answerFirst = resolve))));
    const failed = session.exchange(lookup('b')).catch(() => 'failed');
    await session.exchange(lookup('c', async () => '3'));
    answerFirst('1');
    expect(await Promise.all([first, failed])).to.deep.equal(['1', 'failed']);
    expect(session.recorded).to.deep.equal([known('a', '1'), known('c', '3')]);
  });

  it('writes the folder of the test as a word, and knows it again', async () => {
    const scratch = await opened();
    const value = { [scratch.folder]: [`${scratch.folder}/a`] };
    expect(scratch.toCassette(value)).to.deep.equal({ '{folder}': ['{folder}/a'] });
    expect(scratch.fromCassette(scratch.toCassette(value))).to.deep.equal(value);
  });

  it('refuses a file outside of its folder', async () => {
    const scratch = await opened();
    const error = await rejection(scratch.fill({ '../outside': '' }), 'TOOL_INVALID');
    expect(error.message).to.include('../outside');
  });
});
