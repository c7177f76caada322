import { excerpt, messageOf } from '../errors.ts';
import type { RunningSource, SourceServices } from './running-source.ts';

/** Time without a further change before a source is listed again, in milliseconds. */
const debounceMs = 100;

/** Maximum delay of a listing while changes continue, in milliseconds. */
const maxWaitMs = 2000;

const defaultRetryMs = 5000;

const maxRetryMs = 300_000;

/** Lists one source again: after a change, once for many of them, and after a failure, with growing delays. */
export class SourceWatch {
  readonly #source: RunningSource;
  readonly #services: SourceServices;
  readonly #relist: () => Promise<void>;
  #timer: NodeJS.Timeout | undefined;
  /** Time of the first change that is not listed yet, as `performance.now()`. */
  #changedAt: number | undefined;
  #isListing = false;

  constructor(source: RunningSource, services: SourceServices, relist: () => Promise<void>) {
    this.#source = source;
    this.#services = services;
    this.#relist = relist;
  }

  /** Starts watching. Never throws. */
  start(): void {
    const { closing } = this.#services;
    if (closing.aborted) return;
    closing.addEventListener('abort', () => clearTimeout(this.#timer), { once: true });
    void this.#watch();
    this.#retry();
  }

  async #watch(): Promise<void> {
    const { closing, logger } = this.#services;
    const { source } = this.#source.declared;
    try {
      const end = await source.watch?.((error) => this.#changed(error), { signal: closing, logger });
      if (typeof end !== 'function') return;
      const stop = (): void => {
        try {
          end();
        } catch (error) {
          this.#log('the watch could not be ended', error);
        }
      };
      if (closing.aborted) stop();
      else closing.addEventListener('abort', stop, { once: true });
    } catch (error) {
      this.#log('it cannot be watched, so that changes are seen at a reload', error);
    }
  }

  #changed(error: unknown): void {
    if (this.#services.closing.aborted) return;
    if (error !== undefined) {
      this.#source.fail(error);
      if (!this.#isListing) this.#retry();
      return;
    }
    this.#changedAt ??= performance.now();
    if (this.#isListing) return;
    this.#plan(Math.min(debounceMs, Math.max(0, this.#changedAt + maxWaitMs - performance.now())));
  }

  #retry(): void {
    const { failures, declared } = this.#source;
    if (failures > 0) this.#plan(Math.min(maxRetryMs, (declared.source.retryDelayMs ?? defaultRetryMs) * 2 ** (failures - 1)));
  }

  #plan(delayMs: number): void {
    clearTimeout(this.#timer);
    if (this.#services.closing.aborted) return;
    this.#timer = setTimeout(() => void this.#list(), delayMs);
    // The timer must not keep the process alive.
    this.#timer.unref();
  }

  async #list(): Promise<void> {
    this.#isListing = true;
    this.#changedAt = undefined;
    try {
      await this.#relist();
    } catch (error) {
      this.#log('what it lists could not be taken', error);
    } finally {
      this.#isListing = false;
    }
    if (this.#changedAt !== undefined) this.#plan(debounceMs);
    else this.#retry();
  }

  #log(what: string, error: unknown): void {
    const { name, plugin } = this.#source.declared;
    const said = excerpt(this.#services.mask(messageOf(error)));
    this.#services.logger.warn(`the source "${name}" of plugin "${plugin}": ${what}: ${said}`, { source: name, plugin });
  }
}
