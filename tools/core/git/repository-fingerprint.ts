import { createHash } from 'node:crypto';
import { lstat, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import type { GitFolders } from './git-folder.ts';

/** The state of files at one moment, to be compared with that at another. */
export interface Fingerprint {
  readonly text: string;
  /** When the last of them changed, in milliseconds since 1970. */
  readonly changedAtMs: number;
}

/** Largest file whose content is compared, in bytes. */
const maxFileBytes = 1024 * 1024;

/**
 * Reads what decides which Git folder git finds for a working tree: what `.git` is, and that both belong to this account, so that git does
 * not ask whom the person trusts (safe.directory). Undefined where git has to be asked.
 */
export async function fingerprintOfTree(repository: string): Promise<Fingerprint | undefined> {
  const file = path.join(repository, '.git');
  const [tree, entry] = await Promise.all([ownFolder(repository), lstat(file).catch(() => undefined)]);
  const isLeading = entry?.isFile() === true && entry.uid === ownUser();
  const git = isLeading ? await smallFile(file) : await ownFolder(file);
  return joined([tree, git]);
}

/**
 * Reads what decides the settings that git lists in a repository, and whether it is one: the configuration of the repository and of the
 * person, with their content. Undefined where git has to be asked. `env`: the environment of that git.
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

/** Reads device, inode, size and times of a file, links followed. Undefined when it is no ordinary file. */
export async function fingerprintOfStats(file: string): Promise<Fingerprint | undefined> {
  const found = await stat(file, { bigint: true }).catch(() => undefined);
  if (found?.isFile() !== true) return undefined;
  const { dev, ino, size, mtimeNs, ctimeNs } = found;
  const changedAtMs = Number((mtimeNs > ctimeNs ? mtimeNs : ctimeNs) / 1_000_000n);
  return { text: [dev, ino, size, mtimeNs, ctimeNs].join(':'), changedAtMs };
}

const nothing: Fingerprint = { text: 'nothing', changedAtMs: 0 };

/** The same with the content, as its hash: it may hold passwords. */
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

/** Device and inode of a folder of this account, not behind a link. Its times change with each file in it. */
async function ownFolder(folder: string): Promise<Fingerprint | undefined> {
  const found = await lstat(folder, { bigint: true }).catch(() => undefined);
  if (found?.isDirectory() !== true || Number(found.uid) !== ownUser()) return undefined;
  return { text: `${found.dev}:${found.ino}`, changedAtMs: 0 };
}

/** Undefined on Windows, where owners have no numbers: there git is always asked. */
function ownUser(): number | undefined {
  return process.geteuid?.();
}

/** Undefined when one of them is. */
export function joined(fingerprints: readonly (Fingerprint | undefined)[]): Fingerprint | undefined {
  const known = fingerprints.flatMap((one) => one ?? []);
  if (known.length < fingerprints.length) return undefined;
  return {
    text: JSON.stringify(known.map(({ text }) => text)),
    changedAtMs: Math.max(...known.map(({ changedAtMs }) => changedAtMs)),
  };
}
