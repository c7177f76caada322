import { createHash } from 'node:crypto';
import { lstat, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import type { GitFolders } from './git-folder.ts';

/** State of files at one moment, for comparison with a later one. */
export interface Fingerprint {
  readonly text: string;
  /** Last change of any of the files, in epoch milliseconds. */
  readonly changedAtMs: number;
}

/** Maximum size of a file whose content is compared, in bytes. */
const maxFileBytes = 1024 * 1024;

/**
 * Returns the fingerprint of the files that decide which Git folder git finds for a working tree: the kind of `.git`, and that
 * both belong to this account, so that git skips its check of safe.directory. Returns undefined when git must be asked.
 */
export async function fingerprintOfTree(repository: string): Promise<Fingerprint | undefined> {
  const file = path.join(repository, '.git');
  const [tree, entry] = await Promise.all([ownFolder(repository), lstat(file).catch(() => undefined)]);
  const isLeading = entry?.isFile() === true && entry.uid === ownUser();
  const git = isLeading ? await smallFile(file) : await ownFolder(file);
  return joined([tree, git]);
}

/**
 * Returns the fingerprint of the files that decide the settings of a repository, and that it is one: the configuration of
 * repository and user, with content. Returns undefined when git must be asked. `env`: the environment of that git.
 */
export async function fingerprintOfSettings(
  { own, common }: GitFolders,
  { HOME: home = '', XDG_CONFIG_HOME: configFolder = path.join(home, '.config') }: Readonly<Record<string, string>>,
): Promise<Fingerprint | undefined> {
  if (home === '') return undefined;
  const optional = [path.join(own, 'config.worktree'), path.join(home, '.gitconfig'), path.join(configFolder, 'git/config')];
  const isThere = lstat(path.join(own, 'HEAD')).then(
    () => nothing,
    () => undefined,
  );
  return joined(
    await Promise.all([
      isThere,
      ...[own, path.join(common, 'objects'), path.join(common, 'refs')].map(ownFolder),
      smallFile(path.join(common, 'config')),
      ...optional.map(async (file) => ((await isMissing(file)) ? nothing : smallFile(file))),
    ]),
  );
}

/** Returns device, inode, size and times of a file, with links followed; undefined when it is not a regular file. */
export async function fingerprintOfStats(file: string): Promise<Fingerprint | undefined> {
  const found = await stat(file, { bigint: true }).catch(() => undefined);
  if (found?.isFile() !== true) return undefined;
  const { dev, ino, size, mtimeNs, ctimeNs } = found;
  const changedAtMs = Number((mtimeNs > ctimeNs ? mtimeNs : ctimeNs) / 1_000_000n);
  return { text: [dev, ino, size, mtimeNs, ctimeNs].join(':'), changedAtMs };
}

const nothing: Fingerprint = { text: 'nothing', changedAtMs: 0 };

/** Returns the same with a hash of the content, which may hold passwords. */
async function smallFile(file: string): Promise<Fingerprint | undefined> {
  const found = await fingerprintOfStats(file);
  if (found === undefined || Number(found.text.split(':')[2]) > maxFileBytes) return undefined;
  const content = await readFile(file).catch(() => undefined);
  if (content === undefined) return undefined;
  return { ...found, text: `${found.text} ${createHash('sha256').update(content).digest('hex')}` };
}

async function isMissing(file: string): Promise<boolean> {
  return lstat(file).then(
    () => false,
    ({ code }: NodeJS.ErrnoException) => code === 'ENOENT',
  );
}

/**
 * Returns device and inode of a folder that belongs to this account and is not behind a link. Its times change with each file
 * in it, so they are not included.
 */
async function ownFolder(folder: string): Promise<Fingerprint | undefined> {
  const found = await lstat(folder, { bigint: true }).catch(() => undefined);
  if (found?.isDirectory() !== true || Number(found.uid) !== ownUser()) return undefined;
  return { text: `${found.dev}:${found.ino}`, changedAtMs: 0 };
}

/** Returns the user id; undefined on Windows, which has none: there git is always asked. */
function ownUser(): number | undefined {
  return process.geteuid?.();
}

/** Combines fingerprints; undefined when one of them is undefined. */
export function joined(fingerprints: readonly (Fingerprint | undefined)[]): Fingerprint | undefined {
  const known = fingerprints.flatMap((one) => one ?? []);
  if (known.length < fingerprints.length) return undefined;
  return {
    text: JSON.stringify(known.map(({ text }) => text)),
    changedAtMs: Math.max(...known.map(({ changedAtMs }) => changedAtMs)),
  };
}
