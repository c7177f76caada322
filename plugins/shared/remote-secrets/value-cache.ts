import type { ToolkitError } from '../../../kernel/index.ts';
import type { StoredValues } from './remote-store.ts';
import { SharedRun } from './shared-run.ts';
import { isOutage } from './store-failure.ts';

export interface Reading {
  readonly values: StoredValues;
  /** Time that the values may be used, in milliseconds; at least `minReadIntervalMs`. */
  readonly ttlMs: number;
  /** Set when the values are stale because the store is unreachable. */
  readonly stale?: { readonly ageMs: number; readonly failure: ToolkitError };
}

/** Minimum interval between two reads of the store, in milliseconds. */
const minReadIntervalMs = 1000;

/** Time that stale values serve before the next read, in milliseconds. */
const staleTtlMs = 30_000;

/**
 * Values of the last read. They serve on when the store is unreachable, and are dropped when it refuses. The outcome of a read, even a
 * failure, holds for `minReadIntervalMs`.
 */
export class ValueCache {
  readonly #ttlMs: number;
  readonly #now: () => number;
  readonly #run: SharedRun;
  #values: { readonly values: StoredValues; readonly readAt: number } | undefined;
  #failure: unknown;
  #attemptedAt = Number.NEGATIVE_INFINITY;
  #usableUntil = Number.NEGATIVE_INFINITY;

  constructor(read: (signal: AbortSignal) => Promise<StoredValues>, ttlMs: number, now: () => number) {
    this.#ttlMs = ttlMs;
    this.#now = now;
    this.#run = new SharedRun((signal) => this.#attempt(read, signal));
  }

  /**
   * Returns the cached values, or reads them. `isFresh`: true to read again although the values are still valid. Throws what the read
   * threw, when no values may serve.
   */
  async read(isFresh: boolean, signal: AbortSignal): Promise<Reading> {
    if (!this.#isStillValid(isFresh)) await this.#run.join(signal);
    if (this.#values === undefined) throw this.#failure;
    const { values, readAt } = this.#values;
    const now = this.#now();
    return {
      values,
      ttlMs: Math.max(minReadIntervalMs, this.#usableUntil - now),
      ...(isOutage(this.#failure) ? { stale: { ageMs: now - readAt, failure: this.#failure } } : {}),
    };
  }

  #isStillValid(isFresh: boolean): boolean {
    const sinceMs = this.#now() - this.#attemptedAt;
    // The clock was set back: the age is unknown.
    if (sinceMs < 0) return false;
    if (sinceMs < minReadIntervalMs) return true;
    return !isFresh && this.#values !== undefined && this.#usableUntil - this.#now() >= minReadIntervalMs;
  }

  async #attempt(read: (signal: AbortSignal) => Promise<StoredValues>, signal: AbortSignal): Promise<void> {
    let outcome: { readonly values: StoredValues } | { readonly failure: unknown };
    try {
      outcome = { values: await read(signal) };
    } catch (failure) {
      // No caller waits any more.
      if (signal.aborted) return;
      outcome = { failure };
    }
    const now = this.#now();
    this.#attemptedAt = now;
    if ('values' in outcome) {
      this.#values = { values: outcome.values, readAt: now };
      this.#failure = undefined;
      this.#usableUntil = now + this.#ttlMs;
      return;
    }
    this.#failure = outcome.failure;
    if (isOutage(outcome.failure)) this.#usableUntil = now + Math.min(this.#ttlMs, staleTtlMs);
    else this.#values = undefined;
  }
}
