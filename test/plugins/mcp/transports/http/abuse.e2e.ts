import diagnostics from 'node:diagnostics_channel';
import { once } from 'node:events';
import { Agent, type Server } from 'node:http';
import { connect, type Socket } from 'node:net';
import { expect } from 'chai';
import { type EventStream, send, token, until, type WireServer, wireServer } from '../../support/wire.ts';
import { WireClient } from '../../support/wire-client.ts';
import { Hold } from '../../support/wire-tools.ts';

const mebibyte = 1024 * 1024;
const wrong = { authorization: 'Bearer wrong' };

/** A session that works all the time: one call after the other, beside one that runs from the start and a stream. */
class GoodSession {
  readonly #client: WireClient;
  readonly #hold: Hold;
  readonly #held: EventStream;
  readonly #listening: EventStream;
  readonly #agent = new Agent({ keepAlive: true });
  readonly #working: Promise<void>;
  #answers = 0;
  #isDone = false;

  private constructor(client: WireClient, hold: Hold, held: EventStream, listening: EventStream) {
    this.#client = client;
    this.#hold = hold;
    this.#held = held;
    this.#listening = listening;
    this.#working = this.#work();
    // Reported by finish().
    this.#working.catch(() => {});
  }

  static async start(server: WireServer, hold: Hold): Promise<GoodSession> {
    const client = await WireClient.open(server.port);
    const listening = await client.listen();
    const held = await client.startCall('hold', {}, { id: 'held' });
    await hold.run(0);
    return new GoodSession(client, hold, held, listening);
  }

