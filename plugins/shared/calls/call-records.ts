import { type CallName, type CallResult, type Logger, type StateStore, ToolkitError } from '../../../kernel/index.ts';
import { keys } from './call-keys.ts';
import { type CallRecord, parseRecord } from './call-record.ts';

/** A record as it was read, which may be changed as long as it is still that. */
export interface ReadRecord {
  readonly place: string;
  readonly record: CallRecord;
  readonly text: string;
}

/** A result is kept a little longer than its record, so that nobody reads of one that is gone. */
const resultLongerMs = 60_000;

/** In characters: lists of calls read whole records. */
const mostInRecord = 4096;

export interface CallRecordsOptions {
  readonly state: StateStore;
  /** How long calls are kept that have ended. */
  readonly keepMs: number;
  readonly logger: Logger;
}

/** The records of calls in the store. */
export class CallRecords {
  readonly #state: StateStore;
  readonly #keepMs: number;
  readonly #logger: Logger;
  /** Places of records that a later program has written, which is logged once for each. */
  readonly #later = new Set<string>();

  constructor({ state, keepMs, logger }: CallRecordsOptions) {
    this.#state = state;
    this.#keepMs = keepMs;
    this.#logger = logger;
  }

  /** Undefined where there is none. Throws STATE_UNAVAILABLE for one of a later version. */
  async at(place: string): Promise<ReadRecord | undefined> {
    const text = await this.#state.get(keys.call(place));
    if (text === undefined) return undefined;
    const read = this.#parsed(place, text);
    if (read !== undefined) return read;
    throw new ToolkitError(
      'STATE_UNAVAILABLE',
      'The record of this call was written by a later version of this program. Install that one.',
      { retryable: false },
    );
  }

  /** Throws NOT_FOUND. */
  async of(name: CallName): Promise<ReadRecord> {
    const place = await this.#state.get(keys.place(name));
    const found = place === undefined ? undefined : await this.at(place);
    if (found !== undefined) return found;
    throw new ToolkitError(
      'NOT_FOUND',
      `The caller "${name.caller}" has no durable call "${name.id}": it was never made, or it ended so long ago that it is not kept any more.`,
    );
  }

  /** A page in the order of places, those of later versions left out. `last`: the last place that was looked at. */
  async page(after: string | undefined, limit: number): Promise<{ readonly found: readonly ReadRecord[]; readonly last?: string }> {
    const prefix = keys.call('');
    const entries = await this.#state.list(prefix, { limit, ...(after === undefined ? {} : { after: prefix + after }) });
    const found = entries.flatMap(({ key, value }) => this.#parsed(key.slice(prefix.length), value) ?? []);
    const last = entries.length < limit ? undefined : entries.at(-1)?.key.slice(prefix.length);
    return { found, ...(last === undefined ? {} : { last }) };
  }

  /** Writes the record where there was none. */
  add(place: string, record: CallRecord): Promise<boolean> {
    return this.#state.compareAndSet(keys.call(place), undefined, JSON.stringify(record));
  }

  /** Writes the record in place of what was read. Undefined where it was not that any more. */
  async replace({ place, text: before }: ReadRecord, record: CallRecord): Promise<ReadRecord | undefined> {
    const text = JSON.stringify(record);
    const isMine = await this.#state.compareAndSet(keys.call(place), before, text);
    return isMine ? { place, record, text } : undefined;
  }

  /** Writes how the call ended, in place of what was read, for as long as ended calls are kept. Undefined where it was not that any more. */
  async end({ place, text: before, record: was }: ReadRecord, end: Partial<CallRecord>): Promise<ReadRecord | undefined> {
    const { by: _by, question: _question, isCancelled: _cancel, ...rest } = was;
    const record = { ...rest, ...end, endedAt: Date.now() };
    const text = JSON.stringify(record);
    const isMine = await this.#state.compareAndSet(keys.call(place), before, text, { ttlMs: this.#keepMs });
    if (!isMine) return undefined;
    await this.forgetOpen(place, record);
    return { place, record, text };
  }

  /** What belongs to calls that have not ended. */
  async forgetOpen(place: string, record: CallRecord): Promise<void> {
    await Promise.all([
      this.#state.delete(keys.open(record.caller, place)),
      this.#state.set(keys.place(record), place, { ttlMs: this.#keepMs }),
    ]);
  }

  async result({ place, record: { result, resultOf } }: ReadRecord): Promise<CallResult | undefined> {
    if (result !== undefined) return result;
    const text = resultOf === undefined ? undefined : await this.#state.get(keys.result(place, resultOf));
    return text === undefined ? undefined : (JSON.parse(text) as CallResult);
  }

  /** What the record of a call that completes has of its result: what is large is kept beside it, before that. */
  async keepResult(place: string, attempt: number, result: CallResult, text: string): Promise<Partial<CallRecord>> {
    if (text.length <= mostInRecord) return { result };
    await this.#state.set(keys.result(place, attempt), text, { ttlMs: this.#keepMs + resultLongerMs });
    return { resultOf: attempt };
  }

  #parsed(place: string, text: string): ReadRecord | undefined {
    const record = parseRecord(text);
    if (!('laterVersion' in record)) return { place, record, text };
    if (!this.#later.has(place))
      this.#logger.warn(`a durable call is left alone, because its record has version ${record.laterVersion}, of a later program`);
    this.#later.add(place);
    return undefined;
  }
}
