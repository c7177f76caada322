import type { EnteringCall } from '../limits.ts';
import type { Held, Step } from './step.ts';

export interface SharedAsking {
  readonly tenant: string;
  /** Called before a call waits for a limit. May throw, so that the call does not wait. */
  readonly beforeWait: (step: Step) => void;
}

/** One call on its way through limits of all processes: it takes one grant after the other, starts when it has all, and ends. */
export class SharedAdmission implements EnteringCall {
  readonly #steps: readonly Step[];
  readonly #asking: SharedAsking;
  readonly #leaving = new AbortController();
  readonly #held: Held[] = [];

  constructor(steps: readonly Step[], asking: SharedAsking) {
    this.#steps = steps;
    this.#asking = asking;
  }

  /** Resolves when the call has started. Rejects with STATE_UNAVAILABLE too: a call that cannot be counted does not run. */
  async enter(signal: AbortSignal): Promise<void> {
    const leave = (): void => this.#leaving.abort(signal.reason);
    signal.addEventListener('abort', leave, { once: true });
    try {
      await this.#takeAll();
      for (const held of this.#held) held.start();
    } finally {
      signal.removeEventListener('abort', leave);
    }
  }

  end(): void {
    this.#leaving.abort();
    this.#giveBackFrom(0);
  }

  async #takeAll(): Promise<void> {
    const { tenant, beforeWait } = this.#asking;
    const leaving = this.#leaving.signal;
    for (;;) {
      // The call may have ended just when it got the grant.
      if (leaving.aborted) this.#giveBackFrom(0);
      leaving.throwIfAborted();
      const over = this.#held.findIndex(({ until }) => until <= performance.now());
      if (over >= 0) {
        await this.#takeAgain(over);
        continue;
      }
      const step = this.#steps[this.#held.length];
      if (step === undefined) return;
      this.#held.push(await step.take({ tenant, leaving, beforeWait: () => beforeWait(step) }));
    }
  }

  /**
   * Renews a grant whose window ended while the call waited for another one. If there is none now, gives back all later grants,
   * so that the call does not hold them while it waits.
   */
  async #takeAgain(index: number): Promise<void> {
    const again = await this.#held[index]?.again();
    if (this.#leaving.signal.aborted) return;
    if (again !== undefined) this.#held[index] = again;
    else this.#giveBackFrom(index);
  }

  #giveBackFrom(index: number): void {
    for (const held of this.#held.splice(index)) held.end();
  }
}
