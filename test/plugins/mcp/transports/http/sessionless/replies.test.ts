import { Agent } from 'node:http';
import { expect } from 'chai';
import sinon from 'sinon';
import { handlerTool } from '../../../support/client.ts';
import { modernRequest, streamModern } from '../../../support/modern-wire.ts';
import { dispatch, EventStream, messagesOf, send, until, wireServer } from '../../../support/wire.ts';
import { otherToken } from '../../../support/wire-cases.ts';
import { Hold } from '../../../support/wire-tools.ts';

const longMs = 20_000;
const call = (name: string, parameters: object = {}, meta: Readonly<Record<string, unknown>> = {}) => ({
  method: 'tools/call',
  params: { name, arguments: parameters },
  meta,
});
const released = [{ type: 'text', text: 'released' }];
const token = 'progressToken';

describe('an answer of 2026-07-28 over HTTP', () => {
  it('is JSON where it comes at once, with nothing said before', async () => {
    const { port } = await wireServer();
    const answer = await send(port, modernRequest(call('echo', { text: 'x' })));
    expect(answer.headers).to.include({ 'content-type': 'application/json', vary: 'Origin' }).and.not.have.any.keys('mcp-session-id');
    expect(messagesOf(answer)[0]).to.have.nested.property('result.resultType', 'complete');
  });

  it('is the end of a stream where something is said before, each message once and in order, without ids', async () => {
    const hold = new Hold();
    const { port } = await wireServer({}, [hold.tool]);
    const opening = streamModern(port, call('hold', {}, { [token]: 'p' }));
    const run = await hold.run(0);
    for (const value of [1, 2, 3]) run.progress(value);
    const stream = await opening;
    run.release();
    await stream.end();
    expect(stream.events.map(({ message }) => message?.params?.['progress'] ?? message?.result?.['content'])).to.deep.equal([
      1,
      2,
      3,
      released,
    ]);
    expect(stream.events.every(({ id }) => id === undefined)).to.equal(true);
  });

  it('comes with log lines only where the request names a level, and from that level on', async () => {
    const says = handlerTool(
      (_, { logger }) => {
        logger.debug('a detail');
        logger.warn('a warning');
        return 'done';
      },
      { name: 'says', risk: 'low' },
    );
    const { port } = await wireServer({}, [says]);
    const heard = async (meta: object) =>
      messagesOf(await send(port, modernRequest(call('says', {}, meta as never)))).flatMap(({ method, params }) =>
        method === undefined ? [] : [params?.['level']],
      );
    const level = 'io.modelcontextprotocol/logLevel';
    expect([await heard({}), await heard({ [level]: 'warning' }), await heard({ [level]: 'debug' })]).to.deep.equal([
      [],
      ['warning'],
      ['debug', 'warning'],
    ]);
  });

  it('that takes long carries comments, so that nothing on the way closes it', async () => {
    const clock = sinon.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    const hold = new Hold();
    const { port } = await wireServer({}, [hold.tool]);
    const opening = dispatch(port, modernRequest(call('hold')));
    const run = await hold.run(0);
    clock.tick(15_000);
    const response = await opening;
    let text = '';
    response.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
    });
    await until(() => text.includes(': keepalive\n\n') || undefined);
    clock.restore();
    run.release();
    await until(() => text.includes('released') || undefined);
  });

  it('is on a connection that serves the next request too', async () => {
    const { port } = await wireServer();
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const places: (number | undefined)[] = [];
    for (const text of ['a', 'b', 'c']) {
      const response = await dispatch(port, { ...modernRequest(call('echo', { text })), agent });
      places.push(response.socket.localPort);
      await response.resume().toArray();
    }
    agent.destroy();
    expect(new Set(places).size).to.equal(1);
  });

  it('of a long list is compressed for a client that takes that', async () => {
    const tools = Array.from({ length: 200 }, (_, index) =>
      handlerTool(() => 'x', { name: `tool_${index}`, description: 'Does what a tool does, and says so at length.' }),
    );
    const { port } = await wireServer({}, tools);
    const headers = { 'accept-encoding': 'gzip' };
    const list = await send(port, modernRequest({ method: 'tools/list', headers }));
    const short = await send(port, modernRequest({ ...call('echo', { text: 'x'.repeat(20_000) }), headers }));
    expect([list.headers['content-encoding'], short.headers['content-encoding']]).to.deep.equal(['gzip', undefined]);
  });
});

