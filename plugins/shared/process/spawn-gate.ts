/** Starts that wait; undefined while none is in progress. */
let waiting: (() => void)[] | undefined;

/**
 * Resolves when a process or a thread may be started. Each start blocks the event loop for some milliseconds, more in a larger process;
 * the gate yields to the event loop between several starts. Start synchronously after it resolves.
 */
export async function waitToSpawn(): Promise<void> {
  if (waiting !== undefined) {
    const queue = waiting;
    await new Promise<void>((resolve) => queue.push(resolve));
  } else waiting = [];
  setImmediate(releaseNext);
}

function releaseNext(): void {
  const next = waiting?.shift();
  if (next === undefined) waiting = undefined;
  else next();
}
