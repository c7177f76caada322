import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { expect } from 'chai';
import { approvalGate } from '../../../../../plugins/approval-gate/index.ts';
import { handlerTool, source } from '../../support/client.ts';
import { modernRequest } from '../../support/modern-wire.ts';
import { dispatch, EventStream, messagesOf, send, token, wireServer } from '../../support/wire.ts';
import type { Case } from '../../support/wire-cases.ts';
import { initialize } from '../../support/wire-client.ts';
import { Hold } from '../../support/wire-tools.ts';

const stateless = { stateless: true };
const headers = { 'mcp-protocol-version': '2025-11-25' };
const asks = (method: string, params: object = {}, id: unknown = 1) => ({
  headers,
  body: JSON.stringify({ jsonrpc: '2.0', id, method, params }),
});
const calls = (name: string, parameters: object = {}, meta: object = {}) =>
  asks('tools/call', { name, arguments: parameters, _meta: meta });

/** An official client, and how often its server gave it the id of a session. */
async function official(port: number): Promise<{ client: Client; sessions: () => number }> {
  let sessions = 0;
  const client = new Client({ name: 'official', version: '1.0.0' });
  const transport = new StreamableHTTPClientTransport(new URL(`http://127.0.0.1:${port}/mcp`), {
    requestInit: { headers: { authorization: `Bearer ${token}` } },
    fetch: async (url, init) => {
      const response = await fetch(url, init);
      if (response.headers.has('mcp-session-id')) sessions++;
      return response;
    },
  });
  await client.connect(transport as Parameters<Client['connect']>[0]);
  return { client, sessions: () => sessions };
}

describe('a server that keeps no sessions', () => {
  it('is used by the official client as any other, which gets no session', async () => {
    const { port } = await wireServer(stateless);
    const { client, sessions } = await official(port);
    expect((await client.listTools()).tools.map(({ name }) => name)).to.include('echo');
    expect(await client.callTool({ name: 'echo', arguments: { text: 'hello' } }))
      .to.have.nested.property('content[0].text')
      .that.includes('hello');
    expect((await client.listResources()).resources).to.deep.equal([]);
    await client.ping();
    await client.close();
    expect(sessions()).to.equal(0);
  });

  it('answers a request that another server would get next, without having seen its client', async () => {
    const [one, other] = [await wireServer(stateless), await wireServer(stateless)];
    const opened = await send(one.port, { body: JSON.stringify(initialize) });
    expect(messagesOf(opened)[0]).to.have.nested.property('result.protocolVersion', '2025-11-25');
    expect(opened.headers).to.not.have.property('mcp-session-id');
    expect(messagesOf(await send(other.port, calls('echo', { text: 'x' })))[0])
      .to.have.nested.property('result.content[0].text')
      .that.includes('x');
  });

  it('tells how far a call is on the stream of the call', async () => {
    const hold = new Hold();
    const { port } = await wireServer(stateless, [hold.tool]);
    const opening = dispatch(port, calls('hold', {}, { progressToken: 'p' }));
    const run = await hold.run(0);
    run.progress(1);
    const stream = new EventStream(await opening);
    run.release();
    await stream.end();
    expect(stream.events.map(({ message }) => message?.params?.['progress'] ?? message?.result?.['content'])).to.deep.equal([
      1,
      [{ type: 'text', text: 'released' }],
    ]);
  });

  it('says nothing on that stream of what it does not belong to, such as a list that has changed', async () => {
    const hold = new Hold();
    let round = 0;
    const changing = source((sink) => sink.addTool({ ...hold.tool, name: `round_${round++}` }));
    const { port, kernel } = await wireServer({ ...stateless, more: [changing] }, [hold.tool]);
    const answer = send(port, calls('hold'));
    const run = await hold.run(0);
    await kernel.reload();
    run.release();
    expect(messagesOf(await answer)).to.have.length(1);
  });

  it('ends a call whose client closes the connection', async () => {
    const hold = new Hold();
    const { port } = await wireServer(stateless, [hold.tool]);
    const opening = dispatch(port, calls('hold', {}, { progressToken: 'p' }));
    (await hold.run(0)).progress(1);
    (await opening).destroy();
    await hold.cancelled(0);
  });

  it('runs two requests with the same id, of clients that do not know of each other', async () => {
    const hold = new Hold();
    const { port } = await wireServer(stateless, [hold.tool]);
    const answers = [send(port, calls('hold')), send(port, calls('hold'))];
    for (const number of [0, 1]) (await hold.run(number)).release();
    for (const answer of await Promise.all(answers)) expect(messagesOf(answer)[0]).to.have.property('id', 1);
  });

  it('refuses what a person would have to be asked for, since it cannot ask', async () => {
    const pay = handlerTool(() => 'paid', { name: 'pay', risk: 'high', requires_approval: true });
    const { port } = await wireServer({ ...stateless, more: [approvalGate({ mode: 'elicit' })] }, [pay]);
    const [{ result } = {}] = messagesOf(await send(port, calls('pay')));
    expect(result).to.have.property('isError', true);
    expect(JSON.stringify(result)).to.include('APPROVAL_REQUIRED').and.not.include('paid');
  });

  it('speaks 2026-07-28 as any other', async () => {
    const { port } = await wireServer(stateless);
    const answer = await send(port, modernRequest({ method: 'tools/call', params: { name: 'echo', arguments: { text: 'new' } } }));
    expect(messagesOf(answer)[0]).to.have.nested.property('result.resultType', 'complete');
  });

  it('lets a call end before it stops', async () => {
    const hold = new Hold();
    const { port, kernel } = await wireServer(stateless, [hold.tool]);
    const answer = send(port, calls('hold'));
    const run = await hold.run(0);
    const closed = kernel.close({ drainMs: 60_000 });
    run.release();
    expect(messagesOf(await answer)[0]).to.have.nested.property('result.content[0].text', 'released');
    await closed;
  });
});

