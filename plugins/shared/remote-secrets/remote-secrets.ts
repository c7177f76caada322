import { describeValue, excerpt, type HookContext, type Logger, type SecretSink, ToolkitError } from '../../../kernel/index.ts';

/** A store that gives all its values in one read. */
export interface RemoteStore {
  /** At the beginning of a sentence, such as `The AWS secret "shop"`. */
  readonly label: string;
  /** How long values, and the absence of a value, are remembered, in milliseconds. At least 1000. */
  readonly ttlMs: number;
  /** Limit of one read, in milliseconds. It holds also where the read does not listen to its signal. */
  readonly timeoutMs: number;
  /** `skip` logs a failure as a warning and leaves the names to the next resolver. */
  readonly onError: 'fail' | 'skip';
  /**
   * Values by name, as JSON has them. A ToolkitError that is retryable is an outage, in which older values serve on; every other error is
   * a refusal, which ends them.
   */
  read(signal: AbortSignal): Promise<ReadonlyMap<string, unknown>>;
  /** What to do about a read that took too long, as a sentence. */
  adviceWhenLate(): string;
  /** Epoch ms. @default Date.now */
  readonly now?: () => number;
}

/** The store is not asked more often than this, whatever is wanted and whatever it said, in milliseconds. */
const shortestMs = 1000;

/** How long old values serve before the store is asked again, in milliseconds. */
const staleMs = 30_000;

interface Flight {
  readonly done: Promise<void>;
  readonly controller: AbortController;
  waiting: number;
}

/** Remembers what a remote store said, and gives it to the kernel: `NAME` first, then `TOOLKIT_NAME`. One read serves all who wait. */
export class RemoteSecrets {
  readonly #store: RemoteStore;
  readonly #now: () => number;
  readonly #notices = new Set<string>();
  #flight: Flight | undefined;
  #known: { readonly values: ReadonlyMap<string, unknown>; readonly readAt: number } | undefined;
  #failure: unknown;
  #askedAt = Number.NEGATIVE_INFINITY;
  #usableUntil = Number.NEGATIVE_INFINITY;
  #outageNotice: string | undefined;

  constructor(store: RemoteStore) {
    this.#store = store;
    this.#now = store.now ?? Date.now;
  }