describe('a request of 2026-07-28 over HTTP', () => {
  it('is cancelled when its client closes the connection, before the answer began or after', async () => {
    const hold = new Hold();
    const { port } = await wireServer({}, [hold.tool]);
    const early = new AbortController();
    const url = `http://127.0.0.1:${port}/mcp`;
    const { headers, body } = modernRequest(call('hold'));
    const all = {
      ...headers,
      authorization: 'Bearer a-token-of-the-tests',
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    };
    const asked = fetch(url, { method: 'POST', headers: all as Record<string, string>, body: body as string, signal: early.signal }).catch(
      () => {},
    );
    await hold.run(0);
    early.abort();
    await asked;
    await hold.cancelled(0);
    const opening = streamModern(port, call('hold', {}, { [token]: 'p' }));
    (await hold.run(1)).progress(1);
    await (await opening).drop();
    await hold.cancelled(1);
  });

  it('is not cancelled by somebody who names its id', async () => {
    const hold = new Hold();
    const { port } = await wireServer({}, [hold.tool]);
    const opening = dispatch(port, modernRequest({ ...call('hold'), id: 7 }));
    const run = await hold.run(0);
    const notice = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 7 } };
    expect((await send(port, { headers: { 'mcp-protocol-version': '2026-07-28' }, body: JSON.stringify(notice) })).status).to.equal(202);
    expect(run.signal.aborted).to.equal(false);
    run.release();
    const stream = new EventStream(await opening);
    await stream.end();
  });

  it('may have the id of another that runs: both are answered', async () => {
    const hold = new Hold();
    const { port } = await wireServer({}, [hold.tool]);
    const both = [1, 2].map(() => send(port, modernRequest({ ...call('hold'), id: 'same' })));
    const runs = [await hold.run(0), await hold.run(1)];
    for (const run of runs) run.release();
    for (const answer of await Promise.all(both)) expect(messagesOf(answer).at(-1)?.result?.['content']).to.deep.equal(released);
  });

  it('gets its answer when the server stops, in the time of "drainMs"; later ones are refused', async () => {
    const hold = new Hold();
    const { port, kernel } = await wireServer({}, [hold.tool]);
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const first = send(port, { ...modernRequest(call('hold')), agent });
    const run = await hold.run(0);
    const second = send(port, { ...modernRequest({ method: 'tools/list' }), agent });
    const closed = kernel.close({ drainMs: longMs });
    run.release();
    expect(messagesOf(await first).at(-1)?.result?.['content']).to.deep.equal(released);
    await closed;
    const refused = await second.then(
      ({ status }) => status,
      () => 'no connection',
    );
    expect(refused).to.be.oneOf([503, 'no connection']);
    agent.destroy();
  });

  it('is broken off with its call when it takes longer', async () => {
    const hold = new Hold();
    const { port, kernel } = await wireServer({}, [hold.tool]);
    const asked = send(port, modernRequest(call('hold'))).catch(() => undefined);
    await hold.run(0);
    await kernel.close({ drainMs: 10 });
    await hold.cancelled(0);
    await asked;
  });

  it('counts among those of its caller: one caller leaves the others their share', async () => {
    const hold = new Hold();
    const { port } = await wireServer({ maxConnections: 2, tokens: [{ name: 'other', token: otherToken }] }, [hold.tool]);
    const running = [1, 2].map(() => send(port, modernRequest(call('hold'))));
    const runs = [await hold.run(0), await hold.run(1)];
    const refused = await send(port, modernRequest(call('echo', { text: 'x' })));
    expect([refused.status, refused.headers['retry-after']]).to.deep.equal([429, '1']);
    const headers = { authorization: `Bearer ${otherToken}` };
    expect((await send(port, modernRequest({ ...call('echo', { text: 'x' }), headers }))).status).to.equal(200);
    for (const run of runs) run.release();
    await Promise.all(running);
    expect((await send(port, modernRequest(call('echo', { text: 'x' })))).status).to.equal(200);
  });
});