const tables: Readonly<Record<string, readonly Case[]>> = {
  requests: [
    ['a list', 200, asks('tools/list')],
    [
      'a list for a client with a session of another server',
      200,
      { ...asks('tools/list'), headers: { ...headers, 'mcp-session-id': 'x' } },
    ],
    ['without a version', 200, { body: asks('ping').body }],
    ['a method that there is not', 200, asks('no/such'), { code: -32601 }],
    ['an initialize that is wrong', 400, asks('initialize'), { code: -32602, says: 'protocolVersion' }],
    ['another version', 400, { headers: { 'mcp-protocol-version': '1999-01-01' }, body: asks('ping').body }],
    ['without the token', 401, { ...asks('ping'), headers: { authorization: undefined } }],
  ],
  'what is no request': [
    ['a notification', 202, { headers, body: '{"jsonrpc":"2.0","method":"notifications/initialized"}' }],
    ['a response', 400, { headers, body: '{"jsonrpc":"2.0","id":1,"result":{}}' }, { code: -32600 }],
  ],
  'what there are sessions for': [
    ['a stream of a session', 405, { method: 'GET' }, { headers: { allow: 'POST, OPTIONS' }, says: 'stateless' }],
    ['the end of a session', 405, { method: 'DELETE' }, { headers: { allow: 'POST, OPTIONS' } }],
  ],
};

describe('a server that keeps no sessions answers', () => {
  for (const [table, cases] of Object.entries(tables))
    describe(table, () => {
      for (const [title, status, request, wanted = {}] of cases)
        it(`${title}: ${status}`, async () => {
          const { port } = await wireServer(stateless);
          const answer = await send(port, request);
          expect(answer.status, answer.body).to.equal(status);
          if (wanted.code !== undefined) expect(messagesOf(answer)[0]?.error?.code).to.equal(wanted.code);
          if (wanted.says !== undefined) expect(answer.body).to.include(wanted.says as string);
          for (const [name, value] of Object.entries(wanted.headers ?? {})) expect(answer.headers[name]).to.equal(value);
        });
    });
});
