import { constants } from 'node:fs';
import { access, lstat, readdir, readlink, realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { isInside } from '../shared/project/is-inside.ts';
import type { Mount } from './mounts.ts';

/** Programs and libraries of the system. Links of older layouts (`/bin`) are made again. */
const systemFolders = ['/usr', '/bin', '/sbin', '/lib', '/lib32', '/lib64', '/libx32', '/nix/store', '/gnu/store', '/etc'];

/** Files next to a `bin` folder of the PATH: the libraries of its programs. */
const besideBinNames = ['lib', 'lib64', 'libexec', 'pyvenv.cfg'];

/**
 * Returns the part of the file system that every program needs and every account may read. The sandbox has nothing else of the
 * system. A folder that holds one of `homes` is never shown as a whole.
 */
export async function systemMounts(env: Readonly<Record<string, string | undefined>>, homes: readonly string[]): Promise<readonly Mount[]> {
  const system = (await Promise.all(systemFolders.map(systemMount))).flatMap((mount) => mount ?? []);
  const toolchains = await Promise.all(
    [...pathFolders(env), path.dirname(process.execPath)].map((folder) => toolchainMounts(folder, homes)),
  );
  return [...system, ...toolchains.flat(), ...(await hidePrivateBelow('/etc'))];
}

async function systemMount(folder: string): Promise<Mount | undefined> {
  const stats = await lstat(folder).catch(() => undefined);
  if (stats === undefined) return undefined;
  if (stats.isSymbolicLink()) return { path: folder, kind: 'link', source: await readlink(folder) };
  return { path: folder, kind: 'read' };
}

function pathFolders({ PATH = '' }: Readonly<Record<string, string | undefined>>): string[] {
  return PATH.split(path.delimiter).filter((folder) => path.isAbsolute(folder));
}

/**
 * Returns the mounts of a folder of the PATH, under its name there; with the libraries of a `bin`, and with everything that
 * `shims` starts.
 */
async function toolchainMounts(named: string, homes: readonly string[]): Promise<readonly Mount[]> {
  const folder = path.resolve(named);
  const shownPaths =
    path.basename(folder) === 'shims'
      ? [path.dirname(folder)]
      : [folder, ...(path.basename(folder) === 'bin' ? besideBinNames.map((name) => path.join(path.dirname(folder), name)) : [])];
  const mounts = await Promise.all(
    shownPaths.map(async (entryPath): Promise<Mount | undefined> => {
      const source = await realpath(entryPath).catch(() => undefined);
      // A PATH that names a home folder, or one above it, would show everything in it.
      if (source === undefined || [source, entryPath].some((one) => one === '/' || homes.some((home) => isInside(home, one))))
        return undefined;
      if (systemFolders.includes(entryPath) || [source, entryPath].every((one) => isInside(one, '/usr'))) return undefined;
      return { path: entryPath, kind: 'read', source };
    }),
  );
  return mounts.filter((mount) => mount !== undefined);
}

/** Hides files below a folder that this account may read and others may not: programs do not need them. */
async function hidePrivateBelow(folder: string): Promise<readonly Mount[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  const found = await Promise.all(
    entries.map(async (entry): Promise<readonly Mount[]> => {
      if (entry.isSymbolicLink()) return [];
      const entryPath = path.join(folder, entry.name);
      const stats = await stat(entryPath).catch(() => undefined);
      if (stats === undefined) return [];
      const isOpen = entry.isDirectory() ? (stats.mode & 0o005) === 0o005 : (stats.mode & 0o004) !== 0;
      if (!isOpen) return (await isReadable(entryPath)) ? [{ path: entryPath, kind: 'hide', isFolder: entry.isDirectory() }] : [];
      return entry.isDirectory() ? hidePrivateBelow(entryPath) : [];
    }),
  );
  return found.flat();
}

/** True when this account may read the path. The superuser may read everything. A folder that can only be passed through counts too. */
async function isReadable(entryPath: string): Promise<boolean> {
  for (const mode of [constants.R_OK, constants.X_OK])
    if (
      await access(entryPath, mode).then(
        () => true,
        () => false,
      )
    )
      return true;
  return false;
}
