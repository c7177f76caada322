/** Those who wait for their turn; undefined while nobody has it. */
let waiting: (() => void)[] | undefined;

/**
 * Resolves when a process or a thread may be started. Each start holds the event loop for some milliseconds, the more the larger this process
 * is: of several that come at once, others get their turn in between. Start at once, without waiting for anything else before.
 */
export async function turnToStart(): Promise<void> {
  if (waiting !== undefined) {
    const queue = waiting;
    await new Promise<void>((resolve) => queue.push(resolve));
  } else waiting = [];
  setImmediate(passOn);
}

function passOn(): void {
  const next = waiting?.shift();
  if (next === undefined) waiting = undefined;
  else next();
}
