import { once } from 'node:events';
import { connect } from 'node:net';
import path from 'node:path';
import { expect } from 'chai';
import { apiVersion, definePlugin, type Plugin } from '../../../../../kernel/index.ts';
import { tlsMaterial } from '../../../../../plugins/shared/http/tls/tls-material.ts';
import { createMCPServer } from '../../../../../plugins/toolkit/mcp-server.ts';
import { memoryLogger } from '../../../../../plugins/toolkit/testing.ts';
import { temporaryFolder } from '../../../../support/temporary.ts';
import { ended, pidsIn } from '../../../executor-command/processes.ts';
import { quietly, send, token, until, wireServer } from '../../support/wire.ts';
import { initialize, newest, WireClient } from '../../support/wire-client.ts';
import { Hold, napTool } from '../../support/wire-tools.ts';

const longMs = 20_000;
const released = [{ type: 'text', text: 'released' }];

/** A raw connection that records the bytes it receives. */
class Connection {
  readonly #socket;
  #text = '';

  constructor(port: number) {
    this.#socket = connect(port, '127.0.0.1').setEncoding('utf8');
    this.#socket
      .on('error', () => {})
      .on('data', (chunk: string) => {
        this.#text += chunk;
      });
  }

  request(method: string, target: string, headers: Readonly<Record<string, string>> = {}, body = ''): void {
    const all = { host: 'localhost', authorization: `Bearer ${token}`, 'content-length': String(body.length), ...headers };
    const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
    this.#socket.write(`${method} ${target} HTTP/1.1\r\n${lines.join('')}\r\n${body}`);
  }

