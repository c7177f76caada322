import {
  type CallName,
  type CallResult,
  type CallStatus,
  hasEnded,
  type Logger,
  type StateChange,
  type StateStore,
  type TimeToLive,
  ToolkitError,
} from '../../../kernel/index.ts';
import { isLater } from '../state/record-versions.ts';
import { keys } from './call-keys.ts';
import type { CallQueue } from './call-queue.ts';
import { type CallRecord, nextRunAt, parseRecord } from './call-record.ts';

/** A record as read. It may be changed only while the store still holds this text. */
export interface ReadRecord {
  readonly callKey: string;
  readonly record: CallRecord;
  readonly text: string;
}

/** Extra lifetime of a result beyond its record, so that no record points at a missing result. */
const resultGraceMs = 60_000;

/** Maximum number of names whose call key is cached. */
const maxCachedKeys = 1000;

/** Maximum characters of a result inside its record: lists of calls read whole records. */
const maxInlineLength = 4096;

export interface AddOptions {
  /** Unfinished calls of the caller. */
  readonly openCalls?: number;
  /** Call key that the name had before, when its record is gone. */
  readonly replacedKey?: string | undefined;
  /** Further changes of the same write. @default none */
  readonly also?: readonly StateChange[];
}

export interface RecordPage {
  readonly found: readonly ReadRecord[];
  /** Number of records of later versions. */
  readonly later: number;
  readonly last?: string;
}

export interface CallRecordsOptions {
  readonly queue: () => CallQueue;
  readonly state: StateStore;
  /** Lifetime of ended calls. */
  readonly ttlMs: number;
  readonly logger: Logger;
  /** Called after the end of a call with an approval record was written. */
  readonly onEnd?: ((record: string, status: CallStatus) => Promise<void>) | undefined;
}

/** The call records in the store. */
export class CallRecords {
  readonly #state: StateStore;
  readonly #ttlMs: number;
  readonly #queue: () => CallQueue;
  readonly #logger: Logger;
  readonly #onEnd: CallRecordsOptions['onEnd'];
  /** Call keys of records that a later program has written. Each is logged once. */
  readonly #later = new Set<string>();
  /** Call keys of the last calls used, by key of the name. */
  readonly #cachedKeys = new Map<string, string>();

  constructor({ state, ttlMs: retentionMs, queue: finder, logger, onEnd }: CallRecordsOptions) {
    this.#state = state;
    this.#queue = finder;
    this.#ttlMs = retentionMs;
    this.#logger = logger;
    this.#onEnd = onEnd;
  }

