import { expect } from 'chai';
import { until } from '../support/until.ts';
import { plainClient } from './approvals/clients.ts';
import type { ActParameters, End } from './approvals/orders.ts';
import type { Server } from './approvals/server.ts';
import { Site } from './approvals/site.ts';
import { RealServer } from './postgres/server.ts';

const caller = 'agent';
/** Calls of each of two processes. */
const callsOfProcess = 3;

describe('equal calls of two processes that need a person', function () {
  this.timeout(600_000);

  let database: RealServer;
  let site: Site;
  before(async () => {
    database = await RealServer.start();
  });
  afterEach(async () => {
    await site?.close();
    await database.undo();
  });
  after(() => database?.stop());

  const open = async (options: { readonly hasEngine: boolean; readonly waits?: boolean }): Promise<readonly Server[]> => {
    const { hasEngine, waits = false } = options;
    const approvals = waits ? { waitMs: 240_000 } : {};
    site = await Site.open({ storeUrl: await database.makeDatabase(), callers: [caller], hasEngine, approvals });
    return site.startAll(2);
  };
  const command = async (...args: readonly string[]): Promise<string> => {
    const { exit, stdout, stderr } = site.run(args);
    const { code } = await exit;
    expect(code, `${args.join(' ')}: ${stdout()}${stderr()}`).to.equal(0);
    return stdout();
  };
  const callsOn = (servers: readonly Server[], parameters: ActParameters): readonly Promise<End<string>>[] =>
    servers.map(async ({ port }) => (await plainClient(port, caller)).act(parameters));
  const actOn = (servers: readonly Server[], parameters: ActParameters): Promise<readonly End<string>[]> =>
    Promise.all(callsOn(servers, parameters));
  const actOnce = async ([server]: readonly Server[], parameters: ActParameters): Promise<End<string>> => {
    if (server === undefined) throw new Error('there is no server');
    return (await plainClient(server.port, caller)).act(parameters);
  };
  const approvalOf = ({ failure }: End<string>): string => {
    expect(failure?.code, JSON.stringify(failure)).to.equal('APPROVAL_REQUIRED');
    return String(failure?.details?.['approval']);
  };
  /** Waits for the record of calls that wait, once all have joined. Fails with the end of a call that waits no more: nothing would follow. */
  const joined = async ([server]: readonly Server[], calls: readonly Promise<End<string>>[]): Promise<string> => {
    const record = until(async () => {
      const waiting = (await server?.order('list', { filter: { caller, status: 'waiting' } })) ?? [];
      return waiting.find(({ count }) => count === calls.length)?.id;
    });
    const end = Promise.race(calls).then((given): never => {
      throw new Error(`a call ended before all had joined: ${JSON.stringify(given)}`);
    });
    return Promise.race([record, end]);
  };

  for (const hasEngine of [true, false])
    it(`all get the result of one run while they wait, and are a new question afterwards, ${hasEngine ? 'with' : 'without'} an engine`, async () => {
      const servers = await open({ hasEngine, waits: true });
      const all = Array.from({ length: callsOfProcess }, () => servers).flat();
      const calls = callsOn(all, { key: 'together' });
      const id = await joined(servers, calls);
      await command('approvals', 'approve', id, '--yes');
      expect(await Promise.all(calls)).to.deep.equal(all.map(() => ({ value: 'acted together: 1' })));
      expect(site.runs('together')).to.equal(1);

      const later = callsOn(all, { key: 'together' });
      const next = await joined(servers, later);
      expect(next).to.not.equal(id);
      await command('approvals', 'refuse', next, '--yes');
      for (const { failure } of await Promise.all(later)) expect(failure?.code, JSON.stringify(failure)).to.equal('APPROVAL_DENIED');
      expect(site.runs('together')).to.equal(1);
    });

  it('run by a permit without an engine, which the next equal call takes, and no other', async () => {
    const servers = await open({ hasEngine: false });
    const id = approvalOf(await actOnce(servers, { key: 'permit' }));
    await command('approvals', 'approve', id, '--yes');
    expect(site.runs('permit')).to.equal(0);
    expect(approvalOf(await actOnce(servers, { key: 'permit', text: 'another' }))).to.not.equal(id);
    expect(site.runs('permit')).to.equal(0);
    const ends = await actOn(servers, { key: 'permit' });
    expect(site.runs('permit')).to.equal(1);
    for (const end of ends)
      if (end.failure === undefined) expect(end.value).to.equal('acted permit: 1');
      else expect(approvalOf(end)).to.not.equal(id);
    expect(ends.filter(({ failure }) => failure === undefined)).to.not.have.length(0);
    expect(approvalOf(await actOnce(servers, { key: 'permit' }))).to.not.equal(id);
    expect(site.runs('permit')).to.equal(1);
  });

  it('are run by the engine after their client left, and the result is read by calls show and by the same call', async () => {
    const servers = await open({ hasEngine: true });
    const [first] = servers;
    const id = approvalOf(await actOnce(servers, { key: 'left' }));
    await command('approvals', 'approve', id, '--yes');
    await until(async () => {
      const calls = (await first?.order('listCalls', { filter: { caller, status: 'completed' } })) ?? [];
      return calls.some((call) => call.id === id) ? true : undefined;
    });
    expect(await command('calls', 'show', id, '--caller', caller)).to.include('acted left: 1');
    expect(await actOnce(servers, { key: 'left' })).to.deep.equal({ value: 'acted left: 1' });
    expect(site.runs('left')).to.equal(1);
    expect(approvalOf(await actOnce(servers, { key: 'left' }))).to.not.equal(id);
    expect(site.runs('left')).to.equal(1);
  });
});
