import { existsSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** True when the TypeScript sources themselves run. */
export const runsFromSource = import.meta.url.endsWith('.ts');

/** The folder that holds `kernel/`, `plugins/` and `tools/`: the project itself from source, `dist/` once built. */
export function codeRoot(): string {
  for (let folder = path.dirname(fileURLToPath(import.meta.url)); ; folder = path.dirname(folder)) {
    if (existsSync(path.join(folder, 'kernel')) && existsSync(path.join(folder, 'plugins', 'toolkit'))) return folder;
    if (folder === path.dirname(folder)) throw new Error(`no folder above ${import.meta.url} holds the code of toolkit`);
  }
}

/** A module below the code root, given without its extension. */
export function codeModule(name: string): string {
  return path.join(codeRoot(), `${name}${runsFromSource ? '.ts' : '.js'}`);
}
