/** Preloaded into the server that is measured: answers each message of its parent with the longest block of the event loop since the last one. */

import { isMainThread } from 'node:worker_threads';

/** How often it is looked whether timers run, in milliseconds. */
const everyMs = 1;

if (isMainThread && process.send !== undefined) {
  let longestMs = 0;
  let since = performance.now();
  let used = process.cpuUsage();
  // Of the time only what this process computed counts, not what other programs took of the machine.
  setInterval(() => {
    const { user, system } = process.cpuUsage(used);
    const now = performance.now();
    longestMs = Math.max(longestMs, Math.min(now - since, (user + system) / 1000));
    since = now;
    used = process.cpuUsage();
  }, everyMs).unref();
  process.on('message', () => {
    process.send(longestMs);
    longestMs = 0;
  });
  process.once('disconnect', () => process.exit(1));
  // The channel must not keep a server alive that has stopped.
  process.channel.unref();
}
