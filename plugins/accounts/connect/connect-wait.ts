import type { ConnectLinks } from './connect-links.ts';
import { isEnded, type ReadConnect } from './pending-connect.ts';

/** Time between two reads while nothing is reported: expiry never is, and a process that crashed reports nothing. */
const pollIntervalMs = 5000;

/**
 * Waits until the person has done all that a browser can do: the connect has ended, or waits for a code. Undefined when it expires before.
 * Rejects with the reason of `signal`.
 */
export async function waitForConnect(links: ConnectLinks, digest: string, signal: AbortSignal): Promise<ReadConnect | undefined> {
  let wake: () => void = () => {};
  let isChanged = false;
  const changed = (): void => {
    isChanged = true;
    wake();
  };
  const stop = await links.watch(digest, changed);
  signal.addEventListener('abort', changed, { once: true });
  const timer = setInterval(changed, pollIntervalMs);
  try {
    for (;;) {
      signal.throwIfAborted();
      isChanged = false;
      const read = await links.read(digest);
      if (read === undefined || isEnded(read.connect) || read.connect.stage.kind === 'code') return read;
      // A change while it was read must not be missed.
      if (!isChanged && !signal.aborted)
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
    }
  } finally {
    clearInterval(timer);
    signal.removeEventListener('abort', changed);
    await stop();
  }
}
