import type { SharedLine } from './shared-line.ts';

export interface Asking {
  readonly tenant: string;
  /** Aborts when the call ends before it has started. */
  readonly leaving: AbortSignal;
  /** Called before the first wait for the store to have room. May throw, so that the call does not wait. */
  readonly beforeWait: () => void;
}

/** What a call has got of one limit. */
export interface Held {
  /** Until when it counts, on the clock of `performance.now()`. */
  readonly until: number;
  /** Takes it once more, without waiting. Undefined where there is nothing now. */
  again(): Promise<Held | undefined>;
  /** The call starts: gives back what was needed until here. */
  start(): void;
  /** The call ends, or does not start: gives back everything. */
  end(): void;
}

/** One thing that a call needs before it may start: a place among those that run, or to be counted as a start. */
export interface Step {
  readonly line: SharedLine;
  /** How much of it is known to be in use. */
  readonly taken: number;
  /** Stands in the line, then asks the store until it has room. Rejects with STATE_UNAVAILABLE, and when the call leaves. */
  take(asking: Asking): Promise<Held>;
}
