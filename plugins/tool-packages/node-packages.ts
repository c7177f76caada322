import { readdir, realpath } from 'node:fs/promises';
import path from 'node:path';
import { codeRoot } from '../shared/layout.ts';

export interface ToolPackage {
  readonly name: string;
  /** Directories or files with definitions. */
  readonly paths: readonly string[];
}

const scope = '@toolkit';

/** The packages under the scope in every node_modules from `cwd` upwards, then in those from this program upwards. The nearest of a name wins. */
export async function nodePackages(cwd: string): Promise<ToolPackage[]> {
  const found = new Map<string, string>();
  for (const folder of [...ancestors(cwd), ...ancestors(codeRoot())]) {
    const scoped = path.join(folder, 'node_modules', scope);
    for (const name of await namesIn(scoped)) {
      const place = path.join(scoped, name);
      // A link whose target is gone is kept as it is: reading it says so.
      if (!found.has(name)) found.set(name, await realpath(place).catch(() => place));
    }
  }
  return [...found].sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, place]) => ({ name: `${scope}/${name}`, paths: [place] }));
}

function ancestors(folder: string): string[] {
  const parent = path.dirname(folder);
  return parent === folder ? [folder] : [folder, ...ancestors(parent)];
}

async function namesIn(folder: string): Promise<string[]> {
  try {
    const entries = await readdir(folder, { withFileTypes: true });
    return entries.filter((entry) => !entry.isFile() && !entry.name.startsWith('.')).map(({ name }) => name);
  } catch {
    return [];
  }
}
