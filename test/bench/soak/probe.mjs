/** Preloaded into the server that is measured: answers each message of its parent with what it takes. */

import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setImmediate } from 'node:timers/promises';
import { isMainThread } from 'node:worker_threads';

/** How often the event loop is looked at, in milliseconds. It is part of what the histogram has. */
const resolution = 10;

/** Full collections before memory is looked at: what one sets free may hold what only the next one can. */
const collections = 4;

if (isMainThread && process.send !== undefined) {
  const delay = monitorEventLoopDelay({ resolution });
  const since = () => ({ p50: ms(delay.percentile(50)), p99: ms(delay.percentile(99)), max: ms(delay.max), count: delay.count });
  const ms = (nanoseconds) => Math.max(0, nanoseconds / 1e6 - resolution);
  delay.enable();
  process.on('message', async (message) => {
    if (message === 'rest') {
      delay.disable();
      process.send({ loopDelayMs: since() });
      return;
    }
    if (message === 'work') {
      delay.reset();
      delay.enable();
      process.send({});
      return;
    }
    for (let round = 0; round < collections; round++) {
      globalThis.gc();
      await setImmediate();
    }
    const { rss, heapUsed, external, arrayBuffers } = process.memoryUsage();
    const handles = {};
    for (const kind of process.getActiveResourcesInfo()) handles[kind] = (handles[kind] ?? 0) + 1;
    process.send({ rss, heapUsed, external, arrayBuffers, handles });
  });
  // Nobody is there who would end it.
  process.once('disconnect', () => process.exit(1));
  // The channel must not keep a server alive that has stopped.
  process.channel.unref();
}
