import { readdir } from 'node:fs/promises';
import path from 'node:path';

/** Finds the files of code that are written by hand, below the folders of the sources. */
export async function sources(): Promise<readonly string[]> {
  const found = await Promise.all(
    ['kernel', 'plugins', 'tools'].map(async (folder) => {
      const files = await readdir(folder, { recursive: true });
      return files
        .filter((file) => /(?<!\.d)\.m?[jt]s$/.test(file) && !file.includes('node_modules'))
        .map((file) => path.join(folder, file));
    }),
  );
  // Beside a .ts of the same name stands what was built of it.
  const all = new Set(found.flat());
  return [...all].filter((file) => !file.endsWith('.js') || !all.has(file.replace(/\.js$/, '.ts')));
}
