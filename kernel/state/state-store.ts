import type { Liveness } from './liveness.ts';

/** The lifetime of an entry, in milliseconds. @default until it is deleted */
export interface TimeToLive {
  readonly ttlMs?: number;
}

/** A change of one key: sets the value, or deletes it if undefined. */
export interface StateChange extends TimeToLive {
  readonly key: string;
  readonly value: string | undefined;
}

export interface CompareOptions extends TimeToLive {
  /** Further changes in the same atomic step: all apply, or none. Each key may appear once. @default none */
  readonly also?: readonly StateChange[];
}

export interface StateEntry {
  readonly key: string;
  readonly value: string;
}

export interface WindowOptions {
  /** Length of a window, in milliseconds. It begins with the first count; the next one begins with the first count after it. */
  readonly windowMs: number;
  /** The number to add. @default 1 */
  readonly by?: number;
  /** The maximum of the window. A count beyond it is not added. @default none */
  readonly limit?: number;
}

export interface WindowCount {
  /** False when the limit prevented the count. */
  readonly isCounted: boolean;
  /** The count of this window, this count included. */
  readonly count: number;
  /** Time until the window ends, in milliseconds. */
  readonly endsInMs: number;
}

export interface ListOptions {
  /** Returns only keys after this one, in the order of their UTF-8 bytes. */
  readonly after?: string;
  /** The maximum number of entries. @default 1000 */
  readonly limit?: number;
  /** Called with the key of each entry that cannot be decrypted, which is left out. @default `list` rejects with STATE_UNAVAILABLE */
  readonly onUnreadable?: (key: string) => void;
}

/**
 * Stores texts by key that outlive a call. If `isShared`, all processes with the same store see them, also after a restart. Each
 * method is atomic. Expired entries are absent. Every method rejects with STATE_UNAVAILABLE when the store is unreachable or full.
 */
export interface StateStore {
  /** True when other processes see the same entries. */
  readonly isShared: boolean;
  /** True when processes of several machines may share the entries. @default false */
  readonly spansMachines?: boolean;
  /** Time after which `watch` reports a change of another process at the latest, in milliseconds. Undefined where it is reported at once. */
  readonly pollMs?: number | undefined;
  get(key: string): Promise<string | undefined>;
  set(key: string, value: string, options?: TimeToLive): Promise<void>;
  /** Sets the value if the current one equals `expected` (`undefined`: none); deletes it for `undefined`. Resolves to true if it did. */
  compareAndSet(key: string, expected: string | undefined, value: string | undefined, options?: CompareOptions): Promise<boolean>;
  /** Deletes the value and the count of the key. Resolves to true if one of them existed. */
  delete(key: string): Promise<boolean>;
  /** Counts within a window. Counts are separate from values: `get` and `list` do not return them. */
  increment(key: string, options: WindowOptions): Promise<WindowCount>;
  /** Returns the entries whose keys begin with `prefix`, in the order of their UTF-8 bytes. */
  list(prefix: string, options?: ListOptions): Promise<readonly StateEntry[]>;
  /**
   * Reports the key of each value that any process sets or deletes, once the promise has resolved. Expiry and counts are not reported.
   * Successive changes of one key may be reported once. A report may be spurious, and it may be missing if the writer crashed: read the
   * current value, and poll when you wait for it. Resolves to a function that ends the watch.
   */
  watch(prefix: string, onChange: (key: string) => void): Promise<() => Promise<void>>;
  /**
   * Returns a new member of the processes that share the store. `onReturn` is called when this process is seen again after a gap in which
   * others may have taken it for dead.
   */
  join(onReturn?: () => void): Liveness;
  /** Closes the store. The kernel calls it last, when no plugin uses the store any more. */
  close(): Promise<void>;
}

/** Maximum sizes, in UTF-8 bytes. */
export const stateLimits = { keyBytes: 1024, valueBytes: 4 * 1024 * 1024 } as const;
