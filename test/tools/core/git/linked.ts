import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { type Cloned, cloned } from './remotes.ts';
import { Repository } from './repository.ts';

/** A working tree whose Git folder is not in it, and the repository that it belongs to, in one folder. */
export interface Linked extends Cloned {
  readonly tree: Repository;
}

/** The ways in which a working tree comes to a Git folder elsewhere; each of these is on the branch `feature`. */
export const kindsOfTrees: Readonly<Record<string, () => Promise<Linked>>> = {
  'a linked working tree': linked,
  'a linked working tree inside of its main one': () => linked('project/inside'),
  async 'a linked working tree by relative paths (worktree.useRelativePaths)'() {
    const made = await linked();
    const own = await gitFolderOf(made.tree);
    await writeFile(path.join(made.tree.folder, '.git'), `gitdir: ${path.relative(made.tree.folder, own)}\n`);
    await writeFile(path.join(own, 'gitdir'), `${path.relative(own, path.join(made.tree.folder, '.git'))}\n`);
    return made;
  },
  async 'a linked working tree with a configuration of its own'() {
    const made = await linked();
    await made.project.git('config', 'extensions.worktreeConfig', 'true');
    await made.tree.git('config', '--worktree', 'core.sparseCheckout', 'false');
    return made;
  },
  async 'a linked working tree of a bare repository'() {
    const both = await cloned();
    await both.remote.git('worktree', 'add', '--quiet', '-b', 'feature', '../linked', 'main');
    const tree = Repository.at(path.join(both.folder, 'linked'));
    await tree.git('remote', 'set-url', 'origin', both.project.folder);
    return { ...both, remote: both.project, project: both.remote, tree };
  },
  'a submodule': () => submodule(),
  async 'a linked working tree of a submodule'() {
    const made = await submodule();
    await made.tree.git('switch', '--quiet', '--detach');
    await made.tree.git('worktree', 'add', '--quiet', '../../of-submodule', 'feature');
    return { ...made, tree: Repository.at(path.join(made.folder, 'of-submodule')) };
  },
  async 'a working tree with a separate Git folder'() {
    const both = await cloned();
    await both.project.git('switch', '--quiet', '--create', 'feature');
    await both.project.git('init', '--quiet', '--separate-git-dir', '../separate');
    return { ...both, tree: both.project };
  },
};

/** A linked working tree of the project of `cloned`, beside it. */
export async function linked(name = 'linked'): Promise<Linked> {
  const both = await cloned();
  const tree = Repository.at(path.join(both.folder, name));
  await both.project.git('worktree', 'add', '--quiet', '-b', 'feature', tree.folder, 'main');
  return { ...both, tree };
}

/** A project with the other one's remote as its submodule. */
export async function submodule(): Promise<Linked> {
  const both = await cloned();
  const around = Repository.at(path.join(both.folder, 'around'));
  await mkdir(around.folder);
  await around.git('init', '--quiet', '--initial-branch=main');
  await around.git('submodule', '--quiet', 'add', both.remote.folder, 'sub');
  await around.git('commit', '--quiet', '--message=Submodule');
  const tree = Repository.at(path.join(around.folder, 'sub'));
  await tree.git('switch', '--quiet', '--create', 'feature');
  return { ...both, tree };
}

/** Where the `.git` of a working tree leads. */
export async function gitFolderOf({ folder }: Repository): Promise<string> {
  const text = await readFile(path.join(folder, '.git'), 'utf8');
  return path.resolve(folder, text.replace(/^gitdir: |\n$/g, ''));
}

/** Puts another `.git` file in the place of that of a working tree. */
export async function leadTo({ folder }: Repository, gitFolder: string): Promise<void> {
  await rename(path.join(folder, '.git'), path.join(folder, '.git-before')).catch(() => {});
  await writeFile(path.join(folder, '.git'), `gitdir: ${gitFolder}\n`);
}
