import { readFileSync } from 'node:fs';

/** Where the system does not say. */
const usual = 1024;

/** The number of files and connections that this process may have open. On Linux alone it is known. */
export function descriptorLimit(): number {
  try {
    // Own text: written by the system, in ASCII
    const [, soft] = /^Max open files +(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? [];
    return soft === undefined ? usual : Number(soft);
  } catch {
    return usual;
  }
}
