import { expect } from 'chai';
import { type ActingClient, plainClient } from './approvals/clients.ts';
import type { ActParameters, End } from './approvals/orders.ts';
import type { Server } from './approvals/server.ts';
import { Site } from './approvals/site.ts';
import { RealServer } from './postgres/server.ts';

const repeats = 100;
const processes = 3;
const different = 101;

/** The same arguments, with their keys in another order for each index. */
function reordered(index: number): ActParameters {
  const order = rotated({ first: 1, second: { inner: [1, 'two', null], outer: true }, third: 'three' }, index);
  return rotated({ key: 'repeated', text: 'The same text.', order }, Math.floor(index / 3)) as unknown as ActParameters;
}

function rotated(value: Readonly<Record<string, unknown>>, by: number): Readonly<Record<string, unknown>> {
  const entries = Object.entries(value);
  const at = by % entries.length;
  return Object.fromEntries([...entries.slice(at), ...entries.slice(0, at)]);
}

describe('an agent that repeats a held call', function () {
  this.timeout(600_000);

  let database: RealServer;
  let site: Site;
  const callers = ['repeats', 'differs', 'floods'];

  before(async () => {
    database = await RealServer.start();
    site = await Site.open({ storeUrl: await database.makeDatabase(), callers });
  });
  afterEach(() => site.killAll());
  after(async () => {
    await site?.close();
    await database?.undo();
    await database?.stop();
  });

  const open = (servers: readonly Server[], caller: string): Promise<readonly ActingClient[]> =>
    Promise.all(servers.map(({ port }) => plainClient(port, caller)));
  /** Makes calls, one after the other at each client, and at all clients at once. */
  const actAll = async (clients: readonly ActingClient[], calls: readonly ActParameters[]): Promise<readonly End<string>[]> => {
    const left = [...calls];
    const ends: End<string>[] = [];
    await Promise.all(
      clients.map(async (client) => {
        for (let next = left.shift(); next !== undefined; next = left.shift()) ends.push(await client.act(next));
      }),
    );
    return ends;
  };
  const approvalsOf = (ends: readonly End<string>[]): readonly unknown[] =>
    ends.map(({ failure }) => (failure?.code === 'APPROVAL_REQUIRED' ? failure.details?.['approval'] : JSON.stringify(failure)));

  it(`makes one record of ${repeats} equal calls of ${processes} processes at once, with keys in another order`, async () => {
    const servers = await site.startAll(processes);
    const clients = await open(servers, 'repeats');
    // The first ones of all processes at the same time, when there is no record yet.
    const first = await Promise.all(clients.map((client, index) => client.act(reordered(index))));
    const rest = Array.from({ length: repeats - processes }, (_, index) => reordered(processes + index));
    const ends = [...first, ...(await actAll(clients, rest))];
    const [server] = servers;
    const records = (await server?.order('list', { filter: { caller: 'repeats' } })) ?? [];
    expect(records.map(({ count, status }) => ({ count, status }))).to.deep.equal([{ count: repeats, status: 'waiting' }]);
    expect(new Set(approvalsOf(ends))).to.deep.equal(new Set(records.map(({ id }) => id)));
    expect(site.runs('repeated')).to.equal(0);
    expect(site.events.filter(({ event, caller }) => event === 'asked' && caller === 'repeats')).to.have.length(1);
  });

  it(`makes ${different} records of ${different} different calls where as many may wait`, async () => {
    const servers = await site.startAll(processes, { maxWaiting: 2 * different });
    const ends = await actAll(await open(servers, 'differs'), callsOf('different'));
    expect(new Set(approvalsOf(ends)).size).to.equal(different);
    expect(await servers[0]?.order('list', { filter: { caller: 'differs', status: 'waiting' } })).to.have.length(different);
  });

  it('is told to wait by call 101 that differs, but not by an equal one', async () => {
    const servers = await site.startAll(processes);
    const clients = await open(servers, 'floods');
    const ends = await actAll(clients, callsOf('flood'));
    const refused = ends.flatMap(({ failure }) => (failure?.code === 'RATE_LIMITED' ? [failure] : []));
    expect(refused).to.have.length(1);
    const waiting = (await servers[0]?.order('list', { filter: { caller: 'floods', status: 'waiting' } })) ?? [];
    expect(waiting).to.have.length(100);
    const [again] = waiting;
    const equal = await clients[0]?.act(again?.shown.parameters as ActParameters);
    expect(equal?.failure?.details?.['approval']).to.equal(again?.id);
  });

  function callsOf(what: string): readonly ActParameters[] {
    return Array.from({ length: different }, (_, index) => ({ key: `${what} ${index}` }));
  }
});
