/**
 * Measures the cost of the audit trail per call: `npx tsx test/bench/audit.ts`. Audited and unaudited rounds take turns in one process, so that
 * other work on the machine slows both alike. Each figure is the median of its rounds.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import type { Kernel, PluginEntry } from '@toolkit/core';
import { percentile } from './rows.ts';

// The built package (`npm run build`), because that is what people run.
const {
  apiVersion,
  auditTrail,
  createKernel,
  createLogger,
  definePlugin,
  executorFunction,
  validateOutput,
}: typeof import('@toolkit/core') = await import(path.resolve('dist/plugins/toolkit/index.js'));

const rounds = 15;
const callsOfRound = 3000;
const busyMs = 10;
const busyRoundMs = 1000;

const parameters = { channel: 'C024BE91L', text: 'The build of main is green again.', limit: 20 };

/** `low` ends in the turn that it begins in, `turns` needs one of the event loop, `high` has a record before it as well. */
const tools = [
  { name: 'low', risk: 'low', handler: () => ({ ok: true }) },
  { name: 'turns', risk: 'low', handler: () => turn({ ok: true }) },
  { name: 'high', risk: 'high', handler: () => ({ ok: true }) },
].map(({ name, risk, handler }) => ({
  name,
  risk,
  description: 'Posts a message.',
  parameters: { channel: { type: 'string' }, text: { type: 'string' }, limit: { type: 'integer' } },
  execution: { type: 'function', handler },
}));

const folder = await mkdtemp(path.join(os.tmpdir(), 'audit-bench-'));
const offers = definePlugin({
  name: 'offers',
  apiVersion,
  apply: ({ hooks }) =>
    hooks.discover.tap('offers', (sink) => {
      for (const tool of tools) sink.addTool(tool);
    }),
});
const started = (plugins: readonly PluginEntry[]): Promise<Kernel> =>
  createKernel({
    plugins: [executorFunction(), validateOutput(), offers(), ...plugins],
    logger: createLogger({ env: {}, write: () => {} }),
  });
const kernels = [await started([]), await started([auditTrail({ path: path.join(folder, 'calls.jsonl') })])];

/** CPU time a call in milliseconds. */
async function cpuMs(kernel: Kernel, tool: string, inFlight: number): Promise<number> {
  const before = process.cpuUsage();
  let left = callsOfRound;
  const worker = async (): Promise<void> => {
    while (left-- > 0) await kernel.execute(tool, parameters);
  };
  await Promise.all(Array.from({ length: inFlight }, worker));
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000 / callsOfRound;
}

/** Calls a second beside a loop that is busy in every turn. */
async function rateBesideBusyLoop(kernel: Kernel, inFlight: number): Promise<number> {
  const endsAt = performance.now() + busyRoundMs;
  let calls = 0;
  const busy = async (): Promise<void> => {
    while (performance.now() < endsAt) {
      const until = performance.now() + busyMs;
      while (performance.now() < until);
      await turn();
    }
  };
  const worker = async (): Promise<void> => {
    while (performance.now() < endsAt) {
      await kernel.execute('turns', parameters);
      calls++;
    }
  };
  await Promise.all([busy(), ...Array.from({ length: inFlight }, worker)]);
  return (calls * 1000) / busyRoundMs;
}

/** Medians without and with the trail, and of the differences. */
async function paired(times: number, measure: (kernel: Kernel) => Promise<number>): Promise<readonly [number, number, number]> {
  const pairs: (readonly [number, number])[] = [];
  for (let round = 0; round < times; round++) {
    const values = new Map<Kernel, number>();
    for (const kernel of round % 2 === 0 ? kernels : kernels.toReversed()) values.set(kernel, await measure(kernel));
    const [without = Number.NaN, withTrail = Number.NaN] = kernels.map((kernel) => values.get(kernel));
    pairs.push([without, withTrail]);
  }
  // The first rounds compile the code.
  const warm = pairs.slice(Math.floor(times / 5));
  const median = (pick: (pair: readonly [number, number]) => number): number => percentile(warm.map(pick), 0.5);
  return [median(([without]) => without), median(([, withTrail]) => withTrail), median(([without, withTrail]) => withTrail - without)];
}

function microseconds(ms: number): string {
  return `${(ms * 1000).toFixed(1)} µs`;
}

function print({ what, value, budget }: { readonly what: string; readonly value: string; readonly budget: string }): void {
  process.stdout.write(`${what}: ${value} (budget ${budget})\n`);
}

try {
  for (const [tool, inFlight, budget] of [
    ['low', 1, 'none'],
    ['low', 50, '20 µs'],
    ['turns', 1, 'none'],
    ['turns', 50, '20 µs'],
    ['high', 1, 'none'],
    ['high', 50, 'none'],
  ] as const) {
    const [without, withTrail, added] = await paired(rounds, (kernel) => cpuMs(kernel, tool, inFlight));
    const both = `${microseconds(without)} without, ${microseconds(withTrail)} with`;
    print({ what: `CPU that the trail adds, tool "${tool}", ${inFlight} in flight`, value: `${microseconds(added)} (${both})`, budget });
  }
  for (const inFlight of [1, 50]) {
    const [without, withTrail] = await paired(5, (kernel) => rateBesideBusyLoop(kernel, inFlight));
    const share = (withTrail / without).toFixed(2);
    const value = `${share} (${without.toFixed(0)} calls/s without, ${withTrail.toFixed(0)} with)`;
    print({ what: `audited rate beside a loop busy ${busyMs} ms a turn, ${inFlight} in flight`, value, budget: '0.6' });
  }
} finally {
  await Promise.all(kernels.map((kernel) => kernel.close()));
  await rm(folder, { recursive: true });
}
