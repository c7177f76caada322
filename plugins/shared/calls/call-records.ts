import {
  type CallName,
  type CallResult,
  hasEnded,
  type Logger,
  type StateChange,
  type StateStore,
  type TimeToLive,
  ToolkitError,
} from '../../../kernel/index.ts';
import type { CallFinder } from './call-finder.ts';
import { keys } from './call-keys.ts';
import { type CallRecord, nextRunAt, parseRecord } from './call-record.ts';

/** A record as it was read, which may be changed as long as it is still that. */
export interface ReadRecord {
  readonly place: string;
  readonly record: CallRecord;
  readonly text: string;
}

/** A result is kept a little longer than its record, so that nobody reads of one that is gone. */
const resultLongerMs = 60_000;

/** Of so many names the place is remembered. */
const mostPlaces = 1000;

/** In characters: lists of calls read whole records. */
const mostInRecord = 4096;

export interface AddOptions {
  /** How many calls of its caller have not ended. */
  readonly ahead?: number;
  /** The place that its name has had, where there is no record any more. */
  readonly insteadOf?: string | undefined;
}

export interface CallRecordsOptions {
  readonly finder: () => CallFinder;
  readonly state: StateStore;
  /** How long calls are kept that have ended. */
  readonly keepMs: number;
  readonly logger: Logger;
}

/** The records of calls in the store. */
export class CallRecords {
  readonly #state: StateStore;
  readonly #keepMs: number;
  readonly #finder: () => CallFinder;
  readonly #logger: Logger;
  /** Places of records that a later program has written, which is logged once for each. */
  readonly #later = new Set<string>();
  /** By name, where the last ones were. */
  readonly #places = new Map<string, string>();

  constructor({ state, keepMs, finder, logger }: CallRecordsOptions) {
    this.#state = state;
    this.#finder = finder;
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

  /** The place that a name has, and the record there. One may be there without the other. */
  async find(name: CallName): Promise<{ readonly place?: string; readonly read?: ReadRecord }> {
    const place = await this.#state.get(keys.place(name));
    if (place === undefined) return {};
    this.#remember(name, place);
    const read = await this.at(place);
    return read === undefined ? { place } : { place, read };
  }

  /** Throws NOT_FOUND. */
  async of(name: CallName): Promise<ReadRecord> {
    const found = (await this.#known(name)) ?? (await this.find(name)).read;
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

  /** Writes a new record under its name, which has no place yet, or one that has no record any more. Undefined where somebody else has done so. */
  async add(place: string, record: CallRecord, { ahead = 0, insteadOf }: AddOptions = {}): Promise<ReadRecord | undefined> {
    if (record.status === 'waiting') await this.#finder().put?.(place, record, ahead);
    const text = JSON.stringify(record);
    const also = [{ key: keys.call(place), value: text }, ...this.#entriesOf(place, record)];
    const isMine = await this.#state.compareAndSet(keys.place(record), insteadOf, place, { also });
    if (!isMine) return undefined;
    this.#remember(record, place);
    return { place, record, text };
  }

  /** Writes the record in place of what was read, with all that is kept beside it. Undefined where it was not that any more. */
  async replace(
    { place, text: before, record: was }: ReadRecord,
    record: CallRecord,
    more: readonly StateChange[] = [],
  ): Promise<ReadRecord | undefined> {
    if (record.status === 'waiting') await this.#finder().put?.(place, record);
    const text = JSON.stringify(record);
    const also = [...changesOf(this.#entriesOf(place, was), this.#entriesOf(place, record)), ...more];
    // The name is kept as long as the record.
    if (hasEnded(record.status) !== hasEnded(was.status)) also.push({ key: keys.place(record), value: place, ...this.#timeOf(record) });
    const isMine = await this.#state.compareAndSet(keys.call(place), before, text, { ...this.#timeOf(record), also });
    return isMine ? { place, record, text } : undefined;
  }

  /** Writes how the call ended, in place of what was read. Undefined where it was not that any more. */
  async end(read: ReadRecord, end: Partial<CallRecord> & Pick<CallRecord, 'status'>): Promise<ReadRecord | undefined> {
    const { by: _by, question: _question, isCancelled: _cancel, ...rest } = read.record;
    return this.replace(read, { ...rest, ...end, endedAt: Date.now() });
  }

  /** Has the call wait, to be made from then on, epoch ms, in place of what was read. Undefined where it was not that any more. */
  wait(read: ReadRecord, { by: _by, ...record }: CallRecord, at: number): Promise<ReadRecord | undefined> {
    return this.replace(read, { ...record, status: 'waiting', runAt: nextRunAt(record, at) });
  }

  async result({ place, record: { result, resultOf } }: ReadRecord): Promise<CallResult | undefined> {
    if (result !== undefined) return result;
    const text = resultOf === undefined ? undefined : await this.#state.get(keys.result(place, resultOf));
    // Own text: a record of the store.
    return text === undefined ? undefined : (JSON.parse(text) as CallResult);
  }

  /** What the record of a call that completes has of its result: what is large is kept beside it, before that. */
  async keepResult(place: string, attempt: number, result: CallResult, text: string): Promise<Partial<CallRecord>> {
    if (text.length <= mostInRecord) return { result };
    await this.#state.set(keys.result(place, attempt), text, { ttlMs: this.#keepMs + resultLongerMs });
    return { resultOf: attempt };
  }

  /** What is kept beside a record, as long as it is as it is. */
  #entriesOf(place: string, record: CallRecord): readonly StateChange[] {
    if (hasEnded(record.status)) return [];
    const open = { key: keys.open(record.caller, place), value: '', ttlMs: this.#keepMs };
    return [open, ...(this.#finder().entriesOf?.(place, record) ?? [])];
  }

  /** Calls that have ended are kept for a time. */
  #timeOf({ status }: CallRecord): TimeToLive {
    return hasEnded(status) ? { ttlMs: this.#keepMs } : {};
  }

  /** A name keeps its place as long as its record is there. */
  async #known(name: CallName): Promise<ReadRecord | undefined> {
    const place = this.#places.get(keys.place(name));
    return place === undefined ? undefined : this.at(place);
  }

  #remember(name: CallName, place: string): void {
    this.#places.set(keys.place(name), place);
    if (this.#places.size <= mostPlaces) return;
    const [oldest = ''] = this.#places.keys();
    this.#places.delete(oldest);
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

/** What has to be changed for the one to be the other. */
function changesOf(before: readonly StateChange[], after: readonly StateChange[]): StateChange[] {
  const had = new Map(before.map(({ key, value }) => [key, value]));
  const has = new Set(after.map(({ key }) => key));
  const gone = before.filter(({ key }) => !has.has(key)).map(({ key }) => ({ key, value: undefined }));
  return [...after.filter(({ key, value }) => had.get(key) !== value), ...gone];
}
