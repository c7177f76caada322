import { setTimeout } from 'node:timers/promises';
import { ToolkitError } from '../../../kernel/index.ts';

/** Prefixes of the keys by which processes of earlier versions said every second that they run calls. Such an entry is valid for three seconds. */
export const heartbeatPrefixes = ['calls-once/process/', 'engine-local/process/', 'engine-dbos/process/'] as const;

/** Error of a process of an earlier version that begins a call in a store of this version, which would take each other's calls for lost. */
export const upgradedMessage = 'this store was upgraded; restart this process with the version that upgraded it';

/** Maximum wait for processes that have just ended, and interval, in milliseconds. */
const maxWaitMs = 5000;
const pollIntervalMs = 250;

/**
 * Resolves when no process of an earlier version runs calls in a store that is to be upgraded. Rejects with STATE_UNAVAILABLE when one still
 * does after five seconds. `hasHeartbeat`: true while an entry of `heartbeatPrefixes` is valid. `store`: name for the message.
 */
export async function waitForEarlierProcesses(store: string, hasHeartbeat: () => Promise<boolean>, waitMs = maxWaitMs): Promise<void> {
  const startedAt = performance.now();
  while (await hasHeartbeat()) {
    if (performance.now() - startedAt > waitMs) throw stillRunning(store);
    await setTimeout(pollIntervalMs);
  }
}

function stillRunning(store: string): ToolkitError {
  return new ToolkitError(
    'STATE_UNAVAILABLE',
    `The store ${store} is not upgraded while processes of an earlier version run calls with it. Stop them, and start again: both versions cannot use it at the same time.`,
  );
}
