import { realpath } from 'node:fs/promises';
import type { LaunchFacts, WriteGrant } from '../../kernel/index.ts';
import { isInside } from '../shared/project/is-inside.ts';
import type { Mount } from './mounts.ts';

/** The folders of one configuration: absolute paths, with links resolved. */
export interface SandboxFolders {
  readonly roots: readonly string[];
  readonly readable: readonly string[];
  readonly hidden: readonly string[];
  /** The system and the toolchains. */
  readonly system: readonly Mount[];
  /** The home folder of the account of this process. */
  readonly home: string;
}

/** Names of folders that a grant opens, wherever they are. */
export const openedFolders: Readonly<Record<WriteGrant, readonly string[]>> = {
  git: ['.git'],
  packages: ['node_modules', 'site-packages', 'dist-packages'],
};

/** Returns the folders of the tool itself that hold its program. */
export async function toolFolders({ tool: { origin }, reads }: Pick<LaunchFacts, 'tool' | 'reads'>): Promise<readonly string[]> {
  const folders = [origin.root, origin.directory].filter((folder) => folder !== undefined);
  return existingPaths(folders.filter((folder) => reads.some((file) => isInside(file, folder))));
}

/** Returns the real paths of those that exist. */
export async function existingPaths(entryPaths: readonly string[]): Promise<string[]> {
  const found = await Promise.all(entryPaths.map((entryPath) => realpath(entryPath).catch(() => undefined)));
  return [...new Set(found.filter((entryPath) => entryPath !== undefined))];
}

/** Returns the folders that lie in no other. */
export function outermostFolders(folders: readonly string[]): string[] {
  return [...new Set(folders)].filter((folder) => !folders.some((other) => other !== folder && isInside(folder, other)));
}
