import { existsSync } from 'node:fs';
import { appendFile, chmod, cp, mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import type { Toolkit } from '../../../../plugins/toolkit/index.ts';
import { coreGroup } from '../../../support/core-group.ts';
import { rejection } from '../../../support/rejection.ts';
import { temporaryFolder } from '../../../support/temporary.ts';
import { countedTools } from './counted.ts';
import { gitFolderOf, type Linked, leadTo, linked, submodule } from './linked.ts';
import { person } from './person.ts';
import { Repository } from './repository.ts';
import { attacks } from './walled.ts';

const { coreToolkit } = coreGroup('git');

interface Lie {
  readonly name: string;
  /** @default linked */
  readonly make?: () => Promise<Linked>;
  /** Prepares the repositories; `secret` is a folder outside of the roots with a repository and a file `token`. */
  readonly set: (made: Linked, secret: string) => Promise<unknown>;
  /** @default 'INVALID_PARAMETERS' */
  readonly code?: 'POLICY_DENIED';
  readonly says: string;
}

/** In the Git folder of the working tree. */
const ownFile = async ({ tree }: Linked, name: string): Promise<string> => path.join(await gitFolderOf(tree), name);

const lies: readonly Lie[] = [
  {
    name: '.git leads out of the roots',
    set: ({ tree }, secret) => leadTo(tree, path.join(secret, '.git')),
    says: 'outside of the roots',
  },
  {
    name: '.git leads through a symbolic link out of the roots',
    async set({ tree, folder }, secret) {
      await symlink(secret, path.join(folder, 'way'));
      await leadTo(tree, '../way/.git');
    },
    says: 'outside of the roots',
  },
  {
    name: '.git is a symbolic link to the Git folder of the other one',
    async set({ tree, project }) {
      await rm(path.join(tree.folder, '.git'));
      await symlink(path.join(project.folder, '.git'), path.join(tree.folder, '.git'));
    },
    says: 'does not name this working tree',
  },
  {
    name: '.git leads to the Git folder of the other one',
    set: ({ tree, project }) => leadTo(tree, path.join(project.folder, '.git')),
    says: 'does not name this working tree',
  },
  {
    name: '.git leads to a bare repository',
    set: ({ tree, remote }) => leadTo(tree, remote.folder),
    says: 'does not name this working tree',
  },
  {
    name: '.git leads to that of a further linked working tree',
    async set({ tree, project }) {
      await project.git('worktree', 'add', '--quiet', '../further');
      await leadTo(tree, path.join(project.folder, '.git/worktrees/further'));
    },
    says: 'knows by this path',
  },
  {
    name: '.git leads to that of a submodule elsewhere',
    async set({ tree }) {
      const other = await submodule();
      await cp(path.dirname(other.tree.folder), path.join(tree.folder, '../around'), { recursive: true });
      await leadTo(tree, '../around/.git/modules/sub');
    },
    says: 'core.worktree leads to',
  },
  {
    name: 'commondir leads out of the roots',
    set: async (made, secret) => writeFile(await ownFile(made, 'commondir'), `${secret}/.git\n`),
    says: 'knows by this path',
  },
  {
    name: 'commondir leads out of the roots, where the working tree is known',
    async set(made, secret) {
      const there = path.join(secret, '.git/worktrees/linked');
      await cp(await gitFolderOf(made.tree), there, { recursive: true });
      await leadTo(made.tree, there);
    },
    says: 'outside of the roots',
  },
  {
    name: 'commondir leads to another repository in the roots',
    set: async (made) => writeFile(await ownFile(made, 'commondir'), `${made.remote.folder}\n`),
    says: 'knows by this path',
  },
  {
    name: 'commondir is a symbolic link to a file with secrets',
    async set(made, secret) {
      await rm(await ownFile(made, 'commondir'));
      await symlink(path.join(secret, 'token'), await ownFile(made, 'commondir'));
    },
    says: 'the top folder of a Git working tree',
  },
  {
    name: 'gitdir is missing',
    set: async (made) => rm(await ownFile(made, 'gitdir')),
    says: 'knows by this path',
  },
  {
    name: 'gitdir names another working tree',
    set: async (made) => writeFile(await ownFile(made, 'gitdir'), `${made.project.folder}/.git\n`),
    says: 'knows by this path',
  },
  {
    name: 'gitdir is a symbolic link to a file with secrets',
    async set(made, secret) {
      await rm(await ownFile(made, 'gitdir'));
      await symlink(path.join(secret, 'token'), await ownFile(made, 'gitdir'));
    },
    says: 'knows by this path',
  },
  {
    name: 'the index is a symbolic link out of the roots',
    async set(made, secret) {
      await rm(await ownFile(made, 'index'));
      await symlink(path.join(secret, '.git/index'), await ownFile(made, 'index'));
    },
    says: 'worktrees/linked/index leads to',
  },
  {
    name: 'a branch of the common Git folder is a symbolic link out of the roots',
    set: ({ project }, secret) => symlink(path.join(secret, 'token'), path.join(project.folder, '.git/refs/heads/leak')),
    says: 'refs/heads/leak leads to',
  },
  {
    name: 'objects are borrowed from outside of the roots',
    set: ({ project }, secret) => writeFile(path.join(project.folder, '.git/objects/info/alternates'), `${secret}/.git/objects\n`),
    says: 'objects/info/alternates leads to',
  },
  {
    name: 'objects are borrowed from another repository in the roots',
    set: ({ project, remote }) => writeFile(path.join(project.folder, '.git/objects/info/alternates'), `${remote.folder}/objects\n`),
    says: 'objects/info/alternates leads to',
  },
  {
    name: 'config.worktree names another working tree',
    async set(made) {
      await made.project.git('config', 'extensions.worktreeConfig', 'true');
      await writeFile(await ownFile(made, 'config.worktree'), `[core]\n\tworktree = ${made.project.folder}\n`);
    },
    says: 'core.worktree leads to',
  },
  {
    name: 'config.worktree names a file of which git shows parts',
    async set(made, secret) {
      await made.project.git('config', 'extensions.worktreeConfig', 'true');
      await writeFile(await ownFile(made, 'config.worktree'), `[mailmap]\n\tfile = ${secret}/token\n`);
    },
    says: 'mailmap.file leads to',
  },
  {
    name: 'an included file names a file of which git shows parts',
    async set({ project, folder }, secret) {
      await writeFile(path.join(folder, 'included'), `[core]\n\tattributesFile = ${secret}/token\n`);
      await appendFile(path.join(project.folder, '.git/config'), `[include]\n\tpath = ${folder}/included\n`);
    },
    says: 'core.attributesfile leads to',
  },
  {
    name: 'a submodule names another working tree',
    make: submodule,
    set: async (made) => made.tree.git('config', 'core.worktree', made.project.folder),
    says: 'core.worktree leads to',
  },
  {
    name: 'a submodule borrows objects from outside of the roots',
    make: submodule,
    set: async (made, secret) => writeFile(await ownFile(made, 'objects/info/alternates'), `${secret}/.git/objects\n`),
    says: 'objects/info/alternates leads to',
  },
  {
    name: 'the Git folder lies in an installed package',
    async set({ tree, folder }) {
      const there = path.join(folder, 'node_modules/evil');
      await mkdir(path.dirname(there), { recursive: true });
      const owner = Repository.at(there);
      await mkdir(there);
      await owner.git('init', '--quiet', '--initial-branch=main');
      await owner.commit('One', { a: '' });
      await rm(tree.folder, { recursive: true });
      await owner.git('worktree', 'add', '--quiet', '-b', 'feature', tree.folder);
    },
    code: 'POLICY_DENIED',
    says: 'installed packages',
  },
];

/** The git tools, which know the working tree from before. */
async function knownBy({ tree, folder }: Linked): Promise<Toolkit> {
  const { toolkit, takeStarts } = await countedTools(folder);
  for (let round = 0; round < 2; round++) {
    takeStarts();
    await toolkit.execute('git_log', { repository: tree.folder });
  }
  expect(takeStarts()).to.equal(1);
  return toolkit;
}

describe('git tools, where a Git folder elsewhere lies', () => {
  beforeEach(() => person());

  for (const { name, make = linked, set, code = 'INVALID_PARAMETERS', says } of lies) {
    it(`refuse to work where ${name}`, async () => {
      const made = await make();
      const outside = Repository.at(await temporaryFolder());
      await outside.git('init', '--quiet', '--initial-branch=main');
      await outside.commit('Secret', { token: 'planted-4711\n' });
      const known = await knownBy(made);
      await set(made, outside.folder);
      await made.tree.write({ 'new.txt': 'new' });
      const toolkit = await coreToolkit({ roots: [made.folder] });
      if (code !== 'POLICY_DENIED') {
        const error = await rejection(known.execute('git_log', { repository: made.tree.folder }), code);
        expect(error.message, 'once it was known').to.include(says).and.not.include('planted');
      }
      for (const [tool, given] of [
        ['git_add', { paths: ['new.txt'] }],
        ['git_create_branch', { name: 'new' }],
        ...(code === 'POLICY_DENIED' ? [] : ([['git_log', {}]] as const)),
      ] as const) {
        const error = await rejection(toolkit.execute(tool, { repository: made.tree.folder, ...given }), code);
        expect(error.message, tool).to.include(says).and.not.include('planted');
        expect(error.message, tool).to.not.match(/instead|main repository/);
      }
      expect(existsSync(path.join(outside.folder, '.git/refs/heads/new'))).to.equal(false);
    });
  }

  const traps: readonly { readonly name: string; readonly set: (made: Linked, program: string) => Promise<unknown> }[] = [
    { name: 'fsmonitor of the common Git folder', set: ({ project }, program) => project.git('config', 'core.fsmonitor', program) },
    {
      name: 'fsmonitor of config.worktree',
      async set(made, program) {
        await made.project.git('config', 'extensions.worktreeConfig', 'true');
        await writeFile(await ownFile(made, 'config.worktree'), `[core]\n\tfsmonitor = ${program}\n`);
      },
    },
    {
      name: 'hooks of the common Git folder',
      async set({ project }, program) {
        for (const hook of ['pre-commit', 'post-index-change', 'reference-transaction', 'post-checkout', 'post-commit']) {
          await mkdir(path.join(project.folder, '.git/hooks'), { recursive: true });
          await cp(program, path.join(project.folder, '.git/hooks', hook));
        }
      },
    },
    {
      name: 'a textconv driver of an included file',
      async set({ project, folder }, program) {
        await writeFile(path.join(folder, 'included'), `[diff "trap"]\n\ttextconv = ${program}\n\tcommand = ${program}\n`);
        await appendFile(path.join(project.folder, '.git/config'), `[include]\n\tpath = ${folder}/included\n`);
        await mkdir(path.join(project.folder, '.git/info'), { recursive: true });
        await writeFile(path.join(project.folder, '.git/info/attributes'), '* diff=trap\n');
      },
    },
  ];
  for (const { name, set } of traps) {
    it(`run nothing of ${name}`, async () => {
      const made = await linked();
      const toolkit = await knownBy(made);
      const marker = path.join(made.folder, 'marker');
      const program = path.join(made.folder, 'program');
      await writeFile(program, `#!/bin/sh\necho ran >> ${marker}\nexit 1\n`);
      await chmod(program, 0o755);
      await set(made, program);
      await made.tree.write({ 'a.txt': 'changed' });
      for (const [tool, given] of [
        ['git_status', {}],
        ['git_diff', {}],
        ['git_add', { paths: ['a.txt'] }],
        ['git_commit', { message: 'x' }],
        ['git_create_branch', { name: 'new' }],
        ['git_switch', { branch: 'new' }],
      ] as const)
        await toolkit.execute(tool, { repository: made.tree.folder, ...given });
      expect(existsSync(marker), 'after the tools').to.equal(false);
      await made.tree.write({ 'a.txt': 'changed again' });
      await made.tree.git('diff').catch(() => {});
      await made.tree.git('commit', '--all', '--message=x').catch(() => {});
      expect(existsSync(marker), 'after plain git').to.equal(true);
    });
  }

  for (const { title, name, link, says } of attacks.filter(({ title }) => !/link/.test(title))) {
    it(`leave a linked working tree as it is where a branch brings ${title} to the project`, async () => {
      const { project, folder } = await linked();
      // The linked one is the folder of the service, and its Git folder lies in the roots as well.
      const served = Repository.at(path.join(folder, 'linked'));
      await project.git('switch', '--quiet', '--create', 'evil');
      await project.write({ [name]: 'rules: []\n', 'ordinary.txt': 'evil' });
      await project.git('add', '--all', '--force');
      await project.git('commit', '--quiet', '--message=Evil');
      await project.git('switch', '--quiet', 'main');
      expect(link).to.equal(undefined);
      await mkdir(path.join(served.folder, 'tools'), { recursive: true });
      const toolkit = await coreToolkit({ cwd: served.folder, roots: [folder], toolPaths: ['tools'], autoDiscover: false });
      const error = await rejection(toolkit.execute('git_switch', { repository: served.folder, branch: 'evil' }), 'POLICY_DENIED');
      expect(error.message).to.include(says).and.include('Nothing was changed');
      expect(existsSync(path.join(served.folder, 'ordinary.txt'))).to.equal(false);
      expect(await readFile(path.join(await gitFolderOf(served), 'HEAD'), 'utf8')).to.equal('ref: refs/heads/feature\n');
    });
  }
});
