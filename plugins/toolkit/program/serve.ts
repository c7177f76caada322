import { once } from 'node:events';
import type { Kernel, ServeOptions } from '../../../kernel/index.ts';

/** Default time for running calls to end after a signal or the end of the client, in milliseconds. */
const defaultDrainMs = 1000;

/**
 * Starts the transports, waits for the signal or until one of them ends by itself, then closes the kernel. A signal during the start counts. On
 * SIGTERM, which supervisors send to a process that others replace, the transports first announce their end.
 */
export async function serveUntilStopped(kernel: Kernel, options: ServeOptions, interrupted: AbortSignal): Promise<void> {
  const stopped = interrupted.aborted ? Promise.resolve() : once(interrupted, 'abort');
  const servers = await kernel.serve(options).catch(async (error: unknown) => {
    await kernel.close().catch(() => {});
    throw error;
  });
  await Promise.race([stopped, ...servers.flatMap(({ ended }) => (ended === undefined ? [] : [ended]))]);
  if (interrupted.reason === 'SIGTERM') await Promise.all(servers.map((server) => server.leave?.()));
  await kernel.close({ drainMs: Math.max(...servers.map(({ drainMs = defaultDrainMs }) => drainMs), 0) });
}
