import { readdirSync, readFileSync } from 'node:fs';

/** The variable that processes inherit, by which those of one run are found again. */
export const markVariable = 'TOOLKIT_RUN';

/** How often a search is repeated while it finds more: what is being killed can no longer start anything. */
const mostSearches = 50;

/**
 * Sends a signal to every process whose environment has the mark, also those that left the process group (`setsid`). Linux only. It
 * finds no process that has cleared its environment, or runs as another account.
 */
export function signalMarked(mark: string, signal: NodeJS.Signals): void {
  if (process.platform !== 'linux') return;
  const entry = Buffer.from(`${markVariable}=${mark}`);
  const signalled = new Set<number>();
  for (let search = 0; search < mostSearches; search += 1) {
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

/** As the process was started (proc(5)). Undefined for one that is gone or that belongs to somebody else. */
function environmentOf(pid: number): Buffer | undefined {
  try {
    return readFileSync(`/proc/${pid}/environ`);
  } catch {
    return undefined;
  }
}
