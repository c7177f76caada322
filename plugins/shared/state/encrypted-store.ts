import {
  type CompareOptions,
  type ListOptions,
  type Liveness,
  type StateEntry,
  type StateStore,
  type TimeToLive,
  ToolkitError,
  type WindowCount,
  type WindowOptions,
} from '../../../kernel/index.ts';
import { ProcessMembers } from '../cluster/process-members.ts';
import type { Cipher } from '../keys/cipher.ts';
import { LazyResource } from './lazy-resource.ts';
import type { StateTable } from './state-table.ts';

/** Key of the value that checks the encryption key. Keys of plugins have a slash, so it collides with none. */
const probe = 'key';

/** Maximum number of cached keys, and maximum bytes of each value. */
const seenLimits = { keys: 256, bytes: 16_384 } as const;

/** A value, and its encrypted bytes in the database. */
interface EncryptedValue {
  readonly text: string;
  readonly bytes: Uint8Array;
}

/**
 * A store in a database. Values are encrypted with the host's key, each for its own key in the store: database access alone allows neither
 * to read nor to forge them. Keys and counts are readable there. Database write access allows to delete values, and to restore earlier
 * ones.
 */
export class EncryptedStore implements StateStore {
  readonly isShared = true;
  readonly spansMachines: boolean;
  readonly pollMs: number | undefined;
  readonly #lazyTable: LazyResource<StateTable>;
  readonly #cipher: Cipher;
  readonly #members = new ProcessMembers(async () => (await this.#table()).presence);
  /** Values last seen in the database: a change of a value that was just read or written needs no further read. */
  readonly #seen = new Map<string, EncryptedValue>();

  /** `open` is called on first use, and again after a failure. Options: see `StateStore`. */
  constructor(
    open: () => Promise<StateTable>,
    cipher: Cipher,
    { spansMachines = false, pollMs }: Pick<StateStore, 'spansMachines' | 'pollMs'> = {},
  ) {
    this.spansMachines = spansMachines;
    this.pollMs = pollMs;
    this.#lazyTable = new LazyResource(() => this.#checked(open));
    this.#cipher = cipher;
  }

  async get(key: string): Promise<string | undefined> {
    const table = await this.#table();
    return (await this.#fetch(table, key))?.text;
  }

  async set(key: string, value: string, options: TimeToLive = {}): Promise<void> {
    await (await this.#table()).set(key, this.#cipher.encrypt(value, key), options);
  }

  async compareAndSet(
    key: string,
    expected: string | undefined,
    value: string | undefined,
    { also = [], ...options }: CompareOptions = {},
  ): Promise<boolean> {
    const table = await this.#table();
    const sealed = this.#encrypt(key, value);
    const more = also.map((change) => ({ ...change, value: this.#encrypt(change.key, change.value) }));
    const changes = more.map((change) => ({ ...change, value: change.value?.bytes }));
    const replaced = async (found: EncryptedValue | undefined): Promise<boolean> => {
      const isReplaced = await table.replace(key, found?.bytes, sealed?.bytes, { ...options, also: changes });
      this.#remember(key, isReplaced ? sealed : undefined);
      if (isReplaced) for (const change of more) this.#remember(change.key, change.value);
      return isReplaced;
    };
    if (expected === undefined) return replaced(undefined);
    const seen = this.#seen.get(key);
    if (seen?.text === expected && (await replaced(seen))) return true;
    for (;;) {
      const found = await this.#fetch(table, key);
      if (found?.text !== expected) return false;
      // Another process may have written the same value, which has other bytes.
      if (await replaced(found)) return true;
    }
  }

  async delete(key: string): Promise<boolean> {
    return (await this.#table()).delete(key);
  }

  async increment(key: string, options: WindowOptions): Promise<WindowCount> {
    return (await this.#table()).increment(key, options);
  }

  async list(prefix: string, { limit = 1000, onUnreadable, ...options }: ListOptions = {}): Promise<readonly StateEntry[]> {
    const table = await this.#table();
    const entries: StateEntry[] = [];
    for (let { after } = options; ; ) {
      const wanted = limit - entries.length;
      const found = await table.list(prefix, { limit: wanted, ...(after === undefined ? {} : { after }) });
      let isComplete = true;
      for (const { key, value } of found) {
        if (key === probe) continue;
        const text = onUnreadable === undefined ? this.#read(table, key, value) : this.#cipher.decrypt(value, key);
        if (text !== undefined) entries.push({ key, value: text });
        else {
          isComplete = false;
          onUnreadable?.(key);
        }
      }
      // A page that is short for entries left out would pass for the last one.
      if (isComplete || found.length < wanted) return entries;
      after = found.at(-1)?.key;
    }
  }

  async watch(prefix: string, onChange: (key: string) => void): Promise<() => Promise<void>> {
    return (await this.#table()).watch(prefix, onChange);
  }

  join(onReturn?: () => void): Liveness {
    return this.#members.join(onReturn);
  }

  async close(): Promise<void> {
    await (await this.#lazyTable.close(closed()))?.close();
  }

  #encrypt(key: string, text: string | undefined): EncryptedValue | undefined {
    return text === undefined ? undefined : { text, bytes: this.#cipher.encrypt(text, key) };
  }

  async #fetch(table: StateTable, key: string): Promise<EncryptedValue | undefined> {
    const bytes = await table.get(key);
    const text = this.#read(table, key, bytes);
    const found = bytes === undefined || text === undefined ? undefined : { text, bytes };
    this.#remember(key, found);
    return found;
  }

  #table(): Promise<StateTable> {
    return this.#lazyTable.get();
  }

  /**
   * Checks the encryption key on opening, so that a wrong key fails at once and not at some later read. Rewrites the check value each
   * time, so that it has the current key when the previous one is dropped.
   */
  async #checked(open: () => Promise<StateTable>): Promise<StateTable> {
    const table = await open();
    try {
      const sealed = this.#cipher.encrypt(probe, probe);
      const found = (await table.replace(probe, undefined, sealed, {})) ? undefined : await table.get(probe);
      if (found === undefined) return table;
      this.#read(table, probe, found);
      await table.replace(probe, found, sealed, {});
      return table;
    } catch (error) {
      await table.close().catch(() => {});
      throw error;
    }
  }

  #remember(key: string, seen: EncryptedValue | undefined): void {
    this.#seen.delete(key);
    if (seen === undefined || seen.bytes.length > seenLimits.bytes) return;
    this.#seen.set(key, seen);
    if (this.#seen.size <= seenLimits.keys) return;
    const [oldest = ''] = this.#seen.keys();
    this.#seen.delete(oldest);
  }

  #read({ name }: StateTable, key: string, bytes: Uint8Array | undefined): string | undefined {
    if (bytes === undefined) return undefined;
    const value = this.#cipher.decrypt(bytes, key);
    if (value !== undefined) return value;
    throw new ToolkitError(
      'STATE_UNAVAILABLE',
      `The value of "${key}" in the store ${name} was written with another key, or was changed. Give all processes that use the store the same TOOLKIT_KEY, and the previous key as TOOLKIT_KEY_PREVIOUS. A process without TOOLKIT_KEY takes its key from toolkit/keys/key in the state folder of its account.`,
      { retryable: false, unreadable: true },
    );
  }
}

function closed(): ToolkitError {
  return new ToolkitError('STATE_UNAVAILABLE', 'The store is closed, because the kernel is.', { retryable: false });
}