  /** What a resolver does in `resolveSecrets`. Throws what the read threw, unless older values serve or failures are skipped. */
  async resolve(sink: SecretSink, { signal, logger }: HookContext): Promise<void> {
    if (sink.missing.length === 0) return;
    try {
      if (!this.#stands(sink.isFresh)) await this.#join(signal);
      if (this.#known === undefined) throw this.#failure;
    } catch (error) {
      if (this.#store.onError === 'fail' || signal.aborted || !ToolkitError.is(error)) throw error;
      return this.#sayOutage(logger, `${error.message} The next resolver is asked.`);
    }
    const { values, readAt } = this.#known;
    const now = this.#now();
    if (ToolkitError.is(this.#failure)) {
      const age = Math.round((now - readAt) / 1000);
      this.#sayOutage(logger, `${this.#failure.message} Until then, values that were read ${age} seconds ago are used.`, 'stale');
    } else if (this.#outageNotice !== undefined) {
      this.#outageNotice = undefined;
      logger.info(`${this.#store.label} can be read again.`);
    }
    for (const name of sink.missing) {
      const found = lookUp(values, name);
      if (found.kind === 'value') sink.provide(name, found.value, Math.max(shortestMs, this.#usableUntil - now));
      if (found.kind === 'problem') this.#sayOnce(logger, `${this.#store.label} ${found.problem}`);
    }
  }

  /** Ends a read that is under way. */
  close(): void {
    this.#flight?.controller.abort(new ToolkitError('ABORTED', `${this.#store.label} is not read to the end: the kernel is closing.`));
  }

  #stands(isFresh: boolean): boolean {
    const sinceMs = this.#now() - this.#askedAt;
    // A clock that was set back says nothing.
    if (sinceMs < 0) return false;
    if (sinceMs < shortestMs) return true;
    return !isFresh && this.#known !== undefined && this.#usableUntil - this.#now() >= shortestMs;
  }

  async #join(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    this.#flight ??= this.#start();
    const flight = this.#flight;
    flight.waiting += 1;
    try {
      await unlessAborted(flight.done, signal);
    } finally {
      flight.waiting -= 1;
      if (flight.waiting === 0) {
        // Whoever asks from now on starts anew, also when the read takes its time to notice.
        if (this.#flight === flight) this.#flight = undefined;
        flight.controller.abort();
      }
    }
  }

  #start(): Flight {
    const controller = new AbortController();
    return { done: this.#ask(controller.signal), controller, waiting: 0 };
  }

  /** Keeps the outcome, failures too. Throws only when nobody waits for it any more, or on close. */
  async #ask(signal: AbortSignal): Promise<void> {
    const limit = new AbortController();
    const timer = setTimeout(() => limit.abort(this.#late()), this.#store.timeoutMs);
    try {
      const within = AbortSignal.any([signal, limit.signal]);
      const values = await unlessAborted(this.#store.read(within), within);
      this.#known = { values, readAt: this.#now() };
      this.#failure = undefined;
      this.#usableUntil = this.#now() + this.#store.ttlMs;
    } catch (error) {
      if (signal.aborted) throw signal.reason;
      this.#failure = error;
      if (ToolkitError.is(error) && error.retryable) this.#usableUntil = this.#now() + Math.min(this.#store.ttlMs, staleMs);
      else this.#known = undefined;
    } finally {
      clearTimeout(timer);
    }
    this.#askedAt = this.#now();
  }

  #late(): ToolkitError {
    const { label, timeoutMs } = this.#store;
    const message = `${label} could not be read within ${timeoutMs} ms. ${this.#store.adviceWhenLate()}`;
    return new ToolkitError('SECRET_STORE_UNAVAILABLE', message, { timeoutMs, retryable: true });
  }

  /** Once per outage: a notice with the same key is not repeated until the store can be read again. */
  #sayOutage(logger: Logger, message: string, key = message): void {
    if (this.#outageNotice !== key) logger.warn(message);
    this.#outageNotice = key;
  }

  #sayOnce(logger: Logger, message: string): void {
    if (this.#notices.has(message)) return;
    this.#notices.add(message);
    logger.warn(message);
  }
}

type Found =
  | { readonly kind: 'value'; readonly value: string }
  | { readonly kind: 'problem'; readonly problem: string }
  | { readonly kind: 'missing' };

/** Whole numbers and booleans become text; what is empty is not there. */
function lookUp(values: ReadonlyMap<string, unknown>, name: string): Found {
  const keys = [name, `TOOLKIT_${name}`];
  const present = keys.filter((key) => ![undefined, null, ''].some((nothing) => values.get(key) === nothing));
  for (const key of present) {
    const value = textOf(values.get(key));
    if (value !== undefined) return { kind: 'value', value };
  }
  const [unusable] = present;
  if (unusable !== undefined) {
    const raw = values.get(unusable);
    const received = typeof raw === 'number' ? 'a number that text alone keeps exactly' : describeValue(raw);
    return { kind: 'problem', problem: `has no usable value for "${unusable}": expected text, received ${received}. Write it as text.` };
  }
  const wanted = keys.map((key) => key.toLowerCase());
  const other = [...values.keys()].find((key) => !keys.includes(key) && wanted.includes(key.toLowerCase()));
  if (other === undefined) return { kind: 'missing' };
  return { kind: 'problem', problem: `has no "${name}", but it has "${excerpt(other, 100)}". Write the name in the same case.` };
}

/** A number that JSON.parse may have changed is no text: `1.10` becomes 1.1, and from 2^53 on digits are lost. */
function textOf(raw: unknown): string | undefined {
  if (typeof raw === 'string') return raw;
  return typeof raw === 'boolean' || Number.isSafeInteger(raw) ? String(raw) : undefined;
}

function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const leave = (): void => reject(signal.reason);
    if (signal.aborted) leave();
    signal.addEventListener('abort', leave, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', leave));
  });
}
