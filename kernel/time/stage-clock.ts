/** How long the work of one stage may wait for its turn in all, in milliseconds: no call waits for ever. */
export const maxWaitMs = 120_000;

/** The time limit of one stage. It stands still while the work waits for its turn, which has a limit of its own: `maxWaitMs`. */
export class StageClock {
  readonly #remainingMs: { running: number; waiting: number };
  readonly #onEnd: (state: 'running' | 'waiting') => void;
  /** How much of the work waits. */
  #waiting = 0;
  #since = 0;
  #timer: NodeJS.Timeout | undefined;
  /** It runs from the moment in which somebody waits for the work. */
  #isRunning = false;

  constructor(limitMs: number, onEnd: (state: 'running' | 'waiting') => void) {
    this.#remainingMs = { running: limitMs, waiting: maxWaitMs };
    this.#onEnd = onEnd;
  }

  start(): void {
    this.#isRunning = true;
    this.#count();
  }

  /** Until what it returns is called; a second time that does nothing. */
  pause(): () => void {
    this.#change(1);
    let isOver = false;
    return () => {
      if (!isOver) this.#change(-1);
      isOver = true;
    };
  }

  /** Ends what is over its time and was not told so: a process that was held up runs what waited for it before its timers. */
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
