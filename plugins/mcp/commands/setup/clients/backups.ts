import { constants, copyFileSync, renameSync, statSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import path from 'node:path';

/** Suffix of a backup that `--undo` has used, so that the next `--undo` uses the one before it. */
const usedSuffix = '.used';

/** Time and server name, of which the name of a backup is made. */
export interface BackupLabel {
  readonly at: Date;
  /** Server name: letters, digits, `-` and `_`. */
  readonly name: string;
}

/** Copies the file next to itself and returns the path of the backup. Never overwrites an existing one. */
export function backUp(file: string, { at, name }: BackupLabel): string {
  const stamp = at.toISOString().replaceAll(/[-:]|\.\d+/g, '');
  for (let count = 1; ; count += 1) {
    const backup = `${file}.${stamp}${count === 1 ? '' : `-${count}`}.${name}.bak`;
    if ([backup, backup + usedSuffix].some((candidate) => statSync(candidate, { throwIfNoEntry: false }) !== undefined)) continue;
    copyFileSync(file, backup, constants.COPYFILE_EXCL);
    return backup;
  }
}

/** Finds the newest unused backup for this server; undefined when there is none. */
export async function lastBackup(file: string, server: string): Promise<string | undefined> {
  const prefix = `${path.basename(file)}.`;
  const ending = `.${server}.bak`;
  const names = await readdir(path.dirname(file)).catch(() => []);
  const stamps = names.flatMap((name) => {
    const isOurs = name.startsWith(prefix) && name.endsWith(ending);
    const [, stamp, count = '1'] = (isOurs && /^(\d{8}T\d{6}Z)(?:-(\d+))?$/.exec(name.slice(prefix.length, -ending.length))) || [];
    return stamp === undefined ? [] : [{ name, order: `${stamp} ${count.padStart(9, '0')}` }];
  });
  const [newest] = stamps.sort((one, other) => (one.order < other.order ? 1 : -1));
  return newest === undefined ? undefined : path.join(path.dirname(file), newest.name);
}

/** Marks a backup as used and returns its new path. */
export function markUsed(backup: string): string {
  renameSync(backup, backup + usedSuffix);
  return backup + usedSuffix;
}
