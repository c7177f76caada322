import type { ToolkitError } from '../../../kernel/index.ts';
import type { StoredValues } from './remote-store.ts';
import { SharedRun } from './shared-run.ts';
import { isOutage } from './store-failure.ts';

export interface Reading {
  readonly values: StoredValues;
  /** How long they may be used, in milliseconds; at least `shortestMs`. */
  readonly ttlMs: number;
  /** Set when they are old, because the store could not be asked. */
  readonly stale?: { readonly ageMs: number; readonly failure: ToolkitError };
}

/** The store is not asked more often than this, whatever is wanted. */
const shortestMs = 1000;

/** How long old values serve before the store is asked again. */
const staleMs = 30_000;

/**
 * The values of the last read. When the store cannot be asked they serve on; when it refuses, they are dropped. The outcome of a read
 * stands for `shortestMs`, failures too.
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

  /** Throws what the read threw, when no values may serve. `isFresh`: values that are still good are not good enough. */
  async read(isFresh: boolean, signal: AbortSignal): Promise<Reading> {
    if (!this.#stands(isFresh)) await this.#run.join(signal);
    if (this.#values === undefined) throw this.#failure;
    const { values, readAt } = this.#values;
    const now = this.#now();
    return {
      values,
      ttlMs: Math.max(shortestMs, this.#usableUntil - now),
      ...(isOutage(this.#failure) ? { stale: { ageMs: now - readAt, failure: this.#failure } } : {}),
    };
  }

  #stands(isFresh: boolean): boolean {
    const sinceMs = this.#now() - this.#attemptedAt;
    // A clock that was set back says nothing.
    if (sinceMs < 0) return false;
    if (sinceMs < shortestMs) return true;
    return !isFresh && this.#values !== undefined && this.#usableUntil - this.#now() >= shortestMs;
  }

  async #attempt(read: (signal: AbortSignal) => Promise<StoredValues>, signal: AbortSignal): Promise<void> {
    let outcome: { readonly values: StoredValues } | { readonly failure: unknown };
    try {
      outcome = { values: await read(signal) };
    } catch (failure) {
      // Nobody waits for it any more.
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
    if (isOutage(outcome.failure)) this.#usableUntil = now + Math.min(this.#ttlMs, staleMs);
    else this.#values = undefined;
  }
}
