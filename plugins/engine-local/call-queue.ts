import type { StateEntry, StateStore } from '../../kernel/index.ts';
import { behindLine, type QueueKey, readQueueKey } from './queue-keys.ts';

export interface QueueEntry extends QueueKey {
  readonly key: string;
}

export interface CallQueueOptions {
  readonly state: StateStore;
  /** True when this worker runs calls of the tool. */
  readonly takes: (tool: string) => boolean;
  /** Maximum number of prefetched calls of each caller. They are taken in random order, so that processes with the same prefetch seldom collide. */
  readonly ahead: number;
}

/** Sizes of the first page and of the others: the first page usually suffices. */
const pageSizes = [50, 200] as const;

/** Maximum number of pages in one read that has found a call. The next read continues after them. */
const mostPages = 4;

/** Time for which a read stays valid, in milliseconds: it misses callers that were added since. */
const freshMs = 1000;

/** Delays until a call that could not be taken is tried again, first and later, in milliseconds. The first is short: its submission may be in progress. */
const restsMs = [25, 1000] as const;

/**
 * The waiting calls of one worker: those that may run now, in rotation over the callers, and for each caller roughly the longest waiting first.
 * A read takes the first calls of a caller and skips the rest, so that a caller with many calls does not delay the others.
 */
export class CallQueue {
  readonly #options: CallQueueOptions;
  /** Entries by caller, then by key. The next caller is first; no inner map is empty. */
  readonly #ready = new Map<string, Map<string, QueueEntry>>();
  /** Keys that this worker has taken, even while their entries still exist. */
  readonly #taken = new Set<string>();
  readonly #resting = new Map<string, { readonly until: number; readonly times: number }>();
  #nextAt = Number.POSITIVE_INFINITY;
  #readAt = Number.NEGATIVE_INFINITY;
  /** Cursor of the next read. Empty: from the beginning. */
  #behind = '';

  constructor(options: CallQueueOptions) {
    this.#options = options;
  }

  /** Time at which a postponed or future call may be ready, epoch ms. */
  get nextAt(): number {
    return Math.min(this.#nextAt, ...[...this.#resting.values()].map(({ until }) => until));
  }

  /** Takes a call out of the queue; undefined when none is ready. The worker must pass its key to `done` later. */
  async next(): Promise<QueueEntry | undefined> {
    if (this.#ready.size === 0 || performance.now() - this.#readAt > freshMs) await this.#read();
    const [first] = this.#ready;
    if (first === undefined) return undefined;
    const [line, own] = first;
    const entries = [...own.values()];
    const entry = entries[Math.floor(Math.random() * entries.length)] as QueueEntry;
    own.delete(entry.key);
    this.#ready.delete(line);
    if (own.size > 0) this.#ready.set(line, own);
    this.#taken.add(entry.key);
    return entry;
  }

  /** Releases a key: its call has run, is taken by another process, or is postponed. */
  done(key: string): void {
    this.#taken.delete(key);
  }

  /** Drops a changed entry: usually another process has taken the call. */
  changed(key: string): void {
    const line = readQueueKey(key)?.line ?? '';
    const own = this.#ready.get(line);
    if (own?.delete(key) === true && own.size === 0) this.#ready.delete(line);
    this.#resting.delete(key);
  }

  /** Postpones a call that cannot be taken now. */
  rest(key: string): void {
    const times = this.#resting.get(key)?.times ?? 0;
    this.#resting.set(key, { until: Date.now() + (restsMs[times] ?? restsMs[1]), times: times + 1 });
  }

  /** Reads at most one round through the queue, from the cursor on. */
  async #read(): Promise<void> {
    const { state, ahead } = this.#options;
    const begin = this.#behind;
    this.#nextAt = Number.POSITIVE_INFINITY;
    this.#readAt = performance.now();
    this.#ready.clear();
    let isRound = begin === '';
    for (let pages = 1; ; pages++) {
      const limit = pages === 1 ? Math.max(pageSizes[0], ahead) : pageSizes[1];
      const page = await state.list('queue/', { limit, ...(this.#behind === '' ? {} : { after: this.#behind }) });
      this.#behind = this.#take(page);
      const isEnd = page.length < limit;
      if (isEnd) this.#behind = '';
      if (isRound && (isEnd || (begin !== '' && this.#behind >= begin))) break;
      isRound ||= isEnd;
      if (this.#ready.size >= ahead || (this.#ready.size > 0 && pages >= mostPages)) break;
    }
    this.#beginAnywhere();
  }

  /** Adds the ready entries of a page. Returns the key after which the next page begins. */
  #take(page: readonly StateEntry[]): string {
    const { takes, ahead } = this.#options;
    const now = Date.now();
    let passed = '';
    let behind = '';
    for (const { key, value } of page) {
      const entry = readQueueKey(key);
      behind = key;
      if (entry === undefined) continue;
      const { line, runAt } = entry;
      if (line !== passed && runAt > now) {
        this.#nextAt = Math.min(this.#nextAt, runAt);
        passed = line;
      } else if (line !== passed && takes(value) && !this.#taken.has(key) && !this.#isResting(key, now)) {
        const own = this.#ready.get(line) ?? new Map<string, QueueEntry>();
        this.#ready.set(line, own.set(key, { key, ...entry }));
        if (own.size >= ahead) passed = line;
      }
      if (line === passed) behind = behindLine(line);
    }
    return behind;
  }

  /** Rotates the callers by a random number, so that processes with the same read begin with different callers. */
  #beginAnywhere(): void {
    const lines = [...this.#ready];
    for (const [line, own] of lines.slice(0, Math.floor(Math.random() * lines.length))) {
      this.#ready.delete(line);
      this.#ready.set(line, own);
    }
  }

  #isResting(key: string, now: number): boolean {
    const resting = this.#resting.get(key);
    return resting !== undefined && resting.until > now;
  }
}
