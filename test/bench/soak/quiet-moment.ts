import { setTimeout as wait } from 'node:timers/promises';
import { sessionIdleMs } from './folder.ts';
import type { Client } from './load.ts';
import { descendantsOf, descriptorKinds, descriptorsOf, threadsOf } from './processes.ts';
import type { LoopDelay, Memory, SoakServer } from './server.ts';

/** Resources of the server at a moment without requests. */
export interface Figures extends Memory {
  /** Since the clients began, in milliseconds. */
  readonly atMs: number;
  readonly descriptors: number;
  readonly descriptorKinds: Readonly<Record<string, number>>;
  readonly processes: number;
  readonly threads: number;
  /** Delay of the event loop while the clients worked before this moment. */
  readonly loopDelayMs: LoopDelay;
}

/** Sessions whose clients have gone, and connections that nobody uses, are over after so long. In milliseconds. */
const settleMs = sessionIdleMs + 1500;

/** Descriptors and processes are the same so many times in a row, this far apart; after so many times as they are. */
const same = { times: 4, everyMs: 250, atMost: 60 };

/** Number of clients that keep their sessions for the whole run. Stored events for resuming end with their session. */
const keepers = 2;

/** Calls that start every thread and Python process that is allowed, so that two moments can be compared. */
const filling = [
  ...Array.from({ length: 8 }, () => ({ name: 'soak_thread', arguments: { rounds: 5_000_000 } })),
  ...Array.from({ length: 8 }, () => ({ name: 'math_evaluate', arguments: { expression: 'sum(map(range(1, 1000), f(x) = x^2))' } })),
  ...Array.from({ length: 12 }, () => ({ name: 'soak_python_slow', arguments: { seconds: 0.5 } })),
];

/**
 * Takes figures. The clients are idle when this is called, and wait for it. `isCompared`: all is there that there may be. `renewsAll`: two moments
 * that are compared begin with new sessions.
 */
export async function quietMoment(
  server: SoakServer,
  clients: readonly Client[],
  { atMs, isCompared, renewsAll }: { readonly atMs: number; readonly isCompared: boolean; readonly renewsAll: boolean },
): Promise<Figures> {
  const loopDelayMs = await server.rest();
  const overHttp = clients.filter(({ caller }) => caller.transport === 'http');
  await Promise.all(overHttp.map(({ caller }, index) => (index < keepers && !renewsAll ? undefined : caller.renew())));
  for (const { caller } of clients) caller.rest();
  // Definitions and code that were written are read again: that ends threads and processes.
  await wait(settleMs);
  await steady(server.pid);
  if (isCompared) {
    await Promise.all(filling.map((call, index) => overHttp[index % overHttp.length]?.caller.request('tools/call', call)));
    for (const { caller } of clients) caller.rest();
    await steady(server.pid);
  }
  const memory = await server.memory();
  const { pid } = server;
  return {
    ...memory,
    atMs,
    loopDelayMs,
    descriptors: descriptorsOf(pid),
    descriptorKinds: descriptorKinds(pid),
    processes: descendantsOf(pid).length,
    threads: threadsOf(pid),
  };
}

async function steady(pid: number): Promise<void> {
  let last = '';
  for (let looked = 0, equal = 1; looked < same.atMost && equal < same.times; looked++) {
    const now = `${descriptorsOf(pid)} ${descendantsOf(pid).length}`;
    equal = now === last ? equal + 1 : 1;
    last = now;
    await wait(same.everyMs);
  }
}
