import type { EnteringCall } from '../limits.ts';
import type { Grant, Step } from './step.ts';

export interface AdmissionOptions {
  readonly tenant: string;
  /** Time limit of the call, in milliseconds. */
  readonly timeoutMs: number;
  /** Called before a call waits for a limit. May throw, so that the call does not wait. */
  readonly beforeWait: (step: Step) => void;
}

/** One call on its way through limits of all processes: it takes one grant after the other, starts when it has all, and ends. */
export class SharedAdmission implements EnteringCall {
  readonly #steps: readonly Step[];
  readonly #options: AdmissionOptions;
  readonly #cancelled = new AbortController();
  readonly #grants: Grant[] = [];

  constructor(steps: readonly Step[], options: AdmissionOptions) {
    this.#steps = steps;
    this.#options = options;
  }

  /** Resolves when the call has started. Rejects with STATE_UNAVAILABLE too: a call that cannot be counted does not run. */
  async enter(signal: AbortSignal): Promise<void> {
    const leave = (): void => this.#cancelled.abort(signal.reason);
    signal.addEventListener('abort', leave, { once: true });
    try {
      await this.#takeAll();
      for (const grant of this.#grants) grant.start();
    } finally {
      signal.removeEventListener('abort', leave);
    }
  }

  end(): void {
    this.#cancelled.abort();
    this.#giveBackFrom(0);
  }

  async #takeAll(): Promise<void> {
    const { tenant, timeoutMs, beforeWait } = this.#options;
    const cancelled = this.#cancelled.signal;
    for (;;) {
      // The call may have ended just when it got the grant.
      if (cancelled.aborted) this.#giveBackFrom(0);
      cancelled.throwIfAborted();
      const expired = this.#grants.findIndex(({ until }) => until <= performance.now());
      if (expired >= 0) {
        await this.#takeAgain(expired);
        continue;
      }
      const step = this.#steps[this.#grants.length];
      if (step === undefined) return;
      this.#grants.push(await step.take({ tenant, timeoutMs, cancelled, beforeWait: () => beforeWait(step) }));
    }
  }

  /**
   * Renews a grant whose window ended while the call waited for another one. If there is none now, gives back all later grants,
   * so that the call does not hold them while it waits.
   */
  async #takeAgain(index: number): Promise<void> {
    const renewed = await this.#grants[index]?.renew();
    if (this.#cancelled.signal.aborted) return;
    if (renewed !== undefined) this.#grants[index] = renewed;
    else this.#giveBackFrom(index);
  }

  #giveBackFrom(index: number): void {
    for (const grant of this.#grants.splice(index)) grant.end();
  }
}
