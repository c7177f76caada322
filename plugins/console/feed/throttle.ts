/** Runs work at most once an interval: at once where nothing ran for so long, else when the interval is over, once for many triggers. */
export class Throttle {
  readonly #intervalMs: number;
  readonly #work: () => void;
  #timer: NodeJS.Timeout | undefined;
  #isTriggered = false;

  constructor(intervalMs: number, work: () => void) {
    this.#intervalMs = intervalMs;
    this.#work = work;
  }

  trigger(): void {
    if (this.#timer !== undefined) this.#isTriggered = true;
    else this.#run();
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#isTriggered = false;
  }

  #run(): void {
    this.#isTriggered = false;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      if (this.#isTriggered) this.#run();
    }, this.#intervalMs).unref();
    this.#work();
  }
}
