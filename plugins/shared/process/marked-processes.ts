import { readdirSync, readFileSync } from 'node:fs';

/** Environment variable that child processes inherit, by which the processes of one run are found. */
export const markVariable = 'TOOLKIT_RUN';

/** Maximum repetitions of a search. It repeats while it finds processes: a killed process can no longer start others. */
const maxSearches = 50;

/**
 * Sends a signal to every process with the mark in its environment, even after it left the process group (`setsid`). Linux only. Finds no
 * process that has cleared its environment, or runs as another account.
 */
export function signalMarked(mark: string, signal: NodeJS.Signals): void {
  if (process.platform !== 'linux') return;
  const entry = Buffer.from(`${markVariable}=${mark}`);
  const signalled = new Set<number>();
  for (let search = 0; search < maxSearches; search += 1) {
    const found = processes().filter((pid) => !signalled.has(pid) && environmentOf(pid)?.includes(entry));
    if (found.length === 0) return;
    for (const pid of found) {
      signalled.add(pid);
      try {
        process.kill(pid, signal);
      } catch {
        // It has ended meanwhile.
      }
    }
  }
}

function processes(): readonly number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number);
}

/** Returns the environment at the start of a process (proc(5)). Undefined when it has ended or belongs to another account. */
function environmentOf(pid: number): Buffer | undefined {
  try {
    return readFileSync(`/proc/${pid}/environ`);
  } catch {
    return undefined;
  }
}
