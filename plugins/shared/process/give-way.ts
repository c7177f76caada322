import { readlinkSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';

/** Behind the event loop that serves everybody, and not so far behind that other programs of the machine leave nothing. */
const niceness = 5;

/** What computes in another process or thread (on Linux: `/proc/thread-self`) gives way to the event loop of this one. Does nothing where the system cannot. */
export function giveWay(id: number | undefined): void {
  try {
    // 0 would be this process.
    if (id !== undefined && id > 0) os.setPriority(id, niceness);
  } catch {
    // It has ended, or may not be changed.
  }
}

/** The number that the system knows the running thread by; undefined where it does not say. */
export function threadId(): number | undefined {
  try {
    return Number(path.basename(readlinkSync('/proc/thread-self')));
  } catch {
    return undefined;
  }
}
