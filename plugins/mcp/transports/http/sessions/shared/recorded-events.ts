import { type Logger, messageOf, type StateStore } from '../../../../../../kernel/index.ts';

/** How long events are kept for a client that comes back to another process, in milliseconds. */
const keptMs = 10 * 60_000;

/** Characters that are written at once, where several events wait. */
const mostAtOnce = 256 * 1024;

/** Batches that are read at once. */
const pageSize = 100;

/** An event as other processes find it. */
export interface RecordedEvent {
  readonly number: number;
  /** JSON; empty for the end of a stream that has no answer. */
  readonly text: string;
  /** Nothing follows on its stream. */
  readonly isLast: boolean;
}

interface Waiting extends RecordedEvent {
  readonly stream: string;
}

/** Writes what one log holds into the store, in its order: what comes while something is written is written together. */
export class RecordedEvents {
  readonly #state: StateStore;
  readonly #prefix: string;
  readonly #logger: Pick<Logger, 'warn'>;
  /** By the number of an event, the key where it is, with those that are there as well. */
  readonly #batches = new Map<number, { readonly key: string; left: number }>();
  #waiting: Waiting[] = [];
  #writing: Promise<void> | undefined;

  /** `prefix`: of the keys of this log. */
  constructor(state: StateStore, prefix: string, logger: Pick<Logger, 'warn'>) {
    this.#state = state;
    this.#prefix = prefix;
    this.#logger = logger;
  }

  add(stream: string, event: RecordedEvent): void {
    this.#waiting.push({ stream, ...event });
    this.#writing ??= this.#write();
  }

  /** The log has no more room for it. */
  drop(number: number): void {
    this.#waiting = this.#waiting.filter((event) => event.number !== number);
    const batch = this.#batches.get(number);
    this.#batches.delete(number);
    if (batch === undefined || --batch.left > 0) return;
    void this.#state.delete(batch.key).catch(() => {});
  }

  /** Resolves when what was added so far is there, or has failed. */
  async written(): Promise<void> {
    await this.#writing;
  }

  async #write(): Promise<void> {
    for (let batch = this.#take(); batch.length > 0; batch = this.#take()) {
      const [{ stream, number }] = batch as [Waiting];
      const key = `${this.#prefix}${stream}/${String(number).padStart(15, '0')}`;
      const kept = { key, left: batch.length };
      for (const event of batch) this.#batches.set(event.number, kept);
      const value = JSON.stringify(batch.map((event) => [event.number, event.text, event.isLast]));
      await this.#state.set(key, value, { ttlMs: keptMs }).catch((error: unknown) => {
        this.#logger.warn(`an event cannot be repeated by other processes, because it was not recorded: ${messageOf(error)}`);
      });
    }
    this.#writing = undefined;
  }

  /** The next events, of one stream. */
  #take(): readonly Waiting[] {
    const [first] = this.#waiting;
    let characters = 0;
    const isOther = ({ stream, text }: Waiting): boolean => {
      characters += text.length;
      return stream !== first?.stream || (characters > mostAtOnce && characters > text.length);
    };
    const end = this.#waiting.findIndex(isOther);
    return this.#waiting.splice(0, end === -1 ? this.#waiting.length : end);
  }
}

/** Reads what a log, perhaps of another process, has recorded of a stream, from where it has read on. */
export class RecordedStream {
  readonly #state: StateStore;
  readonly #prefix: string;
  #after: number;
  #lastKey: string | undefined;

  /** `prefix`: of the keys of its log. `after`: the number of the last event that is known. */
  constructor(state: StateStore, prefix: string, stream: string, after: number) {
    this.#state = state;
    this.#prefix = `${prefix}${stream}/`;
    this.#after = after;
  }

  /** What came since. Rejects where the store cannot be reached. */
  async next(): Promise<readonly RecordedEvent[]> {
    const found: RecordedEvent[] = [];
    for (let isMore = true; isMore; ) {
      const after = this.#lastKey === undefined ? {} : { after: this.#lastKey };
      const page = await this.#state.list(this.#prefix, { limit: pageSize, ...after });
      for (const { key, value } of page) {
        this.#lastKey = key;
        // Own text: a record of the store.
        for (const [number, text, isLast] of JSON.parse(value) as [number, string, boolean][])
          if (number > this.#after) found.push({ number, text, isLast });
      }
      isMore = page.length === pageSize;
    }
    this.#after = found.at(-1)?.number ?? this.#after;
    return found;
  }
}
