import { readFile } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';

/** Processor time that the main thread of a process has used, in milliseconds (Linux). */
export async function mainThreadMs(pid: number): Promise<number> {
  const schedstat = await readFile(`/proc/${pid}/task/${pid}/schedstat`, 'utf8');
  return Number(schedstat.split(' ')[0]) / 1e6;
}

/** The longest wait for an answer to a ping, beside other work of the same process. */
export interface LongestWait {
  /** Processor time of its main thread between a ping and its answer. */
  readonly processorMs: number;
  readonly wallMs: number;
}

/** Between two pings, in milliseconds: pings without a pause would be most of the work, and what blocks for long is met by one of these. */
const pauseMs = 10;

/** Sends pings, one after the other, from when the work has begun until it has ended. The largest of each figure. */
export async function longestWait(pid: number, ping: () => Promise<unknown>, work: () => Promise<unknown>): Promise<LongestWait> {
  let isOver = false;
  const working = work().finally(() => {
    isOver = true;
  });
  const waits: LongestWait[] = [];
  while (!isOver) {
    const [processor, wall] = [await mainThreadMs(pid), performance.now()];
    await ping();
    waits.push({ processorMs: (await mainThreadMs(pid)) - processor, wallMs: performance.now() - wall });
    await pause(pauseMs);
  }
  await working;
  return { processorMs: Math.max(...waits.map(({ processorMs }) => processorMs)), wallMs: Math.max(...waits.map(({ wallMs }) => wallMs)) };
}

export function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}
