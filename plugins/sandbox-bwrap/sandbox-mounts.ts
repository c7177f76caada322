import { lstat, realpath } from 'node:fs/promises';
import path from 'node:path';
import type { ControlFiles, LaunchFacts, ProgramStart } from '../../kernel/index.ts';
import { isInside } from '../shared/project/is-inside.ts';
import type { FoundFile } from './file-tree.ts';
import { type Mount, Mounts } from './mounts.ts';
import { existing, openedFolders, outermost, type SandboxPlaces } from './places.ts';

/** Limit of memory for one program, in each of its private folders, in bytes. */
const privateBytes = 1024 ** 3;

/** Returns the file system of one program. `found`: the control files in it; `own`: the folders of its tool. */
export async function sandboxMounts(
  { roots, readable, hidden, system, home }: SandboxPlaces,
  found: readonly FoundFile[],
  own: readonly string[],
  { cwd }: ProgramStart,
  { reads, writes, network, controlFiles }: LaunchFacts,
): Promise<Mounts> {
  const opened = writes.flatMap((grant) => openedFolders[grant]);
  const isOpen = (place: string): boolean => [...roots, ...readable].some((folder) => isInside(place, folder));
  const resolver = network ? await existing(['/etc/resolv.conf']) : [];
  const mounts = new Mounts([
    ...['/tmp', '/var/tmp', '/dev/shm'].map((folder) => privateFolder(folder, '1777')),
    ...(path.dirname(home) === home ? [] : [privateFolder(home)]),
    ...system.filter(({ path: place }) => !isOpen(place)),
    ...roots.map((folder): Mount => ({ path: folder, kind: 'write' })),
    ...readable.map((folder): Mount => ({ path: folder, kind: 'read' })),
    ...[...own, ...(await existing(reads)), ...resolver]
      .filter((place) => !isOpen(place))
      .map((place): Mount => ({ path: place, kind: 'read' })),
  ]);
  const add = (mount: Mount): void => {
    const root = outermost(roots).find((folder) => isInside(mount.path, folder));
    if (root === undefined) mounts.add(mount);
    else mounts.addWall(mount, root);
  };
  // A folder of the PATH below a root is writable where packages are.
  if (!writes.includes('packages')) for (const mount of system.filter(({ path: place }) => isOpen(place))) add(mount);
  for (const { target, isFolder, isSecret, path: place } of found) {
    if (target === undefined || !mounts.shows(target)) continue;
    if (isSecret) add({ path: target, kind: 'hide', isFolder });
    else if (!opened.includes(path.basename(place))) add({ path: target, kind: 'read' });
    // Hooks, which git itself runs, stay read-only.
    else if (path.basename(place) === '.git')
      for (const hooks of await existing([path.join(target, 'hooks')])) add({ path: hooks, kind: 'read' });
  }
  for (const { place, isFolder } of await secretPlaces(controlFiles)) if (mounts.shows(place)) add({ path: place, kind: 'hide', isFolder });
  for (const place of hidden) {
    const stats = await lstat(place).catch(() => undefined);
    if (stats !== undefined) add({ path: place, kind: 'hide', isFolder: stats.isDirectory() });
  }
  for (const place of await openPlaces(controlFiles)) if (mounts.around(place)?.kind === 'hide') mounts.add({ path: place, kind: 'write' });
  const folder = await realpath(cwd).catch(() => cwd);
  // A program whose working directory is not in the sandbox starts in an empty folder of that name.
  if (path.dirname(folder) !== folder && !mounts.shows(folder) && mounts.around(folder)?.kind !== 'hide') mounts.add(privateFolder(folder));
  return mounts;
}

function privateFolder(folder: string, mode = '0700'): Mount {
  return { path: folder, kind: 'private', maxBytes: privateBytes, mode };
}

/** Returns the paths of secrets that plugins name, wherever they are: the search does not cover folders of the system. */
async function secretPlaces({ rules }: ControlFiles): Promise<{ readonly place: string; readonly isFolder: boolean }[]> {
  const named = rules.filter(({ pattern, read }) => !read && path.isAbsolute(pattern) && !pattern.includes('*'));
  const places = await Promise.all(
    named.map(async ({ pattern }) => {
      const place = await realpath(pattern).catch(() => undefined);
      const stats = place === undefined ? undefined : await lstat(place).catch(() => undefined);
      return place === undefined || stats === undefined ? [] : [{ place, isFolder: stats.isDirectory() }];
    }),
  );
  return places.flat();
}

/** Returns the paths that plugins except from their control folders, such as the folder of temporary files. */
async function openPlaces({ rules }: ControlFiles): Promise<string[]> {
  return existing(rules.flatMap(({ pattern }) => (pattern.startsWith('!/') && !pattern.includes('*') ? [pattern.slice(1)] : [])));
}
