import { execFile } from 'node:child_process';
import { chmod, mkdtemp, rm, statfs, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';

/** Where Linux has a file system in memory. */
const place = '/dev/shm';

/** Minimum of free memory in bytes, because tests write into it. */
const minBytes = 8 * 2 ** 30;

/**
 * A folder in memory for what tests write: they make and remove small files all the time, which takes a disk up to a fifth of their time.
 * Undefined where there is none, where it is small, as it is in a container, or where no program may be started from it.
 * @returns {Promise<string | undefined>}
 */
export async function memoryFolder() {
  if (process.platform !== 'linux' || os.freemem() < minBytes) return undefined;
  let folder;
  try {
    const { bavail, bsize } = await statfs(place);
    if (bavail * bsize < minBytes) return undefined;
    folder = await mkdtemp(path.join(place, 'toolkit-ci-'));
    // As /tmp: databases of tests run under another account.
    await chmod(folder, 0o1777);
    const program = path.join(folder, 'program');
    await writeFile(program, '#!/bin/sh\n');
    await chmod(program, 0o700);
    await promisify(execFile)(program);
    await rm(program);
    return folder;
  } catch {
    if (folder !== undefined) await rm(folder, { recursive: true, force: true });
    return undefined;
  }
}
