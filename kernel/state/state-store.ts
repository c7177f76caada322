/** How long what is set counts, in milliseconds. Without it: until it is deleted. */
export interface TimeToLive {
  readonly ttlMs?: number;
}

/** A value that is set, or with `undefined` deleted. */
export interface StateChange extends TimeToLive {
  readonly key: string;
  readonly value: string | undefined;
}

export interface CompareOptions extends TimeToLive {
  /** Changed in the same step as the key itself, which has to be set or deleted, or not at all. Each has a key of its own. @default none */
  readonly also?: readonly StateChange[];
}

export interface StateEntry {
  readonly key: string;
  readonly value: string;
}

export interface WindowOptions {
  /** How long a window is, in milliseconds. It begins with the first count; the next one with the first count after it. */
  readonly windowMs: number;
  /** @default 1 */
  readonly by?: number;
  /** Nothing is counted that would bring the window beyond it. @default none */
  readonly limit?: number;
}

export interface WindowCount {
  /** False where the limit kept it from being counted. */
  readonly isCounted: boolean;
  /** In this window, with what was counted now. */
  readonly count: number;
  /** When the window ends, in milliseconds from now. */
  readonly endsInMs: number;
}

export interface ListOptions {
  /** Only keys behind it, in the order of their UTF-8 bytes. */
  readonly after?: string;
  /** @default 1000 */
  readonly limit?: number;
}

/**
 * Texts by key, for what has to outlive a call, and, where `isShared`, for all processes that use the same store, also after a restart. Each
 * method is one step that nothing comes between. What is over its time is not there. Every method rejects with STATE_UNAVAILABLE where the
 * store cannot be reached or has no room.
 */
export interface StateStore {
  /** Whether other processes see the same. */
  readonly isShared: boolean;
  get(key: string): Promise<string | undefined>;
  set(key: string, value: string, options?: TimeToLive): Promise<void>;
  /** Sets, or with `undefined` deletes, if the key has the expected value now (`undefined`: none). Resolves to whether it did. */
  compareAndSet(key: string, expected: string | undefined, value: string | undefined, options?: CompareOptions): Promise<boolean>;
  /** The value and the count of the key. Resolves to whether there was one of them. */
  delete(key: string): Promise<boolean>;
  /** Counts within a window. Counts are beside the values: `get` and `list` do not see them. */
  increment(key: string, options: WindowOptions): Promise<WindowCount>;
  /** The values whose keys begin with it, in the order of their UTF-8 bytes. */
  list(prefix: string, options?: ListOptions): Promise<readonly StateEntry[]>;
  /**
   * Tells the key of each value that is set or deleted from when it resolves on, by whichever process; not what expires, nor counts. Changes of one key
   * that follow each other may be told once, some may be told that were none, and one whose process died in that moment may not be: read what is
   * there, and who waits for it looks once in a while. Resolves to what ends it.
   */
  watch(prefix: string, onChange: (key: string) => void): Promise<() => Promise<void>>;
  /** The kernel calls it last, when no plugin uses the store any more. */
  close(): Promise<void>;
}

/** In UTF-8 bytes. */
export const stateLimits = { keyBytes: 1024, valueBytes: 4 * 1024 * 1024 } as const;
