/** Changes the year, month, day, weekday, hour, minute and second. */
const aheadMs = ((400 * 24 + 7) * 3600 + 13 * 60 + 11) * 1000;

/**
 * Runs with this process's clock set ahead, to reveal values that depend on the date. Threads and child processes keep the real clock.
 * Nothing else may run in the process at the same time.
 */
export async function later<T>(run: () => Promise<T>): Promise<T> {
  const now = globalThis.Date;
  class Later extends now {
    constructor(...given: readonly unknown[]) {
      super(...((given.length === 0 ? [Later.now()] : given) as [number]));
    }

    static override now(): number {
      return now.now() + aheadMs;
    }
  }
  globalThis.Date = Later as DateConstructor;
  try {
    return await run();
  } finally {
    globalThis.Date = now;
  }
}
