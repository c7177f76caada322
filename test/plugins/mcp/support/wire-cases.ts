import { expect } from 'chai';
import { after, before, describe, it } from 'mocha';
import { type Answer, messagesOf, type Outgoing, send, startServer, token, type WireOptions, type WireServer } from './wire.ts';
import { WireClient } from './wire-client.ts';

export const otherToken = 'the-token-of-another-caller';

export interface Request extends Outgoing {
  /** Whose session the request names. @default none */
  readonly session?: 'mine' | 'of another' | 'ended' | 'mine, twice';
}

export interface Wanted {
  /** Code of the JSON-RPC error. */
  readonly code?: number;
  /** The ids of what is answered, in any order. */
  readonly ids?: readonly unknown[];
  /** Undefined: not sent. */
  readonly headers?: Readonly<Record<string, string | RegExp | undefined>>;
  /** Text in the body. */
  readonly says?: string | RegExp;
}

export type Case = readonly [title: string, status: number, request: Request, wanted?: Wanted];

/** One test for each case, all against one server. Afterwards it still serves, and has logged no error. */
export function itAnswers(options: WireOptions, tables: Readonly<Record<string, readonly Case[]>>): void {
  let server: WireServer;
  let sessions: Readonly<Record<NonNullable<Request['session']>, string | string[]>>;
  let mine: WireClient;

  before(async () => {
    server = await startServer({ ...options, tokens: [{ name: 'other', token: otherToken }] });
    mine = await WireClient.open(server.port);
    const [other, ended] = [await WireClient.open(server.port, otherToken), await WireClient.open(server.port)];
    await ended.end();
    const { sessionId } = mine;
    sessions = { mine: sessionId, 'of another': other.sessionId, ended: ended.sessionId, 'mine, twice': [sessionId, sessionId] };
  });

  after(() => server.kernel.close());

  for (const [table, cases] of Object.entries(tables)) {
    describe(table, () => {
      for (const [title, status, { session, ...outgoing }, wanted = {}] of cases) {
        it(`${title}: ${status}`, async () => {
          const named = session === undefined ? {} : { 'mcp-session-id': sessions[session] };
          expectAnswer(await send(server.port, { ...outgoing, headers: { ...named, ...outgoing.headers } }), status, wanted);
        });
      }
    });
  }

  it('goes on serving, and none of it was an error of the server', async () => {
    expect((await mine.call('echo', { text: 'still here' })).result)
      .to.have.nested.property('content[0].text')
      .that.includes('still here');
    expect(server.records.filter(({ level }) => level === 'error')).to.deep.equal([]);
  });
}

function expectAnswer(answer: Answer, status: number, { code, ids, headers = {}, says }: Wanted): void {
  expect(answer.status, answer.body.slice(0, 500)).to.equal(status);
  // What Node refuses by itself never comes to the server.
  if (status !== 431) expect(answer.headers['vary'], 'vary').to.match(/^Origin(,|$)/);
  for (const [name, value] of Object.entries(headers)) {
    if (value instanceof RegExp) expect(answer.headers[name], name).to.match(value);
    else expect(answer.headers[name], name).to.equal(value);
  }
  const codes = code === undefined ? [] : messagesOf(answer).map(({ error }) => error?.code);
  if (code !== undefined) expect([...new Set(codes)]).to.deep.equal([code]);
  if (ids !== undefined) expect(messagesOf(answer).map(({ id }) => id)).to.have.members([...ids]);
  if (typeof says === 'string') expect(answer.body).to.include(says);
  if (says instanceof RegExp) expect(answer.body).to.match(says);
  expect(answer.body).to.not.include(token);
  expect(JSON.stringify(answer.headers)).to.not.include(token);
}
