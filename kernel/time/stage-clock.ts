/** Maximum time that one stage may wait in queues, in milliseconds. */
export const maxWaitMs = 120_000;

/** The time limit of one stage. It pauses while the work waits in a queue; that time has its own limit, `maxWaitMs`. */
export class StageClock {
  readonly #remainingMs: { running: number; waiting: number };
  readonly #onEnd: (state: 'running' | 'waiting') => void;
  /** Number of open pauses. */
  #waiting = 0;
  #since = 0;
  #timer: NodeJS.Timeout | undefined;
  /** True while the caller waits for the work. */
  #isRunning = false;

  constructor(limitMs: number, onEnd: (state: 'running' | 'waiting') => void) {
    this.#remainingMs = { running: limitMs, waiting: maxWaitMs };
    this.#onEnd = onEnd;
  }

  start(): void {
    this.#isRunning = true;
    this.#count();
  }

  /** Pauses the limit until the returned function is called. Later calls of that function do nothing. */
  pause(): () => void {
    this.#change(1);
    let isOver = false;
    return () => {
      if (!isOver) this.#change(-1);
      isOver = true;
    };
  }

  /** Ends the stage if it is over its limit. A blocked process runs pending work before its timers, so the timer may be late. */
  endIfOver(): void {
    if (this.#isRunning && performance.now() - this.#since > this.#remainingMs[this.#state]) this.#onEnd(this.#state);
  }

  stop(): void {
    this.#isRunning = false;
    clearTimeout(this.#timer);
  }

  get #state(): 'running' | 'waiting' {
    return this.#waiting > 0 ? 'waiting' : 'running';
  }

  #change(waiting: 1 | -1): void {
    if (!this.#isRunning) {
      this.#waiting += waiting;
      return;
    }
    clearTimeout(this.#timer);
    this.#remainingMs[this.#state] -= performance.now() - this.#since;
    this.#waiting += waiting;
    this.#count();
  }

  #count(): void {
    const state = this.#state;
    this.#since = performance.now();
    this.#timer = setTimeout(() => this.#onEnd(state), this.#remainingMs[state]);
  }
}
