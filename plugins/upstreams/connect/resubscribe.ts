const firstDelayMs = 1000;
const maxDelayMs = 300_000;

interface Subscribing {
  /** Resolves when nothing is to be subscribed to any longer. */
  readonly over: Promise<unknown>;
  /** Subscribes. Resolves, when the server has accepted, to `closed`, the end of the subscription. Rejects when it refuses. */
  subscribe(): Promise<{ readonly closed: Promise<unknown> }>;
  /** Called when a subscription has ended: changes may have been missed. */
  readonly onMissed: () => void;
}

/** Subscribes again whenever that ends or fails, after a delay that doubles while it fails. */
export async function resubscribe({ over, subscribe, onMissed }: Subscribing): Promise<void> {
  let isOver = false;
  void over.then(() => {
    isOver = true;
  });
  for (let delayMs = firstDelayMs; !isOver; delayMs = Math.min(delayMs * 2, maxDelayMs)) {
    const subscription = await subscribe().catch(() => undefined);
    if (subscription !== undefined) {
      await Promise.race([subscription.closed, over]);
      delayMs = firstDelayMs;
      if (!isOver) onMissed();
    }
    await Promise.race([wait(delayMs), over]);
  }
}

function wait(delayMs: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, delayMs).unref();
  });
}
