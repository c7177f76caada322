import { lstat, realpath } from 'node:fs/promises';
import path from 'node:path';
import type { ControlFiles, LaunchFacts, ProgramStart } from '../../kernel/index.ts';
import { isInside } from '../shared/project/is-inside.ts';
import type { FoundFile } from './file-tree.ts';
import { type Mount, Mounts } from './mounts.ts';
import { existingPaths, openedFolders, outermostFolders, type SandboxFolders } from './sandbox-folders.ts';

/** Limit of memory for one program, in each of its private folders, in bytes. */
const privateBytes = 1024 ** 3;

/** Returns the file system of one program. `found`: the control files in it; `own`: the folders of its tool. */
export async function sandboxMounts(
  { roots, readable, hidden, system, home }: SandboxFolders,
  found: readonly FoundFile[],
  toolFolders: readonly string[],
  { cwd }: ProgramStart,
  { reads, writes, network, controlFiles }: LaunchFacts,
): Promise<Mounts> {
  const openedNames = writes.flatMap((grant) => openedFolders[grant]);
  const isOpen = (entryPath: string): boolean => [...roots, ...readable].some((folder) => isInside(entryPath, folder));
  const resolver = network ? await existingPaths(['/etc/resolv.conf']) : [];
  const mounts = new Mounts([
    ...['/tmp', '/var/tmp', '/dev/shm'].map((folder) => privateFolder(folder, '1777')),
    ...(path.dirname(home) === home ? [] : [privateFolder(home)]),
    ...system.filter(({ path: entryPath }) => !isOpen(entryPath)),
    ...roots.map((folder): Mount => ({ path: folder, kind: 'write' })),
    ...readable.map((folder): Mount => ({ path: folder, kind: 'read' })),
    ...[...toolFolders, ...(await existingPaths(reads)), ...resolver]
      .filter((entryPath) => !isOpen(entryPath))
      .map((entryPath): Mount => ({ path: entryPath, kind: 'read' })),
  ]);
  const add = (mount: Mount): void => {
    const root = outermostFolders(roots).find((folder) => isInside(mount.path, folder));
    if (root === undefined) mounts.add(mount);
    else mounts.addProtection(mount, root);
  };
  // A folder of the PATH below a root is writable where packages are.
  if (!writes.includes('packages')) for (const mount of system.filter(({ path: entryPath }) => isOpen(entryPath))) add(mount);
  for (const { target, isFolder, isSecret, path: entryPath } of found) {
    if (target === undefined || !mounts.isVisible(target)) continue;
    if (isSecret) add({ path: target, kind: 'hide', isFolder });
    else if (!openedNames.includes(path.basename(entryPath))) add({ path: target, kind: 'read' });
    // Hooks, which git itself runs, stay read-only.
    else if (path.basename(entryPath) === '.git')
      for (const hooks of await existingPaths([path.join(target, 'hooks')])) add({ path: hooks, kind: 'read' });
  }
  for (const { entryPath, isFolder } of await findSecretPaths(controlFiles))
    if (mounts.isVisible(entryPath)) add({ path: entryPath, kind: 'hide', isFolder });
  for (const entryPath of hidden) {
    const stats = await lstat(entryPath).catch(() => undefined);
    if (stats !== undefined) add({ path: entryPath, kind: 'hide', isFolder: stats.isDirectory() });
  }
  for (const entryPath of await findExceptedPaths(controlFiles))
    if (mounts.innermostAt(entryPath)?.kind === 'hide') mounts.add({ path: entryPath, kind: 'write' });
  const folder = await realpath(cwd).catch(() => cwd);
  // A program whose working directory is not in the sandbox starts in an empty folder of that name.
  if (path.dirname(folder) !== folder && !mounts.isVisible(folder) && mounts.innermostAt(folder)?.kind !== 'hide')
    mounts.add(privateFolder(folder));
  return mounts;
}

function privateFolder(folder: string, mode = '0700'): Mount {
  return { path: folder, kind: 'private', maxBytes: privateBytes, mode };
}

/** Returns the paths of secrets that plugins name, wherever they are: the search does not cover folders of the system. */
async function findSecretPaths({ rules }: ControlFiles): Promise<{ readonly entryPath: string; readonly isFolder: boolean }[]> {
  const named = rules.filter(({ pattern, read }) => !read && path.isAbsolute(pattern) && !pattern.includes('*'));
  const entryPaths = await Promise.all(
    named.map(async ({ pattern }) => {
      const entryPath = await realpath(pattern).catch(() => undefined);
      const stats = entryPath === undefined ? undefined : await lstat(entryPath).catch(() => undefined);
      return entryPath === undefined || stats === undefined ? [] : [{ entryPath, isFolder: stats.isDirectory() }];
    }),
  );
  return entryPaths.flat();
}

/** Returns the paths that plugins except from their control folders, such as the folder of temporary files. */
async function findExceptedPaths({ rules }: ControlFiles): Promise<string[]> {
  return existingPaths(rules.flatMap(({ pattern }) => (pattern.startsWith('!/') && !pattern.includes('*') ? [pattern.slice(1)] : [])));
}
