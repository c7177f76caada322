import type { EngineHost, KnownEffect } from '../../../kernel/index.ts';
import { type CallRecord, onceOf } from './call-record.ts';
import type { CallRecords, ReadRecord } from './call-records.ts';
import { toStoredError } from './stored-error.ts';
import { storeResult } from './stored-result.ts';

export interface KnownEffectsParts {
  readonly records: CallRecords;
  readonly host: Pick<EngineHost, 'effectOf'>;
  readonly maxBytes: number;
}

/** Compares records with the known effects of their calls: a record says `unknown` only while nothing more is known. */
export class KnownEffects {
  readonly #parts: KnownEffectsParts;

  constructor(parts: KnownEffectsParts) {
    this.#parts = parts;
  }

  /** Finds out what is known about the effect of a call: of its last attempt, in whichever process that was. */
  of(record: CallRecord): Promise<KnownEffect> {
    const { tool, caller } = record;
    return this.#parts.host.effectOf({ tool, caller, once: onceOf(record) });
  }

  /** Completes a call that is `unknown`, when its effect is done. Returns the record as it stands then. */
  async settle(read: ReadRecord): Promise<ReadRecord> {
    if (read.record.status !== 'unknown') return read;
    const effect = await this.of(read.record);
    if (effect.state !== 'done') return read;
    return (await this.complete(read, effect)) ?? (await this.#parts.records.read(read.callKey)) ?? read;
  }

  /** Writes a known effect as the end of the call. Undefined when the store no longer holds the record that was read. */
  async complete(read: ReadRecord, effect: KnownEffect & { readonly state: 'done' }): Promise<ReadRecord | undefined> {
    const { records, maxBytes } = this.#parts;
    const { error: _error, ...record } = read.record;
    const { attempts: attempt, tool } = record;
    const end =
      'error' in effect
        ? { error: toStoredError(effect.error) }
        : await storeResult(records, maxBytes, { callKey: read.callKey, attempt, tool }, effect.result);
    return records.end({ ...read, record }, { status: 'completed', ...end });
  }
}
