import { ToolkitError } from '../../errors.ts';
import type { HookRun } from '../../taps/hook-run.ts';
import { maxWaitMs } from '../../time/stage-clock.ts';

/** The limit of one stage for waiting would end the whole call: a question ends earlier, in milliseconds. */
const marginMs = 5000;

/**
 * Asks a person while a tool runs: the time limit of the tool stands still, and the question has one of its own, at most `limitMs`. Resolves to false
 * at that limit. Rejects at once when the call is aborted.
 */
export async function askWhileRunning(
  run: Pick<HookRun, 'signal' | 'pauseClock'>,
  limitMs: number,
  work: (signal: AbortSignal) => Promise<boolean>,
): Promise<boolean> {
  const resume = run.pauseClock();
  const question = new AbortController();
  const abort = (): void => question.abort(run.signal.reason);
  // Not AbortSignal.any: Node keeps such a signal, and this call with it, as long as it has a listener.
  run.signal.addEventListener('abort', abort, { once: true });
  const late = new ToolkitError('TIMEOUT', 'The person has not answered in time.');
  const timer = setTimeout(() => question.abort(late), Math.min(limitMs, maxWaitMs - marginMs));
  try {
    const ended = new Promise<never>((_, reject) => {
      question.signal.addEventListener('abort', () => reject(question.signal.reason as Error), { once: true });
    });
    if (run.signal.aborted) abort();
    return await Promise.race([work(question.signal), ended]);
  } catch (error) {
    if (error === late) return false;
    throw error;
  } finally {
    clearTimeout(timer);
    run.signal.removeEventListener('abort', abort);
    resume();
  }
}
