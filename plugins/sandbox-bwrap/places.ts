import { realpath } from 'node:fs/promises';
import type { LaunchFacts, WriteGrant } from '../../kernel/index.ts';
import { isInside } from '../shared/project/is-inside.ts';
import type { Mount } from './mounts.ts';

/** The folders of one configuration: absolute paths, with links resolved. */
export interface SandboxPlaces {
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
  return existing(folders.filter((folder) => reads.some((place) => isInside(place, folder))));
}

/** Returns the real paths of those that exist. */
export async function existing(places: readonly string[]): Promise<string[]> {
  const found = await Promise.all(places.map((place) => realpath(place).catch(() => undefined)));
  return [...new Set(found.filter((place) => place !== undefined))];
}

/** Returns the folders that lie in no other. */
export function outermost(folders: readonly string[]): string[] {
  return [...new Set(folders)].filter((folder) => !folders.some((other) => other !== folder && isInside(folder, other)));
}
