/** Time limits of the store's connections, in milliseconds. */
export interface StoreLimits {
  /** Opening a connection, and a statement about single keys. */
  readonly answerMs: number;
  /** A statement that lists many keys with their values. */
  readonly listMs: number;
  /** A statement as the server counts it: it ends one whose client has gone, before a lock keeps connections for ever. */
  readonly serverMs: number;
  /** Waiting for a connection of the pool. */
  readonly waitMs: number;
  /** Waiting for other processes that create or migrate the tables, and doing so. */
  readonly migrationMs: number;
  /** Interval of tests of the connection that listens. */
  readonly testIntervalMs: number;
  /** Closing in order, before connections are destroyed. */
  readonly closeMs: number;
}

/**
 * The limits of the program. A statement takes milliseconds, and five seconds under the heaviest load that was seen: a connection that says nothing
 * for longer is silent. A silent one is found after 5 s (a list: 10 s), and the repeated statement ends within the 15 s in which all must be back.
 * A caller waits for the pool longer than a silent connection keeps its slot.
 */
export const storeLimits: StoreLimits = {
  answerMs: 5000,
  listMs: 10_000,
  serverMs: 9000,
  waitMs: 8000,
  migrationMs: 60_000,
  testIntervalMs: 2000,
  closeMs: 1000,
};

const bytesPerSecond = 1_000_000;

/** Returns the limit of a statement with these values: large ones have a second more for each megabyte. */
export function answerLimit({ answerMs }: StoreLimits, values: readonly unknown[]): number {
  const bytes = values.flat().reduce((sum: number, value) => sum + (value instanceof Uint8Array ? value.length : 0), 0);
  return answerMs + Math.floor(bytes / bytesPerSecond) * 1000;
}
