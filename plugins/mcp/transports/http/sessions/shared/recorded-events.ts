import { type Logger, messageOf, type StateStore } from '../../../../../../kernel/index.ts';

/** Lifetime of recorded events, in milliseconds. A client can resume at another process in that time. */
const eventTtlMs = 10 * 60_000;

/** Maximum size of one write of several events, in characters. */
const maxBatchChars = 256 * 1024;

/** Number of batches in one read. */
const pageSize = 100;

/** An event in the shared store. */
export interface RecordedEvent {
  readonly number: number;
  /** JSON; empty for the end of a stream without a response. */
  readonly text: string;
  /** True for the last event of its stream. */
  readonly isLast: boolean;
}

interface Waiting extends RecordedEvent {
  readonly stream: string;
}

/** Writes the events of one log to the store in order. Events that arrive during a write are written together. */
export class RecordedEvents {
  readonly #state: StateStore;
  readonly #prefix: string;
  readonly #logger: Pick<Logger, 'warn'>;
  /** Key of the batch by event number, with the number of its remaining events. */
  readonly #batches = new Map<number, { readonly key: string; left: number }>();
  #waiting: Waiting[] = [];
  #writing: Promise<void> | undefined;

  /** `prefix`: prefix of this log's keys. */
  constructor(state: StateStore, prefix: string, logger: Pick<Logger, 'warn'>) {
    this.#state = state;
    this.#prefix = prefix;
    this.#logger = logger;
  }

  add(stream: string, event: RecordedEvent): void {
    this.#waiting.push({ stream, ...event });
    this.#writing ??= this.#write();
  }

  /** Removes an event that the log has dropped. */
  drop(number: number): void {
    this.#waiting = this.#waiting.filter((event) => event.number !== number);
    const batch = this.#batches.get(number);
    this.#batches.delete(number);
    if (batch === undefined || --batch.left > 0) return;
    void this.#state.delete(batch.key).catch(() => {});
  }

  /** Resolves when all events so far are written, or have failed. */
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
      await this.#state.set(key, value, { ttlMs: eventTtlMs }).catch((error: unknown) => {
        this.#logger.warn(`an event cannot be repeated by other processes, because it was not recorded: ${messageOf(error)}`);
      });
    }
    this.#writing = undefined;
  }

  /** Takes the next events of one stream. */
  #take(): readonly Waiting[] {
    const [first] = this.#waiting;
    let characters = 0;
    const isOther = ({ stream, text }: Waiting): boolean => {
      characters += text.length;
      return stream !== first?.stream || (characters > maxBatchChars && characters > text.length);
    };
    const end = this.#waiting.findIndex(isOther);
    return this.#waiting.splice(0, end === -1 ? this.#waiting.length : end);
  }
}

/** Reads the recorded events of a stream step by step. Their log may belong to another process. */
export class RecordedStream {
  readonly #state: StateStore;
  readonly #prefix: string;
  #after: number;
  #lastKey: string | undefined;

  /** `prefix`: prefix of the log's keys. `after`: number of the last known event. */
  constructor(state: StateStore, prefix: string, stream: string, after: number) {
    this.#state = state;
    this.#prefix = `${prefix}${stream}/`;
    this.#after = after;
  }

  /** Returns the new events since the last read. Rejects when the store cannot be reached. */
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
