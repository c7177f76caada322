import type { ListOptions, TimeToLive, WindowCount, WindowOptions } from '../../../kernel/index.ts';
import type { ProcessPresence } from '../cluster/process-members.ts';

/** A change of a key; `undefined` deletes it. */
export interface TableChange extends TimeToLive {
  readonly key: string;
  readonly value: Uint8Array | undefined;
}

export interface ReplaceOptions extends TimeToLive {
  readonly also?: readonly TableChange[];
}

/** Operations of a database for a store: bytes by key, and counters. The methods are those of `StateStore`. */
export interface StateTable {
  /** Name for messages, such as the path of a file; without a password. */
  readonly name: string;
  get(key: string): Promise<Uint8Array | undefined>;
  set(key: string, value: Uint8Array, options: TimeToLive): Promise<void>;
  /**
   * Replaces the value when the key has exactly the expected bytes (`undefined`: none), together with the other changes. Returns true when
   * it did.
   */
  replace(key: string, expected: Uint8Array | undefined, value: Uint8Array | undefined, options: ReplaceOptions): Promise<boolean>;
  delete(key: string): Promise<boolean>;
  increment(key: string, options: WindowOptions): Promise<WindowCount>;
  list(prefix: string, options: ListOptions): Promise<readonly { readonly key: string; readonly value: Uint8Array }[]>;
  watch(prefix: string, onChange: (key: string) => void): Promise<() => Promise<void>>;
  /** The processes that use the database. */
  readonly presence: ProcessPresence;
  close(): Promise<void>;
}
