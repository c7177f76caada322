import { expect } from 'chai';
import { engineLocal } from '../../../plugins/engine-local/index.ts';
import { rejection } from '../../support/rejection.ts';
import { until } from '../../support/until.ts';
import { HeldWorld } from './held-world.ts';

/** Equal calls that wait at the same time, each in a kernel of its own or all in one. */
const count = 5;

describe('equal held calls', () => {
  const waits = { options: { waitMs: 240_000 }, plugins: [engineLocal({ concurrency: 2 })] };

  /** Waits for a record that as many calls have joined. */
  const joined = (world: HeldWorld, calls: number): Promise<string> =>
    until(async () => {
      const { approvals } = await world.kernel.approvals.list({ status: 'waiting' });
      return approvals.find((record) => record.count === calls)?.id;
    });

  for (const [where, worldsOf] of [
    ['in one process', async (world: HeldWorld) => Array.from({ length: count }, () => world)],
    ['in several processes', async (world: HeldWorld) => [world, ...(await Promise.all([world.another(), world.another()]))]],
  ] as const) {
    it(`${where} that wait together get the result of one run, and the next is a new question`, async () => {
      const world = await HeldWorld.open(waits);
      const worlds = await worldsOf(world);
      const ends = Promise.all(worlds.map((one) => one.pay({ amount: 1 })));
      const id = await joined(world, worlds.length);
      await world.decide(id, true);
      expect(await ends).to.deep.equal(worlds.map(() => ({ paid: 1 })));
      expect(world.runs).to.deep.equal([1]);
      expect((await world.show(id)).status).to.equal('used');
      // They ran where they waited, so that no durable call was made of them, which would ask again.
      expect((await world.kernel.calls.list()).calls).to.deep.equal([]);
      expect((await world.kernel.approvals.list()).approvals).to.have.length(1);
      const later = world.pay({ amount: 1 });
      const next = await joined(world, 1);
      expect(next).to.not.equal(id);
      await world.decide(next, false);
      await rejection(later, 'APPROVAL_DENIED');
      expect(world.runs).to.deep.equal([1]);
    });

    it(`${where} that wait together are all refused by one no`, async () => {
      const world = await HeldWorld.open(waits);
      const worlds = await worldsOf(world);
      const ends = Promise.all(worlds.map((one) => rejection(one.pay({ amount: 1 }), 'APPROVAL_DENIED')));
      await world.decide(await joined(world, worlds.length), false);
      for (const { message } of await ends) expect(message).to.include('ann');
      expect(world.runs).to.deep.equal([]);
    });
  }

  it('take a permit without an engine, one of them, and no call that differs takes it', async () => {
    const world = await HeldWorld.open();
    const id = await world.held({ amount: 1 });
    const { status, runsAs } = await world.decide(id, true);
    expect({ status, runsAs }).to.deep.equal({ status: 'approved', runsAs: undefined });
    await world.held({ amount: 2 });
    expect(world.runs).to.deep.equal([]);
    expect(await world.pay({ amount: 1 })).to.deep.equal({ paid: 1 });
    expect(await world.held({ amount: 1 })).to.not.equal(id);
    expect(world.runs).to.deep.equal([1]);
  });

  it('run by an engine after a yes, and one of them gets that result', async () => {
    const world = await HeldWorld.open({ plugins: [engineLocal({ concurrency: 2 })] });
    const id = await world.held({ amount: 1 });
    const { runsAs } = await world.decide(id, true);
    expect(runsAs).to.deep.equal({ id, caller: 'agent' });
    expect(await (await world.kernel.calls.get(id, { caller: 'agent' })).result()).to.deep.equal({ paid: 1 });
    expect(await world.pay({ amount: 1 })).to.deep.equal({ paid: 1 });
    expect(world.runs).to.deep.equal([1]);
    expect(await world.held({ amount: 1 })).to.not.equal(id);
    expect(world.runs).to.deep.equal([1]);
  });
});
