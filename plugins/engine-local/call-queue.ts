import type { StateEntry, StateStore } from '../../kernel/index.ts';
import { behindLine, type QueueKey, readQueueKey } from './queue-keys.ts';

export interface QueueEntry extends QueueKey {
  readonly key: string;
}

export interface CallQueueOptions {
  readonly state: StateStore;
  /** Whether a call of this tool is taken. */
  readonly takes: (tool: string) => boolean;
  /** So many of a caller are read ahead, and taken in any order: several processes that read the same seldom want the same one. */
  readonly ahead: number;
}

/** Of the first page and the others: as a rule the first one has enough. */
const pageSizes = [50, 200] as const;

/** Pages of one reading, where it has found something by then. The next one goes on behind. */
const mostPages = 4;

/** What was read counts for so long, in milliseconds: who has come since then is not in it. */
const freshMs = 1000;

/** What is not to be had yet is looked at again after so long, in milliseconds: first soon, for who has just put it there may not be done. */
const restsMs = [25, 1000] as const;

/**
 * The calls that wait, as one worker sees them: those that may run now, of the callers in turn, and of each caller the longest waiting first,
 * roughly. A reading takes the first ones of a caller and passes over the others: who has many keeps nobody waiting.
 */
export class CallQueue {
  readonly #options: CallQueueOptions;
  /** By line of a caller, the one whose turn it is first, then by key. None is empty. */
  readonly #ready = new Map<string, Map<string, QueueEntry>>();
  /** Keys of what this worker has taken out, whether the entry is gone yet or not. */
  readonly #taken = new Set<string>();
  readonly #resting = new Map<string, { readonly until: number; readonly times: number }>();
  #nextAt = Number.POSITIVE_INFINITY;
  #readAt = Number.NEGATIVE_INFINITY;
  /** Behind it the next reading begins. Empty: at the front. */
  #behind = '';

  constructor(options: CallQueueOptions) {
    this.#options = options;
  }

  /** When there may be something that could not be had yet, epoch ms. */
  get nextAt(): number {
    return Math.min(this.#nextAt, ...[...this.#resting.values()].map(({ until }) => until));
  }

  /** Takes one out that nobody had taken when it was read. To be given back by `done`. */
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

  /** It was made, is another's, or rests. */
  done(key: string): void {
    this.#taken.delete(key);
  }

  /** It has changed: as a rule, somebody has taken it. */
  changed(key: string): void {
    const line = readQueueKey(key)?.line ?? '';
    const own = this.#ready.get(line);
    if (own?.delete(key) === true && own.size === 0) this.#ready.delete(line);
    this.#resting.delete(key);
  }

  /** It is there, but cannot be taken now. */
  rest(key: string): void {
    const times = this.#resting.get(key)?.times ?? 0;
    this.#resting.set(key, { until: Date.now() + (restsMs[times] ?? restsMs[1]), times: times + 1 });
  }

  /** Goes round once at most, from where the last reading has ended. */
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

  /** Gives the key behind which there may be more to take. */
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

  /** Several processes that read the same begin with different callers. */
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
