import type { FileAccess } from '../../../kernel/index.ts';
import { type Around, confinedGitFolders, gitFolderOf, settingsOfPlaces } from './confine.ts';
import type { GitFolders } from './git-folder.ts';
import { type Fingerprint, fingerprintOfSettings, fingerprintOfTree, joined } from './repository-fingerprint.ts';
import { dependOnKnownFiles, memoryOf } from './repository-memory.ts';
import { type Settings, settingsOf } from './settings.ts';

interface Opened {
  readonly folders: GitFolders;
  readonly settings: Settings;
}

/** Asks git for its folder and settings. Throws as `confinedGitFolders` and `settingsOf` do. */
export async function opened(repository: string, access: FileAccess, around: Around): Promise<Opened> {
  const folders = await confinedGitFolders(repository, await gitFolderOf(repository, around.run), access, around);
  return { folders, settings: await settingsOf(repository, around.run) };
}

/**
 * Does the same for a tool that only reads, with a cache: it asks git again when a file has changed that decides the answers.
 * The folders in the answers are checked on every call. `env`: the environment of that git.
 */
export async function openedForReading(repository: string, env: Readonly<Record<string, string>>, around: Around): Promise<Opened> {
  const memory = memoryOf(around.controlFiles).opened;
  const known = memory.get(repository);
  if (known !== undefined) {
    const { gitFolder, settings } = known.answer;
    // When the check refuses it, the Git folder may have changed, so git is asked again.
    const folders = await confinedGitFolders(repository, gitFolder, 'read', around).catch(() => undefined);
    const now = folders === undefined ? undefined : await fingerprintOf(repository, folders, env);
    if (folders !== undefined && now?.text === known.fingerprint) return { folders, settings };
  }
  const tree = await fingerprintOfTree(repository);
  const gitFolder = await gitFolderOf(repository, around.run);
  const folders = await confinedGitFolders(repository, gitFolder, 'read', around);
  const before = joined([tree, await fingerprintOfSettings(folders, env)]);
  const settings = await settingsOf(repository, around.run);
  const after = dependOnKnownFiles(settings) ? await fingerprintOf(repository, folders, env) : undefined;
  memory.keep(repository, { gitFolder, settings: settingsOfPlaces(settings) }, before, after);
  return { folders, settings };
}

async function fingerprintOf(
  repository: string,
  folders: GitFolders,
  env: Readonly<Record<string, string>>,
): Promise<Fingerprint | undefined> {
  return joined(await Promise.all([fingerprintOfTree(repository), fingerprintOfSettings(folders, env)]));
}
