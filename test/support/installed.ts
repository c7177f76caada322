import { mkdir, symlink } from 'node:fs/promises';
import path from 'node:path';

/** Where npm puts this package, below a project. */
export const installedAt = 'node_modules/@toolkit/core';

/** Puts this checkout into the project as if it were installed there, with the program in `.bin`. */
export async function installIn(project: string): Promise<void> {
  await mkdir(path.join(project, path.dirname(installedAt)), { recursive: true });
  await mkdir(path.join(project, 'node_modules/.bin'), { recursive: true });
  await symlink(path.resolve('.'), path.join(project, installedAt), 'dir');
  await symlink('../@toolkit/core/dist/plugins/toolkit/main.js', path.join(project, 'node_modules/.bin/toolkit'));
}
