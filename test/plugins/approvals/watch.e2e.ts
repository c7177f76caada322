import { expect } from 'chai';
import type { Kernel, PluginEntry } from '../../../kernel/index.ts';
import { storePostgres } from '../../../plugins/store-postgres/index.ts';
import { RealServer } from '../../suites/postgres/server.ts';
import { by, HeldWorld } from './held-world.ts';

/** Counts the reports of a watch. */
class Reports {
  #count = 0;
  #wake: () => void = () => {};
  #end: () => Promise<void> = async () => {};

  static async of({ approvals }: Kernel): Promise<Reports> {
    const reports = new Reports();
    reports.#end = await approvals.watch(() => {
      reports.#count++;
      reports.#wake();
    });
    return reports;
  }

  get count(): number {
    return this.#count;
  }

  /** Resolves after a report since the last call. */
  async next(): Promise<void> {
    while (this.#count === 0)
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    this.#count = 0;
  }

  /** Ends the watch, and forgets the reports so far. */
  async end(): Promise<void> {
    await this.#end();
    this.#count = 0;
  }
}

/** Resolves when a watch shows a record of this status, as a page sees it that reads again after each report. */
async function seen(world: HeldWorld, reports: Reports, id: string, status: string): Promise<void> {
  while ((await world.show(id)).status !== status) await reports.next();
}

describe('changes of approvals', () => {
  let server: RealServer;

  before(async () => {
    server = await RealServer.start();
  });
  after(() => server?.stop());
  afterEach(() => server.undo());

  const inPostgres = async (): Promise<{ readonly store: () => PluginEntry; readonly database: string }> => {
    const url = await server.makeDatabase();
    return { store: () => storePostgres({ url }), database: new URL(url).pathname.slice(1) };
  };

  it('are reported in memory, until the watch ends', async () => {
    const world = await HeldWorld.open({ store: () => false });
    const reports = await Reports.of(world.kernel);
    const id = await world.held({ amount: 1 });
    await reports.next();
    await world.decide(id, false);
    await seen(world, reports, id, 'refused');
    await reports.end();
    const later = await Reports.of(world.kernel);
    await world.held({ amount: 2 });
    await later.next();
    expect(reports.count).to.equal(0);
  });

  for (const [where, open] of [
    ['in a file', async () => ({})],
    ['in PostgreSQL', inPostgres],
  ] as const)
    it(`of another process and of this one are reported ${where}`, async () => {
      const world = await HeldWorld.open(await open());
      const other = await world.another();
      const [here, there] = [await Reports.of(world.kernel), await Reports.of(other.kernel)];
      const id = await other.held({ amount: 1 });
      await Promise.all([here.next(), there.next()]);
      await world.decide(id, true);
      await Promise.all([seen(world, here, id, 'approved'), seen(other, there, id, 'approved')]);
      await other.kernel.approvals.erase({ caller: 'agent' }, by);
      await Promise.all([here.next(), there.next()]);
      expect((await world.kernel.approvals.list()).approvals).to.deep.equal([]);
    });

  it('are reported after the connection to PostgreSQL broke, whatever happened meanwhile', async () => {
    const { store, database } = await inPostgres();
    const world = await HeldWorld.open({ store });
    const other = await world.another();
    const id = await other.held({ amount: 1 });
    const reports = await Reports.of(world.kernel);
    await server.rows('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1', [database]);
    await other.decide(id, false);
    await seen(world, reports, id, 'refused');
  });
});
