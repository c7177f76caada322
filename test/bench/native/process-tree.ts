import { readdirSync, readFileSync } from 'node:fs';

/** Clock ticks of /proc in a second (Linux, on every architecture). */
const ticksPerSecond = 100;

interface ProcessTimes {
  readonly parent: number;
  /** Processor time of the process and of its children that have ended, in milliseconds. */
  readonly ownMs: number;
}

/** Processor time so far of a process, of those that it started and of those that these started, in milliseconds. */
export function processTreeMs(top: number): number {
  const times = new Map(
    readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .flatMap((name) => timesOf(Number(name))),
  );
  const belongs = (process: number): boolean => {
    for (let at: number | undefined = process; at !== undefined && at > 1; at = times.get(at)?.parent) if (at === top) return true;
    return false;
  };
  return [...times].filter(([process]) => belongs(process)).reduce((sum, [, { ownMs }]) => sum + ownMs, 0);
}

/** Processor time of the children of this process that have ended, in milliseconds. */
export function endedChildrenMs(): number {
  const fields = fieldsOf(process.pid);
  return ((Number(fields[13]) + Number(fields[14])) * 1000) / ticksPerSecond;
}

function timesOf(process: number): [number, ProcessTimes][] {
  try {
    const fields = fieldsOf(process);
    const ticks = [11, 12, 13, 14].reduce((sum, field) => sum + Number(fields[field]), 0);
    return [[process, { parent: Number(fields[1]), ownMs: (ticks * 1000) / ticksPerSecond }]];
  } catch {
    // It has ended.
    return [];
  }
}

function fieldsOf(process: number): readonly string[] {
  const stat = readFileSync(`/proc/${process}/stat`, 'utf8');
  // Behind the name, which may hold anything.
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
}
