import { readdir, realpath } from 'node:fs/promises';
import path from 'node:path';
import { ancestors } from '../shared/project/ancestors.ts';
import { codeRoot } from '../shared/project/layout.ts';
import { isPlanted } from '../shared/project/planted.ts';

export interface ToolPackage {
  readonly name: string;
  /** Directories or files with definitions. */
  readonly paths: readonly string[];
}

const scope = '@toolkit';

/**
 * The packages under the scope in every node_modules from `cwd` upwards, then in those from this program upwards. The nearest of a name wins.
 * A node_modules that another account has put into a folder of all accounts is passed over, and told to `onPlanted`.
 */
export async function nodePackages(cwd: string, onPlanted: (folder: string) => void = () => {}): Promise<ToolPackage[]> {
  const found = new Map<string, string>();
  for (const folder of [...ancestors(cwd), ...ancestors(codeRoot())]) {
    const scoped = path.join(folder, 'node_modules', scope);
    const names = await namesIn(scoped);
    const isForeign = names.length > 0 && isPlanted(path.dirname(scoped));
    if (isForeign) onPlanted(path.dirname(scoped));
    for (const name of isForeign ? [] : names) {
      const place = path.join(scoped, name);
      // A link whose target is gone is kept as it is: reading it says so.
      if (!found.has(name)) found.set(name, await realpath(place).catch(() => place));
    }
  }
  return [...found].sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, place]) => ({ name: `${scope}/${name}`, paths: [place] }));
}

async function namesIn(folder: string): Promise<string[]> {
  try {
    const entries = await readdir(folder, { withFileTypes: true });
    return entries.filter((entry) => !entry.isFile() && !entry.name.startsWith('.')).map(({ name }) => name);
  } catch {
    return [];
  }
}
