import { type HookContext, type Logger, type SecretSink, ToolkitError } from '../../../kernel/index.ts';
import { Notices } from './notices.ts';
import { readWithTimeout } from './read-with-timeout.ts';
import type { RemoteOptions } from './remote-options.ts';
import type { RemoteStore } from './remote-store.ts';
import { storedValue } from './stored-value.ts';
import { type Reading, ValueCache } from './value-cache.ts';

/** Caches the values of a remote store and provides them to the kernel: `NAME` first, then `TOOLKIT_NAME`. Concurrent calls share one read. */
export class RemoteSecrets {
  readonly #cache: ValueCache;
  readonly #notices: Notices;
  readonly #onError: 'fail' | 'skip';
  readonly #closing = new AbortController();
  readonly #closingMessage: string;

  constructor(store: RemoteStore, { ttlMs = 300_000, timeoutMs = 5000, onError = 'fail' }: RemoteOptions) {
    const read = (signal: AbortSignal) => readWithTimeout(store, timeoutMs, AbortSignal.any([signal, this.#closing.signal]));
    this.#cache = new ValueCache(read, ttlMs, () => Date.now());
    this.#notices = new Notices(store.label);
    this.#onError = onError;
    this.#closingMessage = store.closingMessage;
  }

  /**
   * Resolves the missing secrets; used in the hook `resolveSecrets`. Throws what the read threw, unless stale values serve or failures are
   * skipped.
   */
  async resolve(sink: SecretSink, { signal, logger }: HookContext): Promise<void> {
    if (sink.missing.length === 0) return;
    const reading = await this.#read(sink.isFresh, signal, logger);
    if (reading === undefined) return;
    this.#notices.reading(logger, reading);
    for (const name of sink.missing) {
      const stored = storedValue(reading.values, name);
      if (stored.kind === 'value') sink.provide(name, stored.value, reading.ttlMs);
      if (stored.kind === 'problem') this.#notices.problem(logger, name, stored.problem);
    }
  }

  /** Aborts a running read. Later reads fail too. */
  close(): void {
    this.#closing.abort(new ToolkitError('ABORTED', this.#closingMessage));
  }

  async #read(isFresh: boolean, signal: AbortSignal, logger: Logger): Promise<Reading | undefined> {
    try {
      return await this.#cache.read(isFresh, signal);
    } catch (error) {
      const isEnding = signal.aborted || this.#closing.signal.aborted;
      if (this.#onError === 'fail' || isEnding || !ToolkitError.is(error)) throw error;
      this.#notices.skipped(logger, error);
      return undefined;
    }
  }
}