  /** Reads a record for a worker: `later` for one of a later version, which is logged once and left alone. Undefined when there is none. */
  async readForWork(callKey: string): Promise<ReadRecord | 'later' | undefined> {
    const text = await this.#state.get(keys.call(callKey));
    return text === undefined ? undefined : (this.#parsed(callKey, text) ?? 'later');
  }

  /** Reads a record. Undefined when there is none. Throws STATE_UNAVAILABLE for a record of a later version. */
  async read(callKey: string): Promise<ReadRecord | undefined> {
    const read = await this.readForWork(callKey);
    if (read !== 'later') return read;
    throw new ToolkitError(
      'STATE_UNAVAILABLE',
      'The record of this call was written by a later version of this program. Install that one.',
      { retryable: false },
    );
  }

  /** Finds the call key of a name and the record there. Either may exist without the other. */
  async find(name: CallName): Promise<{ readonly place?: string; readonly read?: ReadRecord }> {
    const place = await this.#state.get(keys.name(name));
    if (place === undefined) return {};
    this.#remember(name, place);
    const read = await this.read(place);
    return read === undefined ? { place } : { place, read };
  }

  /** Reads the record of a name. Throws NOT_FOUND. */
  async get(name: CallName): Promise<ReadRecord> {
    const found = (await this.#known(name)) ?? (await this.find(name)).read;
    if (found !== undefined) return found;
    throw new ToolkitError(
      'NOT_FOUND',
      `The caller "${name.caller}" has no durable call "${name.id}": it was never submitted, or its record has expired.`,
    );
  }

  /** Returns the call key of a name, from the cache where it can. Throws NOT_FOUND. */
  async keyOf(name: CallName): Promise<string> {
    return this.#cachedKeys.get(keys.name(name)) ?? (await this.get(name)).callKey;
  }

  /** Reads a page in the order of call keys, without records of later versions. `last`: the last key read. */
  async page(after: string | undefined, limit: number): Promise<RecordPage> {
    const prefix = keys.call('');
    const entries = await this.#state.list(prefix, { limit, ...(after === undefined ? {} : { after: prefix + after }) });
    const found = entries.flatMap(({ key, value }) => this.#parsed(key.slice(prefix.length), value) ?? []);
    const last = entries.length < limit ? undefined : entries.at(-1)?.key.slice(prefix.length);
    return { found, later: entries.length - found.length, ...(last === undefined ? {} : { last }) };
  }

  /** Writes a new record under a name that has no call key, or one without a record. Undefined when another process was first. */
  async add(
    callKey: string,
    record: CallRecord,
    { openCalls = 0, replacedKey, also = [] }: AddOptions = {},
  ): Promise<ReadRecord | undefined> {
    const text = JSON.stringify(record);
    const life = this.#timeOf(record);
    const entries = [{ key: keys.call(callKey), value: text, ...life }, ...this.#indexEntries(callKey, record), ...also];
    const isMine = await this.#state.compareAndSet(keys.name(record), replacedKey, callKey, { ...life, also: entries });
    if (!isMine) return undefined;
    this.#remember(record, callKey);
    if (record.status === 'waiting') await this.#queue().enqueue?.(callKey, record, openCalls);
    return { callKey, record, text };
  }

  /** Replaces the record that was read, together with its index entries. Undefined when the store no longer holds it. */
  async replace(
    { callKey: place, text: before, record: was }: ReadRecord,
    record: CallRecord,
    more: readonly StateChange[] = [],
  ): Promise<ReadRecord | undefined> {
    const text = JSON.stringify(record);
    const also = [...changesOf(this.#indexEntries(place, was), this.#indexEntries(place, record)), ...more];
    // The name lives as long as the record.
    if (hasEnded(record.status) !== hasEnded(was.status)) also.push({ key: keys.name(record), value: place, ...this.#timeOf(record) });
    const isMine = await this.#state.compareAndSet(keys.call(place), before, text, { ...this.#timeOf(record), also });
    if (!isMine) return undefined;
    if (record.status === 'waiting') await this.#queue().enqueue?.(place, record);
    if (record.approval !== undefined && hasEnded(record.status)) await this.#onEnd?.(record.approval, record.status);
    return { callKey: place, record, text };
  }

  /** Writes the end of the call. Undefined when the store no longer holds the record that was read. */
  async end(read: ReadRecord, end: Partial<CallRecord> & Pick<CallRecord, 'status'>): Promise<ReadRecord | undefined> {
    const { by: _by, question: _question, isCancelled: _cancel, ...rest } = read.record;
    return this.replace(read, { ...rest, ...end, endedAt: Date.now() });
  }

  /** Makes the call wait until `at` (epoch ms). Undefined when the store no longer holds the record that was read. */
  wait(read: ReadRecord, { by: _by, ...record }: CallRecord, at: number): Promise<ReadRecord | undefined> {
    return this.replace(read, { ...record, status: 'waiting', runAt: nextRunAt(record, at) });
  }

  async result({ callKey: place, record: { result, resultOf } }: ReadRecord): Promise<CallResult | undefined> {
    if (result !== undefined) return result;
    const text = resultOf === undefined ? undefined : await this.#state.get(keys.result(place, resultOf));
    // Own text: a record of the store.
    return text === undefined ? undefined : (JSON.parse(text) as CallResult);
  }

  /** Returns the members that a completed call's record has for its result. Stores a large result beside the record first. */
  async storeResult(callKey: string, attempt: number, result: CallResult, text: string): Promise<Partial<CallRecord>> {
    if (text.length <= maxInlineLength) return { result };
    await this.#state.set(keys.result(callKey, attempt), text, { ttlMs: this.#ttlMs + resultGraceMs });
    return { resultOf: attempt };
  }

  /** Returns the entries stored with a record for as long as it stays as it is. */
  #indexEntries(callKey: string, record: CallRecord): readonly StateChange[] {
    if (hasEnded(record.status)) return [];
    const open = { key: keys.open(record.caller, callKey), value: '', ttlMs: this.#ttlMs };
    return [open, ...(this.#queue().indexEntries?.(callKey, record) ?? [])];
  }

  /** Returns the time to live: ended calls expire. */
  #timeOf({ status }: CallRecord): TimeToLive {
    return hasEnded(status) ? { ttlMs: this.#ttlMs } : {};
  }

  /** Reads the record by the cached call key. A name keeps its call key as long as its record exists. */
  async #known(name: CallName): Promise<ReadRecord | undefined> {
    const callKey = this.#cachedKeys.get(keys.name(name));
    return callKey === undefined ? undefined : this.read(callKey);
  }

  #remember(name: CallName, callKey: string): void {
    this.#cachedKeys.set(keys.name(name), callKey);
    if (this.#cachedKeys.size <= maxCachedKeys) return;
    const [oldest = ''] = this.#cachedKeys.keys();
    this.#cachedKeys.delete(oldest);
  }

  #parsed(callKey: string, text: string): ReadRecord | undefined {
    const record = parseRecord(text);
    if (!isLater(record)) return { callKey, record, text };
    if (!this.#later.has(callKey))
      this.#logger.warn(
        `a durable call is left alone, because a later version of this program wrote its record (version ${record.laterVersion}). Install that one: "toolkit calls list" names such calls`,
      );
    this.#later.add(callKey);
    return undefined;
  }
}

/** Returns the changes that turn the entries `before` into the entries `after`. */
function changesOf(before: readonly StateChange[], after: readonly StateChange[]): StateChange[] {
  const had = new Map(before.map(({ key, value }) => [key, value]));
  const has = new Set(after.map(({ key }) => key));
  const gone = before.filter(({ key }) => !has.has(key)).map(({ key }) => ({ key, value: undefined }));
  return [...after.filter(({ key, value }) => had.get(key) !== value), ...gone];
}
