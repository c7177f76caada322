import type { FileAccess } from '../../../kernel/index.ts';
import { confinedGitFolders, type GitContext, gitFolderOf, pathSettings } from './confine.ts';
import type { GitFolders } from './git-folder.ts';
import { type Fingerprint, fingerprintOfSettings, fingerprintOfTree, joined } from './repository-fingerprint.ts';
import { dependOnKnownFiles, memoryOf } from './repository-memory.ts';
import { type Settings, settingsOf } from './settings.ts';

interface OpenRepository {
  readonly folders: GitFolders;
  readonly settings: Settings;
}

/** Asks git for its folder and settings. Throws as `confinedGitFolders` and `settingsOf` do. */
export async function openWithGit(repository: string, access: FileAccess, context: GitContext): Promise<OpenRepository> {
  const folders = await confinedGitFolders(repository, await gitFolderOf(repository, context.run), access, context);
  return { folders, settings: await settingsOf(repository, context.run) };
}

/**
 * Does the same for a tool that only reads, with a cache: it asks git again when a file has changed that decides the answers.
 * The folders in the answers are checked on every call. `env`: the environment of that git.
 */
export async function openForReading(
  repository: string,
  env: Readonly<Record<string, string>>,
  context: GitContext,
): Promise<OpenRepository> {
  const memory = memoryOf(context.controlFiles).opened;
  const known = memory.get(repository);
  if (known !== undefined) {
    const { gitFolder, settings } = known.answer;
    // When the check refuses it, the Git folder may have changed, so git is asked again.
    const folders = await confinedGitFolders(repository, gitFolder, 'read', context).catch(() => undefined);
    const now = folders === undefined ? undefined : await fingerprintOf(repository, folders, env);
    if (folders !== undefined && now?.text === known.fingerprint) return { folders, settings };
  }
  const tree = await fingerprintOfTree(repository);
  const gitFolder = await gitFolderOf(repository, context.run);
  const folders = await confinedGitFolders(repository, gitFolder, 'read', context);
  const before = joined([tree, await fingerprintOfSettings(folders, env)]);
  const settings = await settingsOf(repository, context.run);
  const after = dependOnKnownFiles(settings) ? await fingerprintOf(repository, folders, env) : undefined;
  memory.store(repository, { gitFolder, settings: pathSettings(settings) }, before, after);
  return { folders, settings };
}

async function fingerprintOf(
  repository: string,
  folders: GitFolders,
  env: Readonly<Record<string, string>>,
): Promise<Fingerprint | undefined> {
  return joined(await Promise.all([fingerprintOfTree(repository), fingerprintOfSettings(folders, env)]));
}
