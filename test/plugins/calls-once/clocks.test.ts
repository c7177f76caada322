import { EventEmitter, once } from 'node:events';
import { expect } from 'chai';
import { type Kernel, ToolkitError } from '../../../kernel/index.ts';
import { MemoryStore } from '../../../kernel/state/memory-store.ts';
import { callsOnce } from '../../../plugins/calls-once/index.ts';
import { rejection } from '../../support/rejection.ts';
import { stoppedDate } from '../../support/stopped-date.ts';
import { echoTool, testKernel } from '../../support/test-kernel.ts';
import { UnreliableStore } from './unreliable-store.ts';

/** Two kernels with clocks of their own on a store with a third one. The first attempt is lost; its service works on for `after_ms`. */
async function twoMachines(verify: object) {
  const clock = { storeMs: 0, effects: 0, effectAt: 0, seen: new EventEmitter(), answer: (): unknown => [] };
  const store = new UnreliableStore(new MemoryStore(() => clock.storeMs), '/intent/');
  const act = (): unknown => {
    clock.effectAt = Date.now();
    if (++clock.effects === 1) throw new Error('lost');
    return clock.effects;
  };
  const find = (): unknown => {
    setImmediate(() => clock.seen.emit('asked'));
    return { list: clock.answer() };
  };
  const tools = [
    {
      ...echoTool(),
      name: 'act',
      parameters: {},
      risk: 'medium',
      execution: { type: 'function', handler: act },
      verify: { tool: 'find', ...verify },
    },
    { ...echoTool(), name: 'find', parameters: {}, execution: { type: 'function', handler: find } },
  ];
  const kernelOf = (): Promise<Kernel> => testKernel({ tools, plugins: [callsOnce(), store.plugin()] });
  return { clock, one: await kernelOf(), other: await kernelOf() };
}

const call = (kernel: Kernel) => kernel.execute('act', {}, { once: 'a' });

describe('calls that are verified by a machine with another clock', () => {
  const date = stoppedDate();

  for (const aheadMs of [60_000, 0, -60_000])
    it(`run again when the service had its time, and not before, with a clock that is ${aheadMs / 1000} s ahead`, async () => {
      const { clock, one, other } = await twoMachines({ found: 'output.list', after_ms: 40_000 });
      await rejection(call(one), 'EXECUTION_FAILED');
      date.setBack(-aheadMs);
      const asked = once(clock.seen, 'asked');
      const early = call(other).catch((error: unknown) => error);
      await asked;
      clock.storeMs += 39_999;
      // By its own clock it has waited long enough, or not at all: the effect is still not repeated.
      expect(clock.effects).to.equal(1);
      clock.storeMs += 1;
      const end = await early;
      if (ToolkitError.is(end)) {
        expect(end.code).to.equal('OUTCOME_UNKNOWN');
        expect(end.details.retryAfterMs).to.equal(40_000);
      }
      expect(await call(other)).to.equal(2);
    });

  for (const [aheadMs, says] of [
    [60_000, '1 found within two minutes of the attempt, 0 of them in its time'],
    [0, undefined],
    [-60_000, '1 found within two minutes of the attempt, 0 of them in its time'],
  ] as const)
    it(`do not run again for an effect whose time is ${aheadMs / 1000} s away by the clock of the service`, async () => {
      const { clock, one, other } = await twoMachines({ found: 'output.list.filter(one, during(one.at, attempt))', after_ms: 0 });
      await rejection(call(one), 'EXECUTION_FAILED');
      clock.answer = () => [{ at: (clock.effectAt - aheadMs) / 1000 }];
      if (says === undefined) expect(await call(other)).to.deep.equal({ at: clock.effectAt / 1000 });
      else expect((await rejection(call(other), 'OUTCOME_UNKNOWN')).message).to.include(says);
      expect(clock.effects).to.equal(1);
    });
});
