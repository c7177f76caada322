import { once } from 'node:events';
import type { Kernel, ServeOptions } from '../../../kernel/index.ts';

/** How long running calls may take to end once the client has gone or a signal has come, where the transport does not say. */
const defaultDrainMs = 1000;

/**
 * Starts the transports, waits for the interruption or until one of them ends by itself, then closes the kernel. An interruption counts
 * from the moment the start begins. At SIGTERM, with which supervisors stop a process that others replace, the transports take their leave first.
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