  async #work(): Promise<void> {
    while (!this.#isDone) {
      const text = `text ${this.#answers}`;
      const { result } = await this.#client.call('echo', { text }, this.#agent);
      expect(result?.['content']).to.deep.equal([{ type: 'text', text: JSON.stringify({ text }) }]);
      this.#answers++;
    }
  }

  /** Resolves when it has had more answers than now. */
  async goesOn(): Promise<void> {
    const before = this.#answers;
    await Promise.race([until(() => this.#answers > before + 5 || undefined), this.#working]);
  }

  /** Fails when it lost a call or a stream. */
  async finish(): Promise<void> {
    await this.goesOn();
    this.#isDone = true;
    await this.#working;
    this.#agent.destroy();
    (await this.#hold.run(0)).release();
    const { message } = await this.#held.first((event) => event.message?.id === 'held');
    expect(message?.result?.['content']).to.deep.equal([{ type: 'text', text: 'released' }]);
    expect(this.#listening.isOver).to.equal(false);
    await this.#listening.drop();
  }
}

describe('an HTTP server with clients that mean ill', () => {
  const rejections: unknown[] = [];
  const onRejection = (reason: unknown): void => void rejections.push(reason);
  let server: WireServer;
  let good: GoodSession;

  before(() => process.on('unhandledRejection', onRejection));
  after(() => process.off('unhandledRejection', onRejection));

  beforeEach(async () => {
    const hold = new Hold();
    server = await wireServer({}, [hold.tool]);
    good = await GoodSession.start(server, hold);
  });

  /** Checks that the good session lost nothing, that the server logged no fault, and that no rejection was unhandled. */
  afterEach(async () => {
    await good.finish();
    expect(server.records.filter(({ level }) => level === 'error')).to.deep.equal([]);
    expect(rejections).to.deep.equal([]);
  });

  async function sockets(count: number, text: string): Promise<readonly Socket[]> {
    const all = Array.from({ length: count }, () => connect(server.port, '127.0.0.1').on('error', () => {}));
    await Promise.all(all.map((socket) => once(socket, 'connect')));
    for (const socket of all) socket.write(text);
    return all;
  }

  const auth = `Host: localhost\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json\r\nAccept: application/json, text/event-stream\r\n`;
  const slow: readonly { title: string; start: string; drip: string }[] = [
    { title: 'a head that never ends', start: `POST /mcp HTTP/1.1\r\n${auth}`, drip: 'X-A: b\r\n' },
    { title: 'a request line that never ends', start: 'GET /', drip: 'a' },
    { title: 'a body that never ends', start: `POST /mcp HTTP/1.1\r\n${auth}Content-Length: 1000000\r\n\r\n{"jsonrpc"`, drip: ' ' },
    { title: 'chunks that never end', start: `POST /mcp HTTP/1.1\r\n${auth}Transfer-Encoding: chunked\r\n\r\n`, drip: '1\r\n{\r\n' },
    {
      title: 'a body that never ends and no token',
      start: 'POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000000\r\n\r\n',
      drip: ' ',
    },
    { title: 'nothing at all', start: '', drip: '' },
  ];
  for (const { title, start, drip } of slow) {
    it(`goes on beside a hundred that send ${title}`, async () => {
      const all = await sockets(100, start);
      for (let round = 0; round < 5; round++) {
        for (const socket of all) socket.write(drip);
        await good.goesOn();
      }
      for (const socket of all) socket.destroy();
    });
  }

  it('cuts off heads after 10 seconds and bodies after 60', async () => {
    const seen = new Set<Server>();
    const look = (message: unknown): void => void seen.add((message as { server: Server }).server);
    diagnostics.subscribe('http.server.request.start', look);
    await good.goesOn();
    diagnostics.unsubscribe('http.server.request.start', look);
    expect([...seen].map(({ headersTimeout, requestTimeout }) => [headersTimeout, requestTimeout])).to.deep.equal([[10_000, 60_000]]);
  });

  it('goes on beside bodies of 10 MiB, with a token and without', async () => {
    const body = Buffer.alloc(10 * mebibyte, ' ');
    const statuses = await Promise.all([{}, {}, wrong, wrong].map(async (headers) => (await send(server.port, { headers, body })).status));
    expect(statuses).to.deep.equal([413, 413, 401, 401]);
  });

  it('goes on beside a body without an end, which it cuts off', async () => {
    const [socket] = await sockets(1, `POST /mcp HTTP/1.1\r\n${auth}Transfer-Encoding: chunked\r\n\r\n`);
    const chunk = Buffer.concat([Buffer.from('100000\r\n'), Buffer.alloc(mebibyte, ' '), Buffer.from('\r\n')]);
    for (let sent = 0; sent < 1000 && socket?.destroyed === false; sent++) {
      socket.write(chunk);
      await until(() => socket.destroyed || !socket.writableNeedDrain || undefined);
    }
    expect(socket?.destroyed).to.equal(true);
  });

  it('goes on beside broken JSON and wrong content types', async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 20 });
    const bad = [
      { body: '{"jsonrpc"', status: 400 },
      { body: '\0'.repeat(1000), status: 400 },
      { body: '['.repeat(100_000), status: 400 },
      { body: 'a=b', headers: { 'content-type': 'application/x-www-form-urlencoded' }, status: 415 },
      { body: '<a/>', headers: { 'content-type': 'text/xml' }, status: 415 },
    ];
    const all = Array.from({ length: 100 }, () => bad).flat();
    const statuses = await Promise.all(
      all.map(async ({ status: _status, ...request }) => (await send(server.port, { ...request, agent })).status),
    );
    agent.destroy();
    expect(statuses).to.deep.equal(all.map(({ status }) => status));
  });

  it('goes on beside clients that break off in the middle of everything', async () => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' });
    const starts = [
      `POST /mcp HTTP/1.1\r\n${auth}Content-Length: ${body.length}\r\n\r\n${body}`,
      `POST /mcp HTTP/1.1\r\n${auth}Content-Length: 1000\r\n\r\n${body}`,
      `GET /mcp HTTP/1.1\r\n${auth}\r\n`,
      `GET /health HTTP/1.1\r\n${auth}\r\n`.repeat(10),
      'POST /mcp HTTP/1.1\r\nHost',
    ];
    for (const start of starts) for (const socket of await sockets(50, start)) socket.destroy();
    await good.goesOn();
  });

  it('answers four hundred wrong tokens with 401, and goes on', async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 50 });
    const counts = new Map<number, number>();
    const hammer = async (): Promise<void> => {
      for (let sent = 0; sent < 8; sent++) {
        const { status } = await send(server.port, { headers: wrong, body: '{}', agent });
        counts.set(status, (counts.get(status) ?? 0) + 1);
      }
    };
    await Promise.all(Array.from({ length: 50 }, hammer));
    agent.destroy();
    expect([...counts]).to.deep.equal([[401, 400]]);
  });
});
