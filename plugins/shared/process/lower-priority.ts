import { readlinkSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';

/** Lower priority than the event loop that serves all calls, but high enough to run beside other programs of the machine. */
const niceness = 5;

/**
 * Lowers the priority of another process or thread (on Linux: `/proc/thread-self`) below that of this event loop. Ignores errors: without
 * the right to do so, the priority stays.
 */
export function lowerPriority(id: number | undefined): void {
  try {
    // 0 would be this process.
    if (id !== undefined && id > 0) os.setPriority(id, niceness);
  } catch {
    // It has ended, or may not be changed.
  }
}

/** Returns the system's number of the running thread; undefined when the system does not report it. */
export function threadId(): number | undefined {
  try {
    return Number(path.basename(readlinkSync('/proc/thread-self')));
  } catch {
    return undefined;
  }
}
