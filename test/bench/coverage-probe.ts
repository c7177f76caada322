/** Preloaded into a server: answers each message of its parent with the functions that ran since the last one. */
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { isMainThread } from 'node:worker_threads';
import { Coverage } from './coverage.ts';

/** Time for the work that follows a response, in milliseconds: the parent asks once it has read the response. */
const settleMs = 50;

if (isMainThread && process.send !== undefined) {
  const coverage = await Coverage.start(path.resolve(import.meta.dirname, '../..'));
  process.on('message', async () => {
    await setTimeout(settleMs);
    process.send?.(await coverage.take());
  });
  process.once('disconnect', () => process.exit(1));
  // The channel must not keep a server alive that has stopped.
  process.channel?.unref();
}
