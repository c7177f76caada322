import { spawnSync } from 'node:child_process';
import { median, type Row, shown } from '../rows.ts';
import type { StdioProcess } from '../server-process.ts';
import { endedChildrenMs, processTreeMs } from './process-tree.ts';

/** A tool beside the program that does the same. */
export interface Pair {
  readonly what: string;
  readonly tool: string;
  readonly parameters: object;
  readonly program: string;
  readonly args: readonly string[];
  /** The folder that the program runs in. */
  readonly cwd: string;
  /** The goal: the time of the tool in times of the program. */
  readonly most: number;
}

interface Figures {
  readonly wallMs: number[];
  cpuMs: number;
}

/** Measures pairs in turns, each `count` times after one of each: the median of the time that passes, and processor time beside it. */
export async function measurePairs(server: StdioProcess, pairs: readonly Pair[], count: number): Promise<Row[]> {
  const rows: Row[] = [];
  for (const pair of pairs) {
    const figures = { tool: { wallMs: [], cpuMs: 0 }, native: { wallMs: [], cpuMs: 0 } } satisfies Record<string, Figures>;
    for (let round = -1; round < count; round++) {
      const tool = await measured(
        () => processTreeMs(server.pid),
        () => server.call(pair.tool, pair.parameters),
      );
      const native = await measured(endedChildrenMs, () => runNative(pair));
      // The first round warms both.
      if (round < 0) continue;
      add(figures.tool, tool);
      add(figures.native, native);
    }
    rows.push(rowOf(pair, figures, count));
  }
  return rows;
}

interface Sample {
  readonly wallMs: number;
  readonly cpuMs: number;
}

async function measured(cpuMs: () => number, work: () => Promise<void> | void): Promise<Sample> {
  const cpuBefore = cpuMs();
  const startedAt = performance.now();
  await work();
  const wallMs = performance.now() - startedAt;
  return { wallMs, cpuMs: cpuMs() - cpuBefore };
}

function add(figures: Figures, { wallMs, cpuMs }: Sample): void {
  figures.wallMs.push(wallMs);
  figures.cpuMs += cpuMs;
}

/** Exit 1 says that nothing was found, or that something differs. */
function runNative({ program, args, cwd }: Pair): void {
  const { status, error, stderr } = spawnSync(program, args, { cwd, maxBuffer: 1024 * 1024 * 1024 });
  if (error !== undefined) throw error;
  if (status === null || status > 1)
    throw new Error(`${program} ${args.join(' ')} ended with ${status}: ${stderr.toString().slice(0, 200)}`);
}

function rowOf({ what, program, most }: Pair, { tool, native }: Record<'tool' | 'native', Figures>, count: number): Row {
  const [toolMs, nativeMs] = [median(tool.wallMs), median(native.wallMs)];
  const cpu = `CPU ${shown(tool.cpuMs / count)} / ${shown(native.cpuMs / count)}`;
  const ratio = toolMs / nativeMs;
  return {
    what: `${what} (${cpu} ms)`,
    goal: `≤ ${most} × ${program}`,
    figure: `${shown(toolMs)} / ${shown(nativeMs)} ms`,
    ratio,
    isKept: ratio <= most,
  };
}
