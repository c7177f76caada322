import { type StateChange, ToolkitError } from '../../../kernel/index.ts';
import { isRecordId, recordKeys } from './record-keys.ts';
import type { SealedValue, SealedValues } from './sealed-values.ts';
import { isOpen, type StoredApproval } from './stored-approval.ts';

export interface ReadApproval extends SealedValue<StoredApproval> {
  readonly record: StoredApproval;
}

export interface RecordPage {
  readonly found: readonly StoredApproval[];
  readonly unreadable: number;
  /** The last key read. Absent on the last page. */
  readonly last?: string;
}

/** Extra lifetime of an open record beyond its expiry, so that its end is recorded before it is gone. */
const graceMs = 7 * 24 * 60 * 60 * 1000;

/** The records in the store, with their index entries. */
export class ApprovalRecords {
  readonly values: SealedValues;
  readonly #retentionMs: number;

  constructor(values: SealedValues, retentionMs: number) {
    this.values = values;
    this.#retentionMs = retentionMs;
  }

  /** Reads a record. Undefined when there is none. Throws STATE_UNAVAILABLE for one that this process cannot read. */
  async read(id: string): Promise<ReadApproval | undefined> {
    if (!isRecordId(id)) return undefined;
    const read = await this.values.read<StoredApproval>(recordKeys.record(id));
    if (read !== 'unreadable') return read === undefined ? undefined : { ...read, record: read.value };
    throw new ToolkitError(
      'STATE_UNAVAILABLE',
      `The approval "${id}" cannot be read: it was changed, or written with another key. Give all processes the same TOOLKIT_KEY (the previous one as TOOLKIT_KEY_PREVIOUS).`,
      { retryable: false },
    );
  }

  /** Returns the changes that store a record with its index entries. */
  changesFor(record: StoredApproval, now: number): readonly StateChange[] {
    return [this.values.change(recordKeys.record(record.id), record, this.#lifeOf(record, now)), ...this.#entriesOf(record, now)];
  }

  /** Replaces the record that was read. Resolves to false when the store no longer holds it. */
  async replace(read: ReadApproval, record: StoredApproval, now: number): Promise<boolean> {
    const key = recordKeys.record(record.id);
    const also = this.#entriesOf(record, now);
    return this.values.state.compareAndSet(key, read.text, this.values.seal(key, record), { ...this.#lifeOf(record, now), also });
  }

  /** Deletes a record with its index entries. Resolves to false when the store no longer holds it. */
  async delete(read: ReadApproval): Promise<boolean> {
    const { record } = read;
    const gone = [recordKeys.due(record), recordKeys.ready(record.id)];
    for (const key of gone) await this.values.state.delete(key);
    return this.values.state.compareAndSet(recordKeys.record(record.id), read.text, undefined);
  }

  /** Reads a page, newest first. Records that this process cannot read are counted. */
  async page(after: string | undefined, limit: number): Promise<RecordPage> {
    const prefix = recordKeys.record('');
    let unreadable = 0;
    const entries = await this.values.state.list(prefix, {
      limit,
      ...(after === undefined ? {} : { after: prefix + after }),
      onUnreadable: () => {
        unreadable++;
      },
    });
    const found = entries.flatMap(({ key, value }) => {
      const opened = this.values.open<StoredApproval>(key, value);
      if (opened !== 'unreadable') return [opened.value];
      unreadable++;
      return [];
    });
    const last = entries.length < limit ? undefined : entries.at(-1)?.key.slice(prefix.length);
    return { found, unreadable, ...(last === undefined ? {} : { last }) };
  }

  #lifeOf(record: StoredApproval, now: number): { readonly ttlMs: number } {
    return { ttlMs: isOpen(record, now) ? Math.max(1, record.expiresAt - now) + graceMs + this.#retentionMs : this.#retentionMs };
  }

  #entriesOf(record: StoredApproval, now: number): readonly StateChange[] {
    const { status, id, runsAs, once } = record;
    const due = { key: recordKeys.due(record), value: isOpen(record, now) ? status : undefined };
    const isStarted = status !== 'approved' || runsAs !== undefined;
    // A durable call that asks must be told of a no as well.
    const isUntold = once !== undefined && (status === 'refused' || status === 'expired');
    return [due, { key: recordKeys.ready(id), value: isStarted && !isUntold ? undefined : '' }];
  }
}
