import { existsSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** True when the TypeScript sources themselves run. */
export const runsFromSource = import.meta.url.endsWith('.ts');

const root = rootAbove(path.dirname(fileURLToPath(import.meta.url)));

/** Returns the folder with `kernel/`, `plugins/` and `tools/`: the project when run from source, `dist/` when built. */
export function codeRoot(): string {
  if (root === undefined) throw new Error(`no folder above ${import.meta.url} holds the code of toolkit`);
  return root;
}

function rootAbove(folder: string): string | undefined {
  if (existsSync(path.join(folder, 'kernel')) && existsSync(path.join(folder, 'plugins', 'toolkit'))) return folder;
  return folder === path.dirname(folder) ? undefined : rootAbove(path.dirname(folder));
}

/** Returns the path of a module below the code root. `name` has no extension. */
export function codeModule(name: string): string {
  return path.join(codeRoot(), `${name}${runsFromSource ? '.ts' : '.js'}`);
}
