import { constants, copyFileSync, renameSync, statSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import path from 'node:path';

/** The ending of a copy whose entry was put back: the next `--undo` goes on to the one before. */
const used = '.used';

/** A change of one server's entry. */
export interface Copy {
  readonly at: Date;
  /** The name of the server: letters, digits, `-` and `_`. */
  readonly name: string;
}

/** Copies the file beside itself and returns the name of the copy. A copy that is there is never written over. */
export function backUp(file: string, { at, name }: Copy): string {
  const stamp = at.toISOString().replaceAll(/[-:]|\.\d+/g, '');
  for (let count = 1; ; count += 1) {
    const backup = `${file}.${stamp}${count === 1 ? '' : `-${count}`}.${name}.bak`;
    if ([backup, backup + used].some((place) => statSync(place, { throwIfNoEntry: false }) !== undefined)) continue;
    copyFileSync(file, backup, constants.COPYFILE_EXCL);
    return backup;
  }
}

/** Finds the newest copy that was made for this server and not put back yet; undefined where there is none. */
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

/** Marks a copy as put back, and returns its new name. */
export function useUp(backup: string): string {
  renameSync(backup, backup + used);
  return backup + used;
}
