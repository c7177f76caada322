import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { Agent } from 'node:http';
import { expect } from 'chai';
import { askModern } from '../plugins/mcp/support/modern-wire.ts';
import { send, token } from '../plugins/mcp/support/wire.ts';
import { initialize, WireClient } from '../plugins/mcp/support/wire-client.ts';
import { seriesOf } from '../plugins/telemetry/metrics/metrics-text.ts';
import { compiled } from '../support/compiled.ts';

const isWhole = process.env['TOOLKIT_ROUNDS'] === 'whole';

/** A whole round (`npm run test:suite telemetry-series:whole`) is that of the promise in the README of the plugin. */
const counts = isWhole ? { calls: 100_000, sessions: 10_000, clients: 1000 } : { calls: 3000, sessions: 100, clients: 25 };

const lanes = 10;
const batchSize = 100;

/** The newest version with batches. */
const batching = '2025-03-26';

/** A secret of the server, which clients write into all that is theirs. */
const planted = 'planted-secret-of-the-suite';

/** Does numbered work, several at once. */
async function each(count: number, work: (number: number) => Promise<unknown>): Promise<void> {
  const lane = async (first: number): Promise<void> => {
    for (let number = first; number < count; number += lanes) await work(number);
  };
  await Promise.all(Array.from({ length: Math.min(lanes, count) }, (_, first) => lane(first)));
}

/** A name that no tool has, of one of the shapes that a client may think of. */
function madeUpName(number: number): string {
  const shapes = [
    `made_up_${number}`,
    `${planted}_${number}`,
    `a"} 1\ntoolkit_${number} 2`,
    `${'long'.repeat(50)}${number}`,
    `näme ${number} \\`,
  ];
  return shapes[number % shapes.length] as string;
}

describe('the series of the numbers, whatever clients do', function () {
  this.timeout(1_800_000);
  let server: ChildProcess;
  let port: number;
  const agent = new Agent({ keepAlive: true, maxSockets: lanes });

  before(async () => {
    const env = { PATH: process.env['PATH'] ?? '', SERVER_TOKEN: token, GREETING_TOKEN: planted };
    server = fork(await compiled('test/suites/telemetry-series-server.ts'), { env, stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
    const [started] = (await once(server, 'message')) as [{ port: number }];
    port = started.port;
  });

  after(async () => {
    agent.destroy();
    server.kill('SIGKILL');
    await once(server, 'exit');
  });

  async function scrape(): Promise<string> {
    const { status, body } = await send(port, { method: 'GET', path: '/metrics' });
    expect(status).to.equal(200);
    return body;
  }

  /** Calls of names that no tool has, in batches, in one session. */
  async function callMadeUp(count: number): Promise<void> {
    const body = JSON.stringify({ ...initialize, params: { ...initialize.params, protocolVersion: batching } });
    const opened = await send(port, { body });
    const headers = { 'mcp-session-id': String(opened.headers['mcp-session-id']) };
    for (let first = 0; first < count; first += batchSize) {
      const calls = Array.from({ length: Math.min(batchSize, count - first) }, (_, index) => ({
        jsonrpc: '2.0',
        id: first + index,
        method: 'tools/call',
        params: { name: madeUpName(first + index), arguments: { [planted]: planted } },
      }));
      const answer = await send(port, { headers, body: JSON.stringify(calls), agent });
      expect(answer.status, answer.body.slice(0, 500)).to.equal(200);
    }
    await send(port, { method: 'DELETE', headers });
  }

  /** Sessions that are opened and ended. */
  const openSessions = (count: number): Promise<void> =>
    each(count, async () => {
      const { status, headers } = await send(port, { body: JSON.stringify(initialize), agent });
      expect(status).to.equal(200);
      const ended = await send(port, { method: 'DELETE', headers: { 'mcp-session-id': String(headers['mcp-session-id']) }, agent });
      expect(ended.status).to.be.oneOf([200, 204]);
    });

  /** Clients of invented names that make a good call and a bad one, with a session and without. */
  const inventClients = (count: number): Promise<void> =>
    each(count, async (number) => {
      const clientInfo = { name: `invented-${number}-${planted}`, version: `${number}.0` };
      const client = await WireClient.open(port, token, { clientInfo });
      await client.call('greet', { name: `${planted} ${number}` }, agent);
      await client.call('greet', { [`surplus_${number}`]: planted }, agent);
      await client.end();
      const meta = { 'io.modelcontextprotocol/clientInfo': clientInfo };
      await askModern(port, { method: 'tools/call', params: { name: 'greet', arguments: { name: planted } }, meta });
    });

  it('are as many as after the first of each, and none has a text of a client', async () => {
    await callMadeUp(1);
    await openSessions(1);
    await inventClients(1);
    await scrape();
    const first = await scrape();
    await inventClients(counts.clients);
    await openSessions(counts.sessions);
    await callMadeUp(counts.calls);
    const last = await scrape();
    const series = seriesOf(last);
    const ownNames = (text: string): readonly string[] => [...seriesOf(text).keys()].filter((name) => name.startsWith('toolkit_')).sort();
    expect(ownNames(last)).to.deep.equal(ownNames(first));
    expect(series.get('toolkit_calls_total{tool="_OTHER",outcome="failed"}')).to.equal(counts.calls + 1);
    expect(series.get('toolkit_call_errors_total{tool="_OTHER",code="TOOL_NOT_FOUND"}')).to.equal(counts.calls + 1);
    expect(series.get('toolkit_calls_total{tool="greet",outcome="completed"}')).to.equal(2 * (counts.clients + 1));
    for (const text of ['made_up', planted, 'invented', 'long', 'näme', 'surplus', token]) expect(last).not.to.include(text);
    // Those of the process have kinds of handles, of memory and of collections of garbage.
    expect(series.size - ownNames(last).length).to.be.below(100);
    process.stdout.write(`    ${JSON.stringify({ ...counts, series: series.size, own: ownNames(last).length })}\n`);
  });
});
