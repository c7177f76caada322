import type { Decider, StateChange } from '../../../kernel/index.ts';
import { type Owner, recordKeys } from './record-keys.ts';
import type { SealedValues } from './sealed-values.ts';

/** A refusal that also refuses later calls. */
export interface HeldRefusalEntry {
  readonly tool: string;
  /** The refused call; absent when the refusal is for all calls of the tool. */
  readonly callHash?: string;
  /** Epoch ms. */
  readonly until: number;
  readonly by: Decider;
  readonly reason?: string;
}

/** One caller's open records and held refusals. */
export interface CallerEntry {
  /** Ids of open records, by the hash of the call. */
  readonly open: Readonly<Record<string, string>>;
  readonly refusals: readonly HeldRefusalEntry[];
}

const empty: CallerEntry = { open: {}, refusals: [] };

/** An entry as it was read. */
export interface ReadEntry {
  readonly text: string | undefined;
  readonly entry: CallerEntry;
}

/** The entries of callers in the store. */
export class CallerEntries {
  readonly #values: SealedValues;

  constructor(values: SealedValues) {
    this.#values = values;
  }

  /** Reads an entry. One that this process cannot read counts as empty: its records are then found by nobody, and nothing runs by them. */
  async read(owner: Owner): Promise<ReadEntry> {
    const key = recordKeys.caller(owner);
    const text = await this.#values.state.get(key);
    const opened = text === undefined ? undefined : this.#values.open<CallerEntry>(key, text);
    return { text, entry: opened === undefined || opened === 'unreadable' ? empty : opened.value };
  }

  /** Replaces an entry, with further changes in the same step. Resolves to false when another process was first. */
  async replace(owner: Owner, { text }: ReadEntry, next: CallerEntry, also: readonly StateChange[] = []): Promise<boolean> {
    const key = recordKeys.caller(owner);
    return this.#values.state.compareAndSet(key, text, this.#values.seal(key, next), also.length === 0 ? {} : { also });
  }

  /** Changes an entry, again until no other process has changed it meanwhile. `change` returns undefined to leave it. */
  async update(owner: Owner, change: (entry: CallerEntry) => CallerEntry | undefined): Promise<void> {
    for (;;) {
      const read = await this.read(owner);
      const next = change(read.entry);
      if (next === undefined || (await this.replace(owner, read, next))) return;
    }
  }

  /** Deletes the entry of a caller. */
  async forget(owner: Owner): Promise<void> {
    await this.#values.state.delete(recordKeys.caller(owner));
  }

  /** Takes a record out of the open ones. */
  close(owner: Owner, callHash: string, id: string): Promise<void> {
    return this.update(owner, ({ open: { [callHash]: found, ...open }, refusals }) => (found === id ? { open, refusals } : undefined));
  }
}