  get statuses(): number[] {
    return [...this.#text.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => Number(status));
  }

  get text(): string {
    return this.#text;
  }

  async closed(): Promise<void> {
    if (!this.#socket.destroyed) await once(this.#socket, 'close');
  }
}

/** A plugin that looks at every outcome, and takes its time. */
function slowTrail(): Plugin {
  return definePlugin({
    name: 'slow-trail',
    apiVersion,
    apply: ({ hooks }) => hooks.settled.tapPromise('slow-trail', () => new Promise<void>((resolve) => setTimeout(resolve, 20))),
  })();
}

async function refuses(port: number): Promise<void> {
  await until(() =>
    send(port, { method: 'GET', path: '/health' }).then(
      () => undefined,
      () => true,
    ),
  );
}

describe('an HTTP server that stops', () => {
  const cases: readonly { title: string; more: readonly Plugin[] }[] = [
    { title: 'ends', more: [] },
    { title: 'ends, also with a trail that takes its time', more: [slowTrail()] },
  ];
  for (const { title, more } of cases) {
    it(`sends the answer of a call that ${title}`, async () => {
      const hold = new Hold();
      const { port, kernel } = await wireServer({ more }, [hold.tool]);
      const stream = await (await WireClient.open(port)).startCall('hold', {}, { id: 'last' });
      const run = await hold.run(0);
      const closed = kernel.close({ drainMs: longMs });
      run.release();
      await closed;
      await stream.end();
      const answer = stream.events.find(({ message }) => message?.id === 'last');
      expect(answer?.message?.result?.['content']).to.deep.equal(released);
    });
  }

  it('sends the answers of all calls that end in their time', async () => {
    const hold = new Hold();
    const { port, kernel } = await wireServer({}, [hold.tool]);
    const clients = [await WireClient.open(port), await WireClient.open(port)];
    const numbers = Array.from({ length: 10 }, (_, index) => index);
    const streams = [];
    for (const number of numbers) streams.push(await clients[number % 2]?.startCall('hold', {}, { id: `call ${number}` }));
    const runs = await Promise.all(numbers.map((number) => hold.run(number)));
    const closed = kernel.close({ drainMs: longMs });
    for (const { release } of runs) {
      release();
      await new Promise(setImmediate);
    }
    await closed;
    await Promise.all(streams.map((stream) => stream?.end()));
    expect(streams.map((stream) => stream?.events.find(({ message }) => message?.result)?.message?.result?.['content'])).to.deep.equal(
      numbers.map(() => released),
    );
  });

  it('gives calls the time of "drainMs" when it is stopped as a library', async () => {
    const hold = new Hold();
    const tools = definePlugin({
      name: 'tools',
      apiVersion,
      apply: ({ hooks }) => hooks.discover.tap('tools', (sink) => sink.addTool(hold.tool, { trust: 'operator' })),
    });
    const options = { transport: 'http', port: 0, mcpToken: token, drainMs: longMs, includeCore: false, autoDiscover: false } as const;
    const server = await quietly(() => createMCPServer({ ...options, plugins: [tools()], logger: memoryLogger() }));
    const { port } = new URL(server.url ?? '');
    const stream = await (await WireClient.open(Number(port))).startCall('hold');
    const run = await hold.run(0);
    const stopped = server.stop();
    await refuses(Number(port));
    expect(run.signal.aborted).to.equal(false);
    run.release();
    await stopped;
    await stream.end();
    expect(stream.events.at(-1)?.message?.result?.['content']).to.deep.equal(released);
  });

  it('ends calls that need longer, with their programs', async () => {
    const hold = new Hold();
    const { port, kernel } = await wireServer({}, [hold.tool, napTool]);
    const client = await WireClient.open(port);
    const file = path.join(await temporaryFolder(), 'pid');
    const streams = [await client.startCall('hold'), await client.startCall('nap', { file })];
    const pids = await pidsIn(file);
    await hold.run(0);
    await kernel.close({ drainMs: 50 });
    await Promise.all([hold.cancelled(0), ended(pids), ...streams.map((stream) => stream.end())]);
  });

  it('ends the streams of its sessions', async () => {
    const { port, kernel } = await wireServer();
    const streams = await Promise.all([1, 2, 3].map(async () => (await WireClient.open(port)).listen()));
    await kernel.close({ drainMs: longMs });
    await Promise.all(streams.map((stream) => stream.end()));
  });

  it('refuses new sessions, those of other servers, and calls on connections that are open, and says in its health that it stops', async () => {
    const hold = new Hold();
    const { port, kernel } = await wireServer({}, [hold.tool]);
    const client = await WireClient.open(port);
    const stranger = await WireClient.open((await wireServer()).port);
    const connection = new Connection(port);
    const rpc = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
    const call = (name: string): string => JSON.stringify({ jsonrpc: '2.0', id: name, method: 'tools/call', params: { name } });
    const session = { ...rpc, 'mcp-session-id': client.sessionId, 'mcp-protocol-version': newest };
    connection.request('POST', '/mcp', session, call('hold'));
    const run = await hold.run(0);
    const closed = kernel.close({ drainMs: longMs });
    // Behind the call on the same connection, so that they are answered once it is.
    connection.request('POST', '/mcp', rpc, JSON.stringify(initialize));
    connection.request('POST', '/mcp', { ...session, 'mcp-session-id': stranger.sessionId }, call('echo'));
    connection.request('GET', '/health');
    connection.request('POST', '/mcp', session, call('echo'));
    await refuses(port);
    run.release();
    await closed;
    await connection.closed();
    expect(connection.statuses).to.deep.equal([200, 503, 503, 503, 200]);
    expect(connection.text)
      .to.match(/^retry-after: 30\r$/m)
      .and.to.include('{"status":"stopping","tools":2,"state":');
    expect(connection.text).to.include('ABORTED');
  });

  it('takes no connection from the start, and none when it has ended', async () => {
    const hold = new Hold();
    const { port, kernel } = await wireServer({}, [hold.tool]);
    const stream = await (await WireClient.open(port)).startCall('hold');
    const run = await hold.run(0);
    const closed = kernel.close({ drainMs: longMs });
    await refuses(port);
    run.release();
    await closed;
    await stream.end();
    await refuses(port);
  });

  it('does not wait for clients that send slowly, or do not read', async () => {
    const { port, kernel } = await wireServer();
    const client = await WireClient.open(port);
    const slow = [connect(port, '127.0.0.1'), connect(port, '127.0.0.1'), connect(port, '127.0.0.1')];
    const [head, body, silent] = slow;
    head?.write('POST /mcp HTTP/1.1\r\nHost: local');
    body?.write(
      `POST /mcp HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json\r\nAccept: application/json, text/event-stream\r\nContent-Length: 100\r\n\r\n{`,
    );
    silent?.pause();
    await client.request('ping');
    for (const socket of slow) socket.on('error', () => {});
    await kernel.close({ drainMs: longMs });
    for (const socket of slow) socket.destroy();
    await refuses(port);
  });

  it('does not wait for clients that connect and never begin with TLS', async () => {
    const cwd = await temporaryFolder();
    const made = await tlsMaterial({ selfSigned: true }, { cwd, names: [] });
    const [certPath, keyPath] = [made?.certificateFile ?? '', path.join(cwd, '.toolkit/certs/localhost-1.pem')];
    const { port, kernel } = await wireServer({ certPath, keyPath });
    const silent = connect(port, '127.0.0.1').on('error', () => {});
    const gone = once(silent, 'close');
    await once(silent, 'connect');
    await kernel.close({ drainMs: longMs });
    await gone;
  });

  it('is stopped once, however often it is told', async () => {
    const { port, kernel } = await wireServer();
    await Promise.all([kernel.close(), kernel.close({ drainMs: longMs }), kernel.close()]);
    await refuses(port);
  });
});
