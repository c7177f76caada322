import type { StateEntry, StateStore } from '../../kernel/index.ts';
import { keyAfterCaller, type QueueKey, readQueueKey } from '../shared/calls/queue-keys.ts';

export interface QueueEntry extends QueueKey {
  readonly key: string;
}

export interface WaitingCallsOptions {
  readonly state: StateStore;
  /** True when this worker runs calls of the tool. */
  readonly acceptsTool: (tool: string) => boolean;
  /** Maximum number of prefetched calls of each caller. They are taken in random order, so that processes with the same prefetch seldom collide. */
  readonly prefetch: number;
}

/** Sizes of the first page and of the others: the first page usually suffices. */
const pageSizes = [50, 200] as const;

/** Maximum number of pages in one read that has found a call. The next read continues after them. */
const maxPages = 4;

/** Time for which a read stays valid, in milliseconds: it misses callers that were added since. */
const readTtlMs = 1000;

/** Delays until a call that could not be taken is tried again, first and later, in milliseconds. The first is short: its submission may be in progress. */
const retryDelaysMs = [25, 1000] as const;

/**
 * The waiting calls of one worker: those that may run now, in rotation over the callers, and for each caller roughly the longest waiting first.
 * A read takes the first calls of a caller and skips the rest, so that a caller with many calls does not delay the others.
 */
export class WaitingCalls {
  readonly #options: WaitingCallsOptions;
  /** Entries by caller, then by key. The next caller is first; no inner map is empty. */
  readonly #ready = new Map<string, Map<string, QueueEntry>>();
  /** Keys that this worker has taken, even while their entries still exist. */
  readonly #taken = new Set<string>();
  readonly #postponed = new Map<string, { readonly retryAt: number; readonly times: number }>();
  #nextAt = Number.POSITIVE_INFINITY;
  #readAt = Number.NEGATIVE_INFINITY;
  /** Cursor of the next read. Empty: from the beginning. */
  #cursor = '';

  constructor(options: WaitingCallsOptions) {
    this.#options = options;
  }

  /** Time at which a postponed or future call may be ready, epoch ms. */
  get nextAt(): number {
    return Math.min(this.#nextAt, ...[...this.#postponed.values()].map(({ retryAt }) => retryAt));
  }

  /** Takes a call out of the queue; undefined when none is ready. The worker must pass its key to `done` later. */
  async next(): Promise<QueueEntry | undefined> {
    if (this.#ready.size === 0 || performance.now() - this.#readAt > readTtlMs) await this.#read();
    const [first] = this.#ready;
    if (first === undefined) return undefined;
    const [callerHash, entriesOfCaller] = first;
    const entries = [...entriesOfCaller.values()];
    const entry = entries[Math.floor(Math.random() * entries.length)] as QueueEntry;
    entriesOfCaller.delete(entry.key);
    this.#ready.delete(callerHash);
    if (entriesOfCaller.size > 0) this.#ready.set(callerHash, entriesOfCaller);
    this.#taken.add(entry.key);
    return entry;
  }

  /** Releases a key: its call has run, is taken by another process, or is postponed. */
  release(key: string): void {
    this.#taken.delete(key);
  }

  /** Drops a changed entry: usually another process has taken the call. */
  onChange(key: string): void {
    const callerHash = readQueueKey(key)?.callerHash ?? '';
    const entriesOfCaller = this.#ready.get(callerHash);
    if (entriesOfCaller?.delete(key) === true && entriesOfCaller.size === 0) this.#ready.delete(callerHash);
    this.#postponed.delete(key);
  }

  /** Postpones a call that cannot be taken now. */
  postpone(key: string): void {
    const times = this.#postponed.get(key)?.times ?? 0;
    this.#postponed.set(key, { retryAt: Date.now() + (retryDelaysMs[times] ?? retryDelaysMs[1]), times: times + 1 });
  }

  /** Reads at most one round through the queue, from the cursor on. */
  async #read(): Promise<void> {
    const { state, prefetch } = this.#options;
    const begin = this.#cursor;
    this.#nextAt = Number.POSITIVE_INFINITY;
    this.#readAt = performance.now();
    this.#ready.clear();
    let isRound = begin === '';
    for (let pages = 1; ; pages++) {
      const limit = pages === 1 ? Math.max(pageSizes[0], prefetch) : pageSizes[1];
      const page = await state.list('queue/', { limit, ...(this.#cursor === '' ? {} : { after: this.#cursor }) });
      this.#cursor = this.#addPage(page);
      const isEnd = page.length < limit;
      if (isEnd) this.#cursor = '';
      if (isRound && (isEnd || (begin !== '' && this.#cursor >= begin))) break;
      isRound ||= isEnd;
      if (this.#ready.size >= prefetch || (this.#ready.size > 0 && pages >= maxPages)) break;
    }
    this.#rotateCallers();
  }

  /** Adds the ready entries of a page. Returns the key after which the next page begins. */
  #addPage(page: readonly StateEntry[]): string {
    const { acceptsTool, prefetch } = this.#options;
    const now = Date.now();
    let skippedCaller = '';
    let cursor = '';
    for (const { key, value } of page) {
      const entry = readQueueKey(key);
      cursor = key;
      if (entry === undefined) continue;
      const { callerHash, runAt } = entry;
      if (callerHash !== skippedCaller && runAt > now) {
        this.#nextAt = Math.min(this.#nextAt, runAt);
        skippedCaller = callerHash;
      } else if (callerHash !== skippedCaller && acceptsTool(value) && !this.#taken.has(key) && !this.#isPostponed(key, now)) {
        const entriesOfCaller = this.#ready.get(callerHash) ?? new Map<string, QueueEntry>();
        this.#ready.set(callerHash, entriesOfCaller.set(key, { key, ...entry }));
        if (entriesOfCaller.size >= prefetch) skippedCaller = callerHash;
      }
      if (callerHash === skippedCaller) cursor = keyAfterCaller(callerHash);
    }
    return cursor;
  }

  /** Rotates the callers by a random number, so that processes with the same read begin with different callers. */
  #rotateCallers(): void {
    const callers = [...this.#ready];
    for (const [callerHash, entriesOfCaller] of callers.slice(0, Math.floor(Math.random() * callers.length))) {
      this.#ready.delete(callerHash);
      this.#ready.set(callerHash, entriesOfCaller);
    }
  }

  #isPostponed(key: string, now: number): boolean {
    const postponed = this.#postponed.get(key);
    return postponed !== undefined && postponed.retryAt > now;
  }
}
