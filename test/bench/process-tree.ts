import { readdirSync, readFileSync } from 'node:fs';

/** Clock ticks of /proc in a second (Linux, on every architecture). */
const ticksPerSecond = 100;

interface Process {
  readonly parent: number;
  readonly cpuMs: number;
}

/** Returns the processor time of a process and of all that run below it, in milliseconds. */
export function treeCpuMs(pid: number): number {
  const processes = new Map<number, Process>();
  for (const name of readdirSync('/proc')) if (/^\d+$/.test(name)) addProcess(processes, Number(name));
  const isBelow = (one: number): boolean => {
    for (let at: number | undefined = one; at !== undefined && at > 0; at = processes.get(at)?.parent) if (at === pid) return true;
    return false;
  };
  return [...processes].reduce((sum, [one, { cpuMs }]) => sum + (isBelow(one) ? cpuMs : 0), 0);
}

function addProcess(processes: Map<number, Process>, pid: number): void {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /, '')
      .split(' ');
    processes.set(pid, { parent: Number(fields[1]), cpuMs: ((Number(fields[11]) + Number(fields[12])) * 1000) / ticksPerSecond });
  } catch {
    // It has ended meanwhile.
  }
}
