import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { type Figure, percentile } from './figures.ts';

const run = promisify(execFile);
const rounds = 9;
const program = path.resolve('dist/plugins/toolkit/main.js');

/** How long commands take from start to end, with everything that comes with the program. */
export async function commands(): Promise<Figure[]> {
  const cwd = await mkdtemp(path.join(os.tmpdir(), 'toolkit-bench-'));
  const list = await timed(['list'], cwd);
  const call = await timed(['run', 'time_now', '--timezone', 'UTC'], cwd);
  await rm(cwd, { recursive: true });
  return [
    { what: 'toolkit list', value: list, budget: '500 ms' },
    { what: 'toolkit run of a core tool', value: call, budget: 'none' },
  ];
}

async function timed(args: readonly string[], cwd: string): Promise<string> {
  const samples: number[] = [];
  for (let round = 0; round <= rounds; round++) {
    const startedAt = performance.now();
    await run(process.execPath, [program, ...args], { cwd });
    // The first is not warm.
    if (round > 0) samples.push(performance.now() - startedAt);
  }
  return `${percentile(samples, 0.5).toFixed(0)} ms`;
}
