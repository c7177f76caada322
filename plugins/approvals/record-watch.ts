import { type Logger, messageOf, ToolkitError } from '../../kernel/index.ts';
import type { ChangeNotifier } from '../shared/calls/change-notifier.ts';

const records = 'record/';

/** Delay before a store that could not be reached is tried again, in milliseconds. */
const retryDelayMs = 2000;

export interface RecordWatchParts {
  readonly changes: Pick<ChangeNotifier<typeof records>, 'open' | 'on'>;
  readonly logger: Pick<Logger, 'warn'>;
}

/** Reports that records have changed, whichever process changed them. Watches the store from the first listener on. */
export class RecordWatch {
  readonly #changes: RecordWatchParts['changes'];
  readonly #logger: RecordWatchParts['logger'];
  readonly #listeners = new Set<() => void>();
  #stop: (() => void) | undefined;
  #isRetrying = false;
  #timer: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor({ changes, logger }: RecordWatchParts) {
    this.#changes = changes;
    this.#logger = logger;
  }

  /**
   * Calls `onChange` once for the changes of a turn. Resolves to a function that ends it, when changes are reported, or the store cannot be reached: then
   * it is tried again, and `onChange` is called once it can. Rejects where trying again does not help.
   */
  async watch(onChange: () => void): Promise<() => Promise<void>> {
    const report = this.#coalesced(onChange);
    this.#listeners.add(report);
    this.#stop ??= this.#changes.on(records, () => this.#report());
    try {
      await this.#changes.open(records);
    } catch (error) {
      if (!isRetryable(error) || this.#isClosed) {
        this.#listeners.delete(report);
        throw error;
      }
      if (!this.#isRetrying) this.#logger.warn(`changes of approvals are not reported until their store can be used: ${messageOf(error)}`);
      this.#retryLater();
    }
    return async () => void this.#listeners.delete(report);
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    this.#stop?.();
    this.#listeners.clear();
  }

  #coalesced(onChange: () => void): () => void {
    let isPlanned = false;
    const report = (): void => {
      if (isPlanned) return;
      isPlanned = true;
      setImmediate(() => {
        isPlanned = false;
        if (!this.#listeners.has(report)) return;
        try {
          onChange();
        } catch (error) {
          this.#logger.warn(`a listener for changes of approvals failed: ${messageOf(error)}`);
        }
      });
    };
    return report;
  }

  #report(): void {
    for (const report of this.#listeners) report();
  }

  #retryLater(): void {
    if (this.#isRetrying) return;
    this.#isRetrying = true;
    this.#timer = setTimeout(() => void this.#retry(), retryDelayMs).unref();
  }

  async #retry(): Promise<void> {
    try {
      await this.#changes.open(records);
      this.#isRetrying = false;
      // Changes of the time without a watch are unknown.
      this.#report();
    } catch (error) {
      this.#isRetrying = false;
      if (this.#isClosed) return;
      if (isRetryable(error)) this.#retryLater();
      else this.#logger.warn(`changes of approvals are not reported: ${messageOf(error)}`);
    }
  }
}

function isRetryable(error: unknown): boolean {
  return ToolkitError.is(error) && error.retryable;
}
