import type { SharedQueue } from './shared-queue.ts';

export interface TakeOptions {
  readonly tenant: string;
  /** Time limit of the call, in milliseconds. */
  readonly timeoutMs: number;
  /** Aborts when the call ends before it has started. */
  readonly cancelled: AbortSignal;
  /** Called before the first wait for the store. May throw, so that the call does not wait. */
  readonly beforeWait: () => void;
}

/** The grant of one limit to a call. */
export interface Grant {
  /** The time until which it is valid, on the clock of `performance.now()`. */
  readonly until: number;
  /** Takes it once more, without waiting. Returns undefined where there is none now. */
  renew(): Promise<Grant | undefined>;
  /** Called when the call starts. Gives back everything that was needed only until now. */
  start(): void;
  /** Called when the call ends or does not start. Gives back everything. */
  end(): void;
}

/** One condition for the start of a call: a free slot, or a counted start. */
export interface Step {
  readonly queue: SharedQueue;
  /** The number in use, as far as it is known. */
  readonly inUse: number;
  /** Waits in the queue, then asks the store until it grants. Rejects with STATE_UNAVAILABLE, and when the call leaves. */
  take(options: TakeOptions): Promise<Grant>;
}
