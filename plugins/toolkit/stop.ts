import type { Kernel } from '../../kernel/index.ts';

/** How long running calls may take to end once the client has gone or a signal has come. */
const drainMs = 1000;

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Waits for a signal, or until one of `ended` resolves, then closes the kernel. A second signal ends the process at once. */
export async function untilStopped(kernel: Kernel, ended: readonly Promise<void>[]): Promise<void> {
  let onSignal: () => void = () => {};
  const signalled = new Promise<void>((resolve) => {
    onSignal = resolve;
  });
  for (const signal of signals) process.once(signal, onSignal);
  await Promise.race([signalled, ...ended]);
  for (const signal of signals) {
    process.off(signal, onSignal);
    process.once(signal, () => process.exit(130));
  }
  await kernel.close({ drainMs });
}
