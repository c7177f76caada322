/** Changes the year, month, day, weekday, hour, minute and second. */
const aheadMs = ((400 * 24 + 7) * 3600 + 13 * 60 + 11) * 1000;

/**
 * Runs with this process's clock set ahead, to reveal values that depend on the date. Threads and child processes keep the real clock.
 * Nothing else may run in the process at the same time.
 */
export async function withLaterClock<T>(run: () => Promise<T>): Promise<T> {
  const now = globalThis.Date;
  class LaterDate extends now {
    constructor(...given: readonly unknown[]) {
      super(...((given.length === 0 ? [LaterDate.now()] : given) as [number]));
    }

    static override now(): number {
      return now.now() + aheadMs;
    }
  }
  globalThis.Date = LaterDate as DateConstructor;
  try {
    return await run();
  } finally {
    globalThis.Date = now;
  }
}
