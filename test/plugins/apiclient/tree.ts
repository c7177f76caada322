import { readdir } from 'node:fs/promises';
import path from 'node:path';

/** Every file and folder below a folder, hidden ones too, relative to it; folders end with a slash. */
export async function treeOf(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { withFileTypes: true, recursive: true });
  return entries
    .map((entry) => `${path.relative(folder, path.join(entry.parentPath, entry.name))}${entry.isDirectory() ? '/' : ''}`)
    .sort();
}
