import type { StateStore } from '../../kernel/index.ts';
import { readQueueKey } from './call-keys.ts';

export interface QueueEntry {
  readonly key: string;
  readonly runAt: number;
  readonly place: string;
}

export interface CallQueueOptions {
  readonly state: StateStore;
  /** Whether a call of this tool is taken. */
  readonly takes: (tool: string) => boolean;
  /** So many are read ahead, and taken in any order: several processes that read the same seldom want the same one. */
  readonly ahead: number;
}

const pageSize = 200;

/** What is not to be had yet is looked at again after so long, in milliseconds: first soon, for who has just put it there may not be done. */
const restsMs = [25, 1000] as const;

/** The calls that wait, as one worker sees them: those that may run now, the longest waiting first, roughly. */
export class CallQueue {
  readonly #options: CallQueueOptions;
  readonly #ready = new Map<string, QueueEntry>();
  /** Keys of what this worker has taken out, whether the entry is gone yet or not. */
  readonly #taken = new Set<string>();
  readonly #resting = new Map<string, { readonly until: number; readonly times: number }>();
  #nextAt = Number.POSITIVE_INFINITY;

  constructor(options: CallQueueOptions) {
    this.#options = options;
  }

  /** When there may be something that could not be had yet, epoch ms. */
  get nextAt(): number {
    return Math.min(this.#nextAt, ...[...this.#resting.values()].map(({ until }) => until));
  }

  /** Takes one out that nobody had taken when it was read. To be given back by `done`. */
  async next(): Promise<QueueEntry | undefined> {
    if (this.#ready.size === 0) await this.#read();
    const entries = [...this.#ready.values()];
    const entry = entries[Math.floor(Math.random() * entries.length)];
    if (entry !== undefined) this.#take(entry);
    return entry;
  }

  #take({ key }: QueueEntry): void {
    this.#ready.delete(key);
    this.#taken.add(key);
  }

  /** It was made, is another's, or rests. */
  done(key: string): void {
    this.#taken.delete(key);
  }

  /** It has changed: as a rule, somebody has taken it. */
  changed(key: string): void {
    this.#ready.delete(key);
    this.#resting.delete(key);
  }

  /** It is there, but cannot be taken now. */
  rest(key: string): void {
    const times = this.#resting.get(key)?.times ?? 0;
    this.#resting.set(key, { until: Date.now() + (restsMs[times] ?? restsMs[1]), times: times + 1 });
  }

  async #read(): Promise<void> {
    const { state, takes, ahead } = this.#options;
    const now = Date.now();
    this.#nextAt = Number.POSITIVE_INFINITY;
    for (let after: string | undefined; this.#ready.size < ahead; ) {
      const page = await state.list('queue/', { limit: pageSize, ...(after === undefined ? {} : { after }) });
      for (const { key, value } of page) {
        const entry = readQueueKey(key);
        if (entry === undefined) continue;
        if (entry.runAt > now) {
          this.#nextAt = entry.runAt;
          return;
        }
        if (takes(value) && !this.#taken.has(key) && !this.#isResting(key, now) && this.#ready.size < ahead)
          this.#ready.set(key, { key, ...entry });
      }
      after = page.at(-1)?.key;
      if (page.length < pageSize) return;
    }
  }

  #isResting(key: string, now: number): boolean {
    const resting = this.#resting.get(key);
    return resting !== undefined && resting.until > now;
  }
}
