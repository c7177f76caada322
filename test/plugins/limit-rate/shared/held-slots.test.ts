import { setImmediate } from 'node:timers/promises';
import { expect } from 'chai';
import sinon from 'sinon';
import { type Liveness, type StateStore, ToolkitError } from '../../../../kernel/index.ts';
import { MemoryStore } from '../../../../kernel/state/memory-store.ts';
import { HeldSlots } from '../../../../plugins/limit-rate/shared/held-slots.ts';
import type { Grant } from '../../../../plugins/limit-rate/shared/step.ts';
import { rejection } from '../../../support/rejection.ts';

const fenceMs = 30_000;

describe('limit-rate: slots of several processes', () => {
  let clock: sinon.SinonFakeTimers;
  let store: MemoryStore;
  /** Ids of dead members. */
  let dead: Set<string>;
  beforeEach(() => {
    clock = sinon.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
    store = new MemoryStore(() => performance.now());
    dead = new Set();
  });
  afterEach(() => clock.restore());

  /** One process with its slots. */
  class Process {
    readonly slots: HeldSlots;
    /** Number of `enter` without `leave`. */
    entered = 0;
    lost = 0;
    enter: () => Promise<void> = async () => {};

    constructor(id: string, { count = 1, isFenced = false, state = store as StateStore } = {}) {
      const member: Liveness = {
        id,
        enter: async () => {
          await this.enter();
          this.entered++;
        },
        leave: () => void this.entered--,
        isDead: async (other) => dead.has(other),
      };
      const onLost = (lost: number): void => {
        this.lost += lost;
      };
      this.slots = new HeldSlots(state, 'running/limit/', { count, isFenced, member, hold: () => {}, onLost });
    }

    take(): Promise<Grant> {
      return this.slots.take({ tenant: 'a', timeoutMs: fenceMs, cancelled: new AbortController().signal, beforeWait: () => {} });
    }

    /** Takes a slot; rejects with RATE_LIMITED where none is free. */
    tryTake(): Promise<Grant> {
      const cancelled = new AbortController();
      const taken = this.slots.take({
        tenant: 'a',
        timeoutMs: fenceMs,
        cancelled: cancelled.signal,
        beforeWait: () => {
          throw new Error('none is free');
        },
      });
      return taken.finally(() => cancelled.abort());
    }
  }

  const values = async (): Promise<readonly string[]> => (await store.list('running/')).map(({ value }) => value);
  const holders = async (): Promise<readonly string[]> => (await values()).map((value) => /"by":"(\w+)"/.exec(value)?.[1] ?? value);
  /** Moves the clock, and lets everything happen that can happen then. */
  const tick = async (ms: number): Promise<void> => {
    for (let passed = 0; passed < ms; passed += 500) {
      await setImmediate();
      clock.tick(500);
      await setImmediate();
    }
  };
  const refusal = async (taken: Promise<unknown>): Promise<string> => taken.then(() => 'taken', String);

  it('stay with a living holder, however long it says nothing', async () => {
    const [one, other] = [new Process('one'), new Process('other')];
    await one.take();
    await tick(3_600_000);
    expect(await refusal(other.tryTake())).to.include('none is free');
    expect(await holders()).to.deep.equal(['one']);
  });

  it('pass from a dead holder to a call that waits', async () => {
    const [one, other] = [new Process('one'), new Process('other')];
    await one.take();
    const waiting = other.take();
    await tick(2000);
    dead.add('one');
    await tick(1000);
    await waiting;
    expect(await holders()).to.deep.equal(['other']);
  });

  it('stay taken for the time limit of the call behind a fence', async () => {
    const [one, other] = [new Process('one', { isFenced: true }), new Process('other', { isFenced: true })];
    await one.take();
    dead.add('one');
    let isTaken = false;
    const waiting = other.take().then(() => {
      isTaken = true;
    });
    await tick(fenceMs - 1000);
    expect(isTaken).to.equal(false);
    await tick(2000);
    await waiting;
    expect(await holders()).to.deep.equal(['other']);
  });

  it('are free at once when the call behind a fence ends', async () => {
    const [one, other] = [new Process('one', { isFenced: true }), new Process('other', { isFenced: true })];
    const grant = await one.take();
    dead.add('one');
    const waiting = other.take();
    await tick(1000);
    expect((await values())[0]).to.match(/^fenced /);
    grant.end();
    await tick(1000);
    await waiting;
  });

  it('are given back when the store is there again', async () => {
    const state = away(store);
    const [one, other] = [new Process('one', { state }), new Process('other')];
    const grant = await one.take();
    state.isAway = true;
    grant.end();
    await tick(5000);
    expect(await holders()).to.deep.equal(['one']);
    state.isAway = false;
    await tick(500);
    expect([await holders(), one.entered]).to.deep.equal([[], 0]);
    await other.take();
  });

  it('are withdrawn where the answer of the store is lost', async () => {
    const state = away(store);
    const one = new Process('one', { state });
    state.losesAnswers = true;
    await rejection(one.tryTake(), 'STATE_UNAVAILABLE');
    expect(await holders()).to.deep.equal(['one']);
    state.losesAnswers = false;
    await tick(500);
    expect([await holders(), one.entered]).to.deep.equal([[], 0]);
  });

  it('go to the next call of a process whose earlier statement was run too late', async () => {
    const one = new Process('one');
    await store.set('running/limit/0', JSON.stringify({ by: 'one', id: 'late' }));
    await one.tryTake();
    expect((await values())[0]).to.not.include('"late"');
  });

  it('stay with leases of an earlier version until they expire', async () => {
    const one = new Process('one');
    await store.set('running/limit/0', '5e3ae8a8-6dd9-4b53-8b1b-3a9f0a0a5b70', { ttlMs: 3000 });
    expect(await refusal(one.tryTake())).to.include('none is free');
    clock.tick(3000);
    await one.tryTake();
  });

  const returns: readonly { title: string; meanwhile: (other: Process) => Promise<unknown>; lost: number }[] = [
    { title: 'that are still theirs', meanwhile: async () => {}, lost: 0 },
    { title: 'that no call has', meanwhile: async (other) => (await other.take()).end(), lost: 0 },
    { title: 'that a call of another process has', meanwhile: (other) => other.take(), lost: 1 },
  ];
  for (const { title, meanwhile, lost } of returns) {
    it(`are taken back by running calls when their process is seen again: slots ${title}`, async () => {
      const [one, other] = [new Process('one'), new Process('other')];
      const grant = await one.take();
      dead.add('one');
      await meanwhile(other);
      dead.delete('one');
      one.slots.onReturn();
      await tick(500);
      expect([await holders(), one.lost]).to.deep.equal([['one'], lost]);
      expect(await refusal(other.tryTake())).to.include('none is free');
      grant.end();
      await tick(500);
      expect(await holders()).to.deep.equal([]);
    });
  }

  it('are taken back from behind their fence', async () => {
    const [one, other] = [new Process('one', { isFenced: true }), new Process('other', { isFenced: true })];
    await one.take();
    dead.add('one');
    expect(await refusal(other.tryTake())).to.include('none is free');
    one.slots.onReturn();
    await tick(500);
    expect([await holders(), one.lost]).to.deep.equal([['one'], 0]);
    expect((await values())[0]).to.not.match(/^fenced/);
  });

  it('are checked again before a call that waited for something else', async () => {
    const [one, other] = [new Process('one'), new Process('other')];
    const grant = await one.take();
    expect(grant.until - performance.now()).to.equal(5000);
    const later = await grant.renew();
    expect(later?.until).to.be.greaterThan(performance.now());
    dead.add('one');
    await other.take();
    expect(await grant.renew()).to.equal(undefined);
  });

  it('are not taken while others cannot see the process', async () => {
    const one = new Process('one');
    let join: () => void = () => {};
    one.enter = () =>
      new Promise((resolve) => {
        join = resolve;
      });
    const refused = rejection(one.tryTake(), 'STATE_UNAVAILABLE');
    await tick(5000);
    await refused;
    join();
    await setImmediate();
    expect([await holders(), one.entered]).to.deep.equal([[], 0]);
  });
});

interface AwayState extends StateStore {
  isAway: boolean;
  /** True where changes are made and their answers are lost. */
  losesAnswers: boolean;
}

/** A handle on a store that may be away. */
function away(store: StateStore): AwayState {
  const error = new ToolkitError('STATE_UNAVAILABLE', 'The store is away.');
  const made: AwayState = Object.assign(Object.create(store) as StateStore, {
    isAway: false,
    losesAnswers: false,
    list: async (...given: Parameters<StateStore['list']>) => store.list(...given),
    compareAndSet: async (...given: Parameters<StateStore['compareAndSet']>) => {
      if (made.isAway) throw error;
      const answer = await store.compareAndSet(...given);
      if (made.losesAnswers) throw error;
      return answer;
    },
  });
  return made;
}
