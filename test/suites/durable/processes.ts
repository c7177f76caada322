import { expect } from 'chai';
import type { CallName, Kernel } from '../../../kernel/index.ts';
import { compiled } from '../../support/compiled.ts';
import { until } from '../../support/until.ts';
import { durableKernel, type Place } from './kernel.ts';
import type { StoreSource, Stores } from './stores.ts';
import { Workers } from './workers.ts';
import { World } from './world.ts';

/** Calls that wait for a person; of those of 50 ms, three fifths. The whole round has 1,000. */
const many = Number(process.env['TOOLKIT_DURABLE_CALLS'] ?? 60);

const names = (what: string, count: number): readonly string[] => Array.from({ length: count }, (_, index) => `${what} ${index}`);

/** Tests of durable calls whose processes come and go. */
export function describeProcesses({ engine, title, open: openStores }: StoreSource): void {
  describe(`durable calls of several processes ${title} by ${engine}, ${many} at once`, function () {
    this.timeout(1_800_000);

    let stores: Stores;
    let program: string;
    let world: World;
    let place: Place;
    let workers: Workers;
    const open: Kernel[] = [];
    before(async () => {
      stores = await openStores();
      program = await compiled('test/suites/durable/worker.ts');
    });
    beforeEach(async () => {
      world = new World();
      place = { engine, store: await stores.make(), world: await world.start() };
      workers = new Workers(program, place);
    });
    afterEach(async () => {
      await Promise.all(open.splice(0).map((kernel) => kernel.close()));
      await workers.killAll();
      world.stop();
      await stores.undo();
    });
    after(() => stores?.stop());

    const host = async (): Promise<Kernel> => {
      const kernel = await durableKernel(place, 0);
      open.push(kernel);
      return kernel;
    };
    const submit = async (kernel: Kernel, tool: string, ids: readonly string[], origin: 'host' | 'model' = 'host') =>
      Promise.all(ids.map((id) => kernel.execute(tool, { name: id }, { durable: true, id, origin })));

    it('go on elsewhere when their process is killed', async () => {
      const kernel = await host();
      let killedAt = 0;
      world.onDeed = ({ pid }) => {
        if (killedAt !== 0) return undefined;
        killedAt = performance.now();
        workers.kill(pid);
        return 'held';
      };
      for (const tool of ['act_reading', 'act_repeatable']) {
        killedAt = 0;
        world.deeds.length = 0;
        const [handle] = await submit(kernel, tool, [tool]);
        await workers.start(2);
        await workers.begin();
        expect(await handle?.result()).to.equal(tool);
        const [first, second] = world.deeds;
        expect(first?.pid).to.not.equal(second?.pid);
        process.stdout.write(`      ${tool}: after ${((second?.at ?? 0) - killedAt).toFixed(0)} ms\n`);
        await workers.killAll();
      }
    });

    it('are not made again by themselves when nobody knows whether they had their effect', async () => {
      const kernel = await host();
      let isKilled = false;
      world.onDeed = ({ pid }) => {
        if (isKilled) return undefined;
        isKilled = true;
        workers.kill(pid);
        return 'held';
      };
      const [handle] = await submit(kernel, 'act_plain', ['a']);
      await workers.start(2);
      await workers.begin();
      expect(await handle?.result().catch((error: { readonly code: string }) => error.code)).to.equal('OUTCOME_UNKNOWN');
      expect(world.countsOf('act_plain').get('a')).to.equal(1);
      await kernel.calls.retry('a', { repeatEffect: true });
      expect(await handle?.result()).to.equal('a');
      expect(world.countsOf('act_plain').get('a')).to.equal(2);
    });

    it('stay with a process that is only held up, and have no effect twice', async () => {
      let held = 0;
      world.onDeed = ({ pid }) => {
        if (held === 0) workers.kill(pid, 'SIGSTOP');
        held ||= pid;
        return undefined;
      };
      const [handle] = await submit(await host(), 'act_plain', ['a']);
      await workers.start(2);
      await workers.begin();
      await until(async () => (held === 0 ? undefined : true));
      // For longer than a dead process stays unnoticed.
      const heldAt = performance.now();
      await until(async () => (performance.now() - heldAt > 12_000 ? true : undefined));
      expect(await handle?.status()).to.equal('running');
      workers.kill(held, 'SIGCONT');
      expect(await handle?.result()).to.equal('a');
      await workers.stop();
      expect(world.countsOf('act_plain').get('a')).to.equal(1);
    });

    it('have no effect twice, and none is lost, whichever processes are killed', async () => {
      const ids = names('effect', many);
      const handles = await submit(await host(), 'act_plain', ids);
      const unanswered: string[] = [];
      world.onDeed = ({ name, pid }) => {
        if (world.deeds.length !== 5 && world.deeds.length !== 25) return undefined;
        unanswered.push(name);
        workers.kill(pid);
        return 'held';
      };
      await workers.start(3);
      await workers.begin();
      const ends = await Promise.all(
        handles.map((handle) =>
          handle.result().then(
            () => 'done',
            (error: { readonly code: string }) => error.code,
          ),
        ),
      );
      const counts = world.countsOf('act_plain');
      const endedWith = (end: string): readonly string[] => ids.filter((_, index) => ends[index] === end);
      const [done, unknown] = [endedWith('done'), endedWith('OUTCOME_UNKNOWN')];
      expect(unanswered).to.have.length(2);
      expect(unknown).to.include.members(unanswered);
      expect(done.length + unknown.length).to.equal(many);
      expect(done.filter((id) => counts.get(id) !== 1)).to.deep.equal([]);
      expect(unknown.filter((id) => (counts.get(id) ?? 0) > 1)).to.deep.equal([]);
      process.stdout.write(`      ${done.length} done, ${unknown.length} unknown, two processes killed\n`);
    });

    it('that wait for a person survive the death of all processes, and each runs once, whoever of two decides', async () => {
      const ids = names('approval', many);
      await submit(await host(), 'act_approved', ids, 'model');
      await workers.start(2);
      await workers.begin();
      const asked = async (kernel: Kernel): Promise<readonly (CallName & { readonly digest: string })[]> => {
        const found: (CallName & { readonly digest: string })[] = [];
        for (let after: string | undefined; ; ) {
          const { calls, next } = await kernel.calls.list({ status: 'asked', ...(after === undefined ? {} : { after }) });
          found.push(...calls.map(({ id, caller, question }) => ({ id, caller, digest: question?.digest ?? '' })));
          if (next === undefined) return found;
          after = next;
        }
      };
      const kernel = await host();
      await until(async () => ((await asked(kernel)).length === many ? true : undefined));
      await workers.killAll();
      expect(world.deeds).to.deep.equal([]);

      await workers.start(2);
      const approvers = [await host(), await host()];
      await workers.begin();
      const decide = async (approver: Kernel, by: string): Promise<number> => {
        let taken = 0;
        const questions = [...(await asked(approver))];
        await Promise.all(
          Array.from({ length: 8 }, async () => {
            for (let one = questions.pop(); one !== undefined; one = questions.pop())
              await approver.calls.answer(one.id, { ...one, approve: true, by }).then(
                () => taken++,
                (error: unknown) => expect(error).to.include({ code: 'INVALID_PARAMETERS' }),
              );
          }),
        );
        return taken;
      };
      const taken = await Promise.all(approvers.map((approver, index) => decide(approver, `approver ${index}`)));
      expect((taken[0] ?? 0) + (taken[1] ?? 0)).to.equal(many);
      process.stdout.write(`      decided by the one ${taken[0]}, by the other ${taken[1]}\n`);
      await Promise.all(ids.map(async (id) => expect(await (await kernel.calls.get(id)).result()).to.equal(id)));
      const counts = world.countsOf('act_approved');
      expect(ids.map((id) => counts.get(id))).to.deep.equal(ids.map(() => 1));
    });

    it('are made by all processes that work', async () => {
      const count = Math.ceil(many * 0.6);
      const took: number[] = [];
      for (const processes of [1, 3]) {
        place = { ...place, store: await stores.make() };
        workers = new Workers(program, place);
        const kernel = await host();
        const handles = await submit(kernel, 'act_wait', names('wait', count));
        await workers.start(processes);
        const begun = performance.now();
        await workers.begin();
        const makers = await Promise.all(handles.map((handle) => handle.result()));
        took.push(performance.now() - begun);
        expect(makers).to.have.length(count);
        process.stdout.write(`      by ${new Set(makers).size} of ${processes}\n`);
        await workers.stop();
      }
      const [one = 0, three = 0] = took;
      process.stdout.write(
        `      ${count} calls of 50 ms: ${one.toFixed(0)} ms by one, ${three.toFixed(0)} ms by three: ${(one / three).toFixed(2)} times as fast\n`,
      );
    });
  });
}
