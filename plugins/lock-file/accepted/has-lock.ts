import { existsSync } from 'node:fs';
import path from 'node:path';
import { lockFileName } from '../../shared/lock/lock-file-name.ts';

/** True when there is something at the path of the lock. A file that cannot be read counts: reading it then throws. */
export function hasLock(folder: string): boolean {
  return existsSync(path.join(folder, lockFileName));
}
