import type { Writable } from 'node:stream';
import type { Kernel } from '../../kernel/index.ts';

/** How long running calls may take to end once the client has gone or a signal has come, where the transport does not say. */
const defaultDrainMs = 1000;

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * Starts the transports, waits for a signal or until one of them ends by itself, then closes the kernel. The first signal counts from
 * the moment the start begins; a second one ends the process at once.
 */
export async function serveUntilStopped(kernel: Kernel, output: Writable): Promise<void> {
  const signalled = firstSignal();
  const servers = await kernel.serve({ output }).catch(async (error: unknown) => {
    await kernel.close().catch(() => {});
    throw error;
  });
  await Promise.race([signalled, ...servers.flatMap(({ ended }) => (ended === undefined ? [] : [ended]))]);
  await kernel.close({ drainMs: Math.max(...servers.map(({ drainMs = defaultDrainMs }) => drainMs), 0) });
}

function firstSignal(): Promise<void> {
  return new Promise((resolve) => {
    const onFirst = (): void => {
      for (const signal of signals) {
        process.off(signal, onFirst);
        process.once(signal, () => process.exit(130));
      }
      resolve();
    };
    for (const signal of signals) process.once(signal, onFirst);
  });
}
