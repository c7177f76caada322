import { execFileSync } from 'node:child_process';
import { chmod, mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';

/** Names to contents; a name that ends with `*` is an executable file without it. */
export type Tree = Readonly<Record<string, string>>;

/** Replaces what is in a folder. */
export async function writeTree(folder: string, tree: Tree): Promise<void> {
  for (const name of await readdir(folder)) if (name !== '.git') await rm(path.join(folder, name), { recursive: true });
  for (const [name, content] of Object.entries(tree)) {
    const file = path.join(folder, name.replace(/\*$/, ''));
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, content);
    await chmod(file, name.endsWith('*') ? 0o755 : 0o644);
  }
}

/** Reads a folder with everything below it. */
export async function readTree(folder: string): Promise<Tree> {
  const tree: Record<string, string> = {};
  for (const name of (await readdir(folder, { recursive: true })).sort()) {
    const facts = await stat(path.join(folder, name));
    if (facts.isFile()) tree[(facts.mode & 0o100) === 0 ? name : `${name}*`] = await readFile(path.join(folder, name), 'utf8');
  }
  return tree;
}

/** The diff that git makes between two trees. */
export async function gitDiff(folder: string, before: Tree, after: Tree, flags: readonly string[] = []): Promise<string> {
  const env = { ...process.env, GIT_CEILING_DIRECTORIES: os.tmpdir(), GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_SYSTEM: '/dev/null' };
  const git = (...arguments_: string[]): string =>
    execFileSync('git', arguments_, { cwd: folder, env, encoding: 'utf8', maxBuffer: 100_000_000 });
  git('init', '--quiet');
  git('config', 'core.autocrlf', 'false');
  await writeTree(folder, before);
  git('add', '--all');
  const tree = git('write-tree').trim();
  await writeTree(folder, after);
  git('add', '--all');
  return git('diff', '--cached', ...flags, tree);
}
