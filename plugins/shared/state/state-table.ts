import type { ListOptions, TimeToLive, WindowCount, WindowOptions } from '../../../kernel/index.ts';

/** As a change of a store; `undefined` deletes. */
export interface TableChange extends TimeToLive {
  readonly key: string;
  readonly value: Uint8Array | undefined;
}

export interface ReplaceOptions extends TimeToLive {
  readonly also?: readonly TableChange[];
}

/** What a database does for a store: bytes by key, and counts. The methods are those of `StateStore`. */
export interface StateTable {
  /** As messages name it, such as the path of a file; without a password. */
  readonly name: string;
  get(key: string): Promise<Uint8Array | undefined>;
  set(key: string, value: Uint8Array, options: TimeToLive): Promise<void>;
  /** Whether the key had just these bytes, `undefined`: none, and has the others now; and what else is to be changed is, in the same step. */
  replace(key: string, expected: Uint8Array | undefined, value: Uint8Array | undefined, options: ReplaceOptions): Promise<boolean>;
  delete(key: string): Promise<boolean>;
  increment(key: string, options: WindowOptions): Promise<WindowCount>;
  list(prefix: string, options: ListOptions): Promise<readonly { readonly key: string; readonly value: Uint8Array }[]>;
  watch(prefix: string, onChange: (key: string) => void): Promise<() => Promise<void>>;
  close(): Promise<void>;
}
