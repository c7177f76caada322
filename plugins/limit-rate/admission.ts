import type { SlotQueue } from '../shared/fairness/slot-queue.ts';
import type { Limit } from './limit.ts';

interface Step {
  readonly permits: SlotQueue;
  /** Time after the start at which the permit comes back, in milliseconds; without it, at the end of the call. */
  readonly perMs?: number;
}

/** One call on its way through its limits: it waits in one queue after the other, starts when it has every permit, and ends. */
export class Admission {
  readonly #tenant: string;
  readonly #steps: readonly Step[];
  readonly #schedule: (giveBack: () => void, ms: number) => void;
  readonly #cancelled = new AbortController();
  readonly #atEnd: (() => void)[] = [];
  /** The permits that the start uses up, with the time after which each comes back, in milliseconds. */
  readonly #atStart: { readonly giveBack: () => void; readonly perMs: number }[] = [];
  #state: 'waiting' | 'started' | 'ended' = 'waiting';

  /** `schedule` runs a function after some milliseconds. */
  constructor(tenant: string, limits: readonly Limit[], schedule: (giveBack: () => void, ms: number) => void) {
    this.#tenant = tenant;
    // The permit for the start comes last, because its time begins with the start.
    this.#steps = limits.flatMap(({ running, starts, perMs }) => [
      ...(running === undefined ? [] : [{ permits: running }]),
      ...(starts === undefined ? [] : [{ permits: starts, perMs }]),
    ]);
    this.#schedule = schedule;
  }

  /**
   * Resolves when the call may run; returns undefined when it may run at once. When `signal` aborts, rejects with its reason and
   * leaves every queue.
   */
  enter(signal: AbortSignal): Promise<void> | undefined {
    let onStart: () => void = () => {};
    this.#takeFrom(0, () => onStart());
    if (this.#state !== 'waiting') return undefined;
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        this.end();
        reject(signal.reason);
      };
      signal.addEventListener('abort', leave, { once: true });
      onStart = () => {
        signal.removeEventListener('abort', leave);
        resolve();
      };
    });
  }

  /** Gives back everything that the call still holds. A second call does nothing. */
  end(): void {
    const unused = this.#state === 'waiting' ? this.#atStart.splice(0) : [];
    if (this.#state === 'waiting') this.#cancelled.abort();
    this.#state = 'ended';
    for (const giveBack of [...this.#atEnd.splice(0), ...unused.map((start) => start.giveBack)]) giveBack();
  }

  #takeFrom(index: number, onStart: () => void): void {
    const step = this.#steps[index];
    if (step === undefined) {
      this.#start();
      onStart();
      return;
    }
    const { permits, perMs } = step;
    const onGranted = (giveBack: () => void): void => {
      if (perMs === undefined) this.#atEnd.push(giveBack);
      else this.#atStart.push({ giveBack, perMs });
      this.#takeFrom(index + 1, onStart);
    };
    permits.take(this.#tenant, onGranted, this.#cancelled.signal);
  }

  #start(): void {
    this.#state = 'started';
    for (const { giveBack, perMs } of this.#atStart.splice(0)) this.#schedule(giveBack, perMs);
  }
}
