import { expect } from 'chai';
import { type CallStatus, type KnownEffect, type StateStore, ToolkitError } from '../../../../kernel/index.ts';
import { MemoryStore } from '../../../../kernel/state/memory-store.ts';
import { LocalEngine } from '../../../../plugins/engine-local/local-engine.ts';
import { Gate, ScriptedHost } from '../../../../plugins/toolkit/testing/calls/scripted-host.ts';
import { memoryLogger } from '../../../../plugins/toolkit/testing.ts';
import { afterEach } from '../../../support/after-each.ts';
import { storeAlone } from '../../../support/store-alone.ts';
import { until } from '../../../support/until.ts';
import { UnreliableStore, type WriteFate } from '../../calls-once/unreliable-store.ts';

const open: LocalEngine[] = [];

afterEach(async () => {
  await Promise.all(open.splice(0).map((engine) => engine.close()));
});

const name = { caller: 'ada', id: 'a' };
const request = { ...name, tool: 'act', parameters: {}, origin: 'host' } as const;

const engineOf = (host: ScriptedHost, state: StateStore, more: object = {}): LocalEngine => {
  const options = { retentionMs: 3_600_000, maxCalls: 1000, maxBytes: 1_000_000, maxAttempts: 5, concurrency: 0, ...more };
  const engine = new LocalEngine({ host, state, logger: memoryLogger(), ...options });
  open.push(engine);
  return engine;
};

/** Status in the record, which nothing completes by reading it. */
const recordOf = async (state: StateStore): Promise<{ readonly status: CallStatus; readonly attempts: number }> => {
  const [entry] = await state.list('call/');
  // Own text: a record of the test.
  return JSON.parse(entry?.value ?? '{}') as { status: CallStatus; attempts: number };
};

const unknown = (): never => {
  throw new ToolkitError('OUTCOME_UNKNOWN', 'Its process has died.');
};
const later = (): never => {
  throw new ToolkitError('OUTCOME_UNKNOWN', 'It is found out later.', { retryable: true, retryAfterMs: 60_000 });
};
const refused = (): never => {
  throw new ToolkitError('BAD_REQUEST', 'No.');
};
const done: KnownEffect = { state: 'done', result: { output: 'of the first' } };

describe('the outcome of a call whose process was cut off alone', () => {
  const cases: readonly {
    readonly title: string;
    readonly outcome?: () => string;
    readonly known: KnownEffect;
    readonly repeatEffect?: boolean;
    /** End of the call in the process that took the other one for dead. */
    readonly meanwhile?: 'unknown' | 'waiting';
    readonly status: CallStatus;
  }[] = [
    { title: 'replaces "unknown"', known: done, status: 'completed' },
    { title: 'replaces "waiting", where it was to be found out later', known: done, meanwhile: 'waiting', status: 'completed' },
    { title: 'replaces no "waiting" while nothing is known', known: { state: 'open' }, meanwhile: 'waiting', status: 'waiting' },
    { title: 'replaces "unknown" where the call was refused', outcome: refused, known: { state: 'none' }, status: 'failed' },
    { title: 'replaces nothing where a later attempt had superseded it', known: { state: 'open' }, status: 'unknown' },
    { title: 'replaces nothing of a second effect', known: done, repeatEffect: true, status: 'unknown' },
  ];
  for (const { title, outcome = () => 'of the first', known, repeatEffect = false, meanwhile = 'unknown', status } of cases)
    it(title, async () => {
      const state = new MemoryStore(Date.now);
      const gate = new Gate();
      const held = new ScriptedHost(() => gate.passed.then(outcome));
      const one = engineOf(held, state);
      const other = engineOf(new ScriptedHost(meanwhile === 'unknown' ? unknown : later), storeAlone(state));
      await one.submit(request);
      const stop = await one.work({ concurrency: 1 });
      await held.waitForCalls(1);
      await other.work({ concurrency: 1 });
      await until(async () => {
        const record = await recordOf(state);
        return record.status === meanwhile && record.attempts === 2 ? true : undefined;
      });
      if (repeatEffect) {
        const { attempts } = await other.retry(name, { repeatEffect });
        await until(async () => {
          const record = await recordOf(state);
          return record.status === 'unknown' && record.attempts > attempts ? true : undefined;
        });
      }
      held.effects.set('a', known);
      gate.open();
      await stop();
      expect((await recordOf(state)).status).to.equal(status);
      if (status === 'completed') expect((await other.resultOf(name))?.output).to.equal('of the first');
    });
});

