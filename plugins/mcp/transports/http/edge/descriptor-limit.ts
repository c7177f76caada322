import { readFileSync } from 'node:fs';

/** Default where the system reports no limit. */
const defaultLimit = 1024;

/** Returns the maximum number of open files and connections of this process. Only Linux reports it. */
export function descriptorLimit(): number {
  try {
    // Own text: written by the system, in ASCII
    const [, soft] = /^Max open files +(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? [];
    return soft === undefined ? defaultLimit : Number(soft);
  } catch {
    return defaultLimit;
  }
}
