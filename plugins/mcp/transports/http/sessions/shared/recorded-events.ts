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

/** Record of one log's events in the store, written in order. Events that arrive during a write are written together. */
export interface EventRecord {
  add(stream: string, event: RecordedEvent): void;
  /** Removes an event that the log has dropped. */
  drop(number: number): void;
  /** Resolves when all events so far are written, or have failed. */
  written(): Promise<void>;
}

/** Opens the record of one log. `prefix`: prefix of the log's keys. */
export function recordEvents(state: StateStore, prefix: string, logger: Pick<Logger, 'warn'>): EventRecord {
  /** Key of the batch by event number, with the number of its remaining events. */
  const batches = new Map<number, { readonly key: string; left: number }>();
  let waiting: Waiting[] = [];
  let writing: Promise<void> | undefined;

  const write = async (): Promise<void> => {
    for (let batch = takeBatch(waiting); batch.length > 0; batch = takeBatch(waiting)) {
      const [{ stream, number }] = batch as [Waiting];
      const key = `${prefix}${stream}/${String(number).padStart(15, '0')}`;
      const kept = { key, left: batch.length };
      for (const event of batch) batches.set(event.number, kept);
      const value = JSON.stringify(batch.map((event) => [event.number, event.text, event.isLast]));
      await state.set(key, value, { ttlMs: eventTtlMs }).catch((error: unknown) => {
        logger.warn(`an event cannot be repeated by other processes, because it was not recorded: ${messageOf(error)}`);
      });
    }
    writing = undefined;
  };

  return {
    add(stream, event) {
      waiting.push({ stream, ...event });
      writing ??= write();
    },
    drop(number) {
      waiting = waiting.filter((event) => event.number !== number);
      const batch = batches.get(number);
      batches.delete(number);
      if (batch === undefined || --batch.left > 0) return;
      void state.delete(batch.key).catch(() => {});
    },
    async written() {
      await writing;
    },
  };
}

/** Takes the next events of one stream. */
function takeBatch(waiting: Waiting[]): readonly Waiting[] {
  const [first] = waiting;
  let characters = 0;
  const isOther = ({ stream, text }: Waiting): boolean => {
    characters += text.length;
    return stream !== first?.stream || (characters > maxBatchChars && characters > text.length);
  };
  const end = waiting.findIndex(isOther);
  return waiting.splice(0, end === -1 ? waiting.length : end);
}

/** Returns the new events since the last read. Rejects when the store cannot be reached. */
export type ReadRecorded = () => Promise<readonly RecordedEvent[]>;

/**
 * Returns a function that reads the recorded events of a stream step by step. Their log may belong to another process. `prefix`: prefix of
 * the log's keys. `last`: number of the last known event.
 */
export function recordedReader(state: StateStore, prefix: string, stream: string, last: number): ReadRecorded {
  let known = last;
  let lastKey: string | undefined;
  return async () => {
    const found: RecordedEvent[] = [];
    for (let isMore = true; isMore; ) {
      const page = await state.list(`${prefix}${stream}/`, { limit: pageSize, ...(lastKey === undefined ? {} : { after: lastKey }) });
      for (const { key, value } of page) {
        lastKey = key;
        // Own text: a record of the store.
        for (const [number, text, isLast] of JSON.parse(value) as [number, string, boolean][])
          if (number > known) found.push({ number, text, isLast });
      }
      isMore = page.length === pageSize;
    }
    known = found.at(-1)?.number ?? known;
    return found;
  };
}