describe('a durable call, where the store fails', () => {
  const cases: readonly { readonly title: string; readonly fates: readonly WriteFate[] }[] = [
    { title: 'runs once where the write of its claim has happened', fates: ['written'] },
    { title: 'runs once where it has not', fates: ['lost'] },
    { title: 'has its outcome where the write of that is lost', fates: ['succeeds', 'lost', 'lost'] },
    { title: 'has its outcome where the write of that has happened', fates: ['succeeds', 'written'] },
  ];
  for (const { title, fates } of cases)
    it(title, async () => {
      const unreliable = new UnreliableStore(new MemoryStore(Date.now), 'call/');
      const host = new ScriptedHost(() => 'done');
      const engine = engineOf(host, unreliable.store);
      await engine.submit(request);
      unreliable.next(...fates);
      await engine.work({ concurrency: 1 });
      const { status, attempts } = await engine.ended(name);
      expect([status, attempts, host.requests.length]).to.deep.equal(['completed', 1, 1]);
      expect((await engine.resultOf(name))?.output).to.equal('done');
    });
});

describe('a call whose claim this process did not learn of', () => {
  it('runs, and that does not count as a failure', async () => {
    const unreliable = new UnreliableStore(new MemoryStore(Date.now), 'call/');
    const host = new ScriptedHost(() => 'done');
    const engine = engineOf(host, unreliable.store, { maxAttempts: 1 });
    await engine.submit(request);
    unreliable.next('written');
    unreliable.failingReads = 1;
    await engine.work({ concurrency: 1 });
    const { status, attempts } = await engine.ended(name);
    expect([status, attempts, host.requests.length]).to.deep.equal(['completed', 2, 1]);
  });
});

describe('a process that the store sees again', () => {
  it('does not abort a call whose claim is being written', async () => {
    const state = new MemoryStore(Date.now);
    const [claiming, claimed] = [new Gate(), new Gate()];
    let onReturn = (): void => {};
    let writes = 0;
    const store = new Proxy<StateStore>(state, {
      get: (target, member) => {
        if (member === 'join')
          return (listener = (): void => {}) => {
            onReturn = listener;
            return target.join(listener);
          };
        if (member === 'compareAndSet')
          return async (...given: Parameters<StateStore['compareAndSet']>) => {
            if (given[0].startsWith('call/') && ++writes === 1) {
              claiming.open();
              await claimed.passed;
            }
            return target.compareAndSet(...given);
          };
        const value: unknown = Reflect.get(target, member);
        return typeof value === 'function' ? value.bind(target) : value;
      },
    });
    const host = new ScriptedHost((_request, signal) => {
      signal.throwIfAborted();
      return 'done';
    });
    host.effects.set('a', { state: 'none' });
    const engine = engineOf(host, store);
    await engine.submit(request);
    await engine.work({ concurrency: 1 });
    await claiming.passed;
    onReturn();
    await new Promise(setImmediate);
    claimed.open();
    expect((await engine.ended(name)).status).to.equal('completed');
  });
});

describe('a call that failed for the last time', () => {
  for (const { known, status } of [
    { known: { state: 'open', isRetryable: true }, status: 'unknown' },
    { known: { state: 'open' }, status: 'unknown' },
    { known: { state: 'none' }, status: 'failed' },
    { known: done, status: 'completed' },
  ] as const)
    it(`is ${status} where its effect is ${known.state}${'isRetryable' in known ? ', and another attempt might find it out' : ''}`, async () => {
      const host = new ScriptedHost(() => {
        throw new ToolkitError('TIMEOUT', 'No answer.');
      });
      host.effects.set('a', known);
      const engine = engineOf(host, new MemoryStore(Date.now), { maxAttempts: 1 });
      await engine.submit(request);
      await engine.work({ concurrency: 1 });
      expect((await engine.ended(name)).status).to.equal(status);
      expect(host.requests).to.have.lengthOf(1);
    });
});

describe('a call whose process has died for the last time', () => {
  const cases: readonly { readonly known: KnownEffect; readonly isCancelled: boolean; readonly status: CallStatus }[] = [
    { known: { state: 'none' }, isCancelled: false, status: 'failed' },
    { known: { state: 'none' }, isCancelled: true, status: 'cancelled' },
    { known: { state: 'open' }, isCancelled: false, status: 'unknown' },
    { known: { state: 'open' }, isCancelled: true, status: 'unknown' },
    { known: done, isCancelled: false, status: 'completed' },
    { known: done, isCancelled: true, status: 'completed' },
  ];
  for (const { known, isCancelled, status } of cases)
    it(`is ${status} where its effect is ${known.state}${isCancelled ? ' and it was cancelled' : ''}`, async () => {
      const state = new MemoryStore(Date.now);
      const gate = new Gate();
      const held = new ScriptedHost(() => gate.passed.then(() => 'late'));
      const one = engineOf(held, state);
      const host = new ScriptedHost(() => 'never');
      const other = engineOf(host, storeAlone(state), { maxAttempts: 1 });
      await one.submit(request);
      const stop = await one.work({ concurrency: 1 });
      await held.waitForCalls(1);
      if (isCancelled) await other.cancel(name);
      host.effects.set('a', known);
      await other.work({ concurrency: 1 });
      expect((await other.ended(name)).status).to.equal(status);
      expect(host.requests).to.have.lengthOf(0);
      gate.open();
      await stop();
    });
});
