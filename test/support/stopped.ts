import { setImmediate } from 'node:timers/promises';
import sinon from 'sinon';
import type { ToolkitError } from '../../kernel/index.ts';
import { StageClock } from '../../kernel/time/stage-clock.ts';
import { rejection } from './rejection.ts';

/**
 * The TIMEOUT of a call whose work has no end, once everything else is answered: no time passes before that, however slow the machine is.
 * Fails when it ends in another way, and does not end when what is to be answered waits for it. `limitMs`: the time limit of the call.
 */
export async function stopped(limitMs: number, stuck: () => Promise<unknown>, meanwhile: () => Promise<unknown>): Promise<ToolkitError> {
  // Threads that were idle before have timers of the real clock.
  const clock = sinon.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldClearNativeTimers: true });
  const waits = countWaits();
  try {
    let isOver = false;
    const call = rejection(stuck(), 'TIMEOUT').finally(() => {
      isOver = true;
    });
    await Promise.all([meanwhile().finally(() => passTime()), call]);
    return await call;

    async function passTime(): Promise<void> {
      while (!isOver) {
        // A call whose thread has not begun yet would end because it waits for too long.
        if (waits.count === 0) clock.tick(limitMs);
        await setImmediate();
      }
    }
  } finally {
    waits.restore();
    // A thread that computes has a time to say so, which began on this clock: the call does not wait for its end.
    clock.runToLast();
    clock.restore();
  }
}

/** Counts the calls that begin to wait from now on. */
function countWaits(): { count: number; restore(): void } {
  const waits = { count: 0, restore: () => stub.restore() };
  const stub = sinon.stub(StageClock.prototype, 'pause').callsFake(function (this: StageClock) {
    const goOn = stub.wrappedMethod.call(this) as () => void;
    let isOver = false;
    waits.count++;
    return () => {
      if (!isOver) waits.count--;
      isOver = true;
      goOn();
    };
  });
  return waits;
}
