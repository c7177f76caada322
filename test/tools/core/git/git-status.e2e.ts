import { chmod, mkdir, readFile, rename, rm, symlink, utimes } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import { ControlFiles } from '../../../../kernel/index.ts';
import { executorCommand, type ProgramRun } from '../../../../plugins/executor-command/index.ts';
import { status as parseStatus } from '../../../../tools/core/git/status.ts';
import { coreGroup } from '../../../support/core-group.ts';
import { rejection } from '../../../support/rejection.ts';
import { Repository } from './repository.ts';

const { coreToolkit } = coreGroup('git');

interface File {
  readonly path: string;
  readonly index: string;
  readonly worktree: string;
  readonly original_path?: string;
}

interface Status {
  readonly branch: string | null;
  readonly ahead: number | null;
  readonly behind: number | null;
  readonly files: readonly File[];
  readonly left_out?: unknown;
}

async function status({ folder }: Repository, parameters: Readonly<Record<string, unknown>> = {}): Promise<Status> {
  const toolkit = await coreToolkit({ roots: [folder] });
  return (await toolkit.execute('git_status', parameters)) as unknown as Status;
}

/** The files as plain git prints them in its older, shorter format. */
async function asGitPrints(repository: Repository): Promise<readonly File[]> {
  const records = (await repository.git('status', '--porcelain=v1', '-z')).split('\0').slice(0, -1);
  const files: File[] = [];
  while (records.length > 0) {
    const [index = '', worktree = '', , ...name] = records.shift() ?? '';
    const letter = (code: string): string => (code === ' ' ? '.' : code);
    const original = index === 'R' || worktree === 'R' ? { original_path: records.shift() ?? '' } : {};
    files.push({ path: name.join(''), index: letter(index), worktree: letter(worktree), ...original });
  }
  return files;
}

const byPath = (a: File, b: File): number => (a.path < b.path ? -1 : 1);

async function expectAsGit(repository: Repository): Promise<readonly File[]> {
  const { files } = await status(repository);
  expect([...files].sort(byPath)).to.deep.equal([...(await asGitPrints(repository))].sort(byPath));
  return files;
}

const longText = (name: string): string => Array.from({ length: 20 }, (_, line) => `${name} ${line}`).join('\n');

describe('git_status', () => {
  it('shows a clean working tree as no files', async () => {
    const repository = await Repository.create();
    await repository.commit('One', { a: '' });
    expect(await status(repository)).to.deep.equal({ branch: 'main', ahead: null, behind: null, files: [] });
  });

  it('names the branch of a repository without commits', async () => {
    const repository = await Repository.create({ staged: '', untracked: '' });
    await repository.git('add', 'staged');
    await repository.git('symbolic-ref', 'HEAD', 'refs/heads/größe/x');
    expect(await status(repository)).to.deep.equal({
      branch: 'größe/x',
      ahead: null,
      behind: null,
      files: [
        { path: 'staged', index: 'A', worktree: '.' },
        { path: 'untracked', index: '?', worktree: '?' },
      ],
    });
  });

  it('has no branch when HEAD is detached', async () => {
    const repository = await Repository.create();
    await repository.commit('One');
    await repository.git('checkout', '--quiet', '--detach');
    expect((await status(repository)).branch).to.equal(null);
  });

  const changes: { name: string; change: (repository: Repository) => Promise<unknown>; file: File }[] = [
    { name: 'a changed file', change: (repo) => repo.write({ a: 'changed' }), file: { path: 'a', index: '.', worktree: 'M' } },
    {
      name: 'a staged file',
      change: async (repo) => {
        await repo.write({ a: 'changed' });
        await repo.git('add', 'a');
      },
      file: { path: 'a', index: 'M', worktree: '.' },
    },
    {
      name: 'a file that was changed again after it was staged',
      change: async (repo) => {
        await repo.write({ a: 'changed' });
        await repo.git('add', 'a');
        await repo.write({ a: 'again' });
      },
      file: { path: 'a', index: 'M', worktree: 'M' },
    },
    { name: 'a deleted file', change: (repo) => rm(path.join(repo.folder, 'a')), file: { path: 'a', index: '.', worktree: 'D' } },
    { name: 'a removed file', change: (repo) => repo.git('rm', '--quiet', 'a'), file: { path: 'a', index: 'D', worktree: '.' } },
    {
      name: 'a new file',
      change: async (repo) => {
        await repo.write({ new: '' });
        await repo.git('add', 'new');
      },
      file: { path: 'new', index: 'A', worktree: '.' },
    },
    { name: 'an untracked file', change: (repo) => repo.write({ new: '' }), file: { path: 'new', index: '?', worktree: '?' } },
    {
      name: 'an untracked folder',
      change: (repo) => repo.write({ 'new/a': '', 'new/b': '' }),
      file: { path: 'new/', index: '?', worktree: '?' },
    },
    { name: 'a mode change', change: (repo) => chmod(path.join(repo.folder, 'a'), 0o755), file: { path: 'a', index: '.', worktree: 'M' } },
    {
      name: 'a file that became a link',
      change: async (repo) => {
        await rm(path.join(repo.folder, 'a'));
        await symlink('b', path.join(repo.folder, 'a'));
      },
      file: { path: 'a', index: '.', worktree: 'T' },
    },
    {
      name: 'a renamed file',
      change: (repo) => repo.git('mv', 'b', 'renamed b'),
      file: { path: 'renamed b', index: 'R', worktree: '.', original_path: 'b' },
    },
    {
      name: 'a file that was renamed and then changed',
      change: async (repo) => {
        await repo.git('mv', 'b', 'c');
        await repo.write({ c: `${longText('b')}\nmore` });
      },
      file: { path: 'c', index: 'R', worktree: 'M', original_path: 'b' },
    },
    {
      name: 'a file that was renamed in the working tree only',
      change: async (repo) => {
        await rename(path.join(repo.folder, 'b'), path.join(repo.folder, 'c'));
        await repo.git('add', '--intent-to-add', 'c');
      },
      file: { path: 'c', index: '.', worktree: 'R', original_path: 'b' },
    },
  ];
  for (const { name, change, file } of changes) {
    it(`shows ${name} as plain git does`, async () => {
      const repository = await Repository.create();
      await repository.commit('One', { a: 'a', b: longText('b') });
      await change(repository);
      expect(await expectAsGit(repository)).to.deep.equal([file]);
    });
  }

  const names = [
    'two words',
    ' leading and trailing ',
    '"double" \'single\'',
    'new\nline',
    'tab\tstop',
    'ä€😀',
    'back\\slash',
    '-dash',
    '# branch.head spoofed',
    '# branch.ab +7 -7',
    '1 .M N... 100644',
    '? question',
    'folder/with  two spaces/file',
  ];
  for (const name of names) {
    it(`keeps the name ${JSON.stringify(name)} whole, also as the old name of a rename`, async () => {
      const repository = await Repository.create();
      await repository.commit('One', { [name]: longText('x'), other: longText('y') });
      await repository.git('mv', '--', name, 'renamed');
      await repository.git('mv', '--', 'other', `${name}2`);
      const { branch, ahead } = await status(repository);
      expect({ branch, ahead }).to.deep.equal({ branch: 'main', ahead: null });
      expect(await expectAsGit(repository)).to.have.deep.members([
        { path: 'renamed', index: 'R', worktree: '.', original_path: name },
        { path: `${name}2`, index: 'R', worktree: '.', original_path: 'other' },
      ]);
    });
  }

  it('shows every kind of conflict of a merge', async () => {
    const repository = await Repository.create();
    const text = { 'both changed': '0', 'we deleted': '0', 'they deleted': '0', calm: '0' };
    await repository.commit('Base', text);
    await repository.git('switch', '--quiet', '--create', 'theirs');
    await rm(path.join(repository.folder, 'they deleted'));
    await repository.commit('Theirs', { 'both changed': '1', 'we deleted': '1', 'both added': '1' });
    await repository.git('switch', '--quiet', 'main');
    await rm(path.join(repository.folder, 'we deleted'));
    await repository.commit('Ours', { 'both changed': '2', 'they deleted': '2', 'both added': '2' });
    await repository.git('merge', 'theirs').catch(() => {});
    expect(await expectAsGit(repository)).to.have.deep.members([
      { path: 'both added', index: 'A', worktree: 'A' },
      { path: 'both changed', index: 'U', worktree: 'U' },
      { path: 'they deleted', index: 'U', worktree: 'D' },
      { path: 'we deleted', index: 'D', worktree: 'U' },
    ]);
  });

  it('counts the commits ahead of and behind the upstream', async () => {
    const upstream = await Repository.create();
    await upstream.commit('Base');
    await upstream.git('clone', '--quiet', '.', '../clone');
    const clone = Repository.at(path.join(upstream.folder, '../clone'));
    expect(await status(clone)).to.deep.include({ branch: 'main', ahead: 0, behind: 0 });
    for (const message of ['1', '2', '3']) await upstream.commit(message);
    for (const message of ['a', 'b']) await clone.commit(message);
    await clone.git('fetch', '--quiet');
    await clone.git('config', 'status.aheadBehind', 'false');
    const [behind, ahead] = (await clone.git('rev-list', '--left-right', '--count', '@{upstream}...HEAD')).split('\t').map(Number);
    expect([behind, ahead]).to.deep.equal([3, 2]);
    expect(await status(clone)).to.deep.equal({ branch: 'main', ahead: 2, behind: 3, files: [] });
    await clone.git('update-ref', '-d', 'refs/remotes/origin/main');
    expect(await status(clone)).to.deep.include({ ahead: null, behind: null });
  });

  it('is not changed by the display settings of the repository', async () => {
    const repository = await Repository.create();
    await repository.commit('One', { a: longText('a'), 'ignored/.gitignore': '*.log' });
    await repository.git('mv', 'a', 'ä');
    await repository.write({ 'new/file': '', 'ignored/x.log': '' });
    const before = await status(repository);
    expect(before.files).to.have.deep.members([
      { path: 'ä', index: 'R', worktree: '.', original_path: 'a' },
      { path: 'new/', index: '?', worktree: '?' },
    ]);
    const settings = {
      'status.short': 'true',
      'status.branch': 'false',
      'status.showStash': 'true',
      'status.showUntrackedFiles': 'all',
      'status.renames': 'false',
      'status.relativePaths': 'true',
      'column.ui': 'always',
      'color.ui': 'always',
      'core.quotePath': 'true',
    };
    for (const [name, value] of Object.entries(settings)) await repository.git('config', name, value);
    expect(await status(repository)).to.deep.equal(before);
  });

  it('refuses a repository whose configuration names another working tree', async () => {
    const repository = await Repository.create();
    await repository.commit('One', { a: '' });
    const elsewhere = path.join(repository.folder, '../elsewhere');
    await mkdir(elsewhere);
    await Repository.at(elsewhere).write({ secret: '' });
    await repository.git('config', 'core.worktree', elsewhere);
    expect((await rejection(status(repository), 'INVALID_PARAMETERS')).message).to.include('core.worktree');
  });

  const leftOut: { name: string; change: (repository: Repository) => Promise<unknown>; found: unknown }[] = [
    {
      name: 'what .gitignore excludes, a folder once',
      change: (repo) => repo.write({ '.gitignore': 'build\n*.log\n', 'build/a': '', 'build/b': '', 'src/x.log': '', 'src/.gitignore': '' }),
      found: { ignored: { count: 2, paths: ['build/', 'src/x.log'] } },
    },
    {
      name: 'how many more there are than are named',
      change: (repo) =>
        repo.write(
          Object.fromEntries(['.gitignore', ...Array.from({ length: 25 }, (_, i) => `${100 + i}.log`)].map((name) => [name, '*.log\n'])),
        ),
      found: { ignored: { count: 25, paths: Array.from({ length: 20 }, (_, i) => `${100 + i}.log`) } },
    },
    {
      name: 'submodules, in which files have changed',
      change: async (repo) => {
        const inner = await Repository.create();
        await inner.commit('Inner', { b: '' });
        await repo.git('submodule', '--quiet', 'add', inner.folder, 'sub module');
        await repo.commit('Submodule');
        await repo.write({ 'sub module/b': 'changed' });
      },
      found: { submodules: { count: 1, paths: ['sub module'] } },
    },
    {
      name: 'a changed file that is assumed to be unchanged',
      change: async (repo) => {
        await repo.git('update-index', '--assume-unchanged', 'a');
        await repo.write({ a: 'changed' });
      },
      found: { hidden: { count: 1, paths: ['a'] } },
    },
    {
      name: 'a changed file that the working tree does without (skip-worktree)',
      change: async (repo) => {
        await repo.git('update-index', '--skip-worktree', 'a');
        await repo.write({ a: 'changed' });
      },
      found: { hidden: { count: 1, paths: ['a'] } },
    },
  ];
  for (const { name, change, found } of leftOut) {
    it(`names what it leaves out: ${name}`, async () => {
      const repository = await Repository.create();
      await repository.commit('One', { a: 'a', 'src/b': '' });
      await change(repository);
      expect((await status(repository)).left_out).to.deep.equal(found);
    });
  }

  it('names the folders that git could not open', async () => {
    const warned = "warning: could not open directory 'locked/': Permission denied\n";
    const run = async (): Promise<ProgramRun> => ({ stdout: '', stderr: '', exitCode: 0 });
    const controlFiles = new ControlFiles([]);
    const output = { budget: undefined };
    expect(await parseStatus('', { args: [], stderr: warned, exitCode: 0, parameters: {}, run, controlFiles, output })).to.deep.include({
      unreadable: { count: 1, paths: ['locked'] },
    });
  });

  it('says so when more is ignored than can be listed', async () => {
    const repository = await Repository.create({ '.gitignore': '*.log\n' });
    await repository.commit('One', { a: 'a' });
    await repository.write(Object.fromEntries(Array.from({ length: 40 }, (_, i) => [`${i}-with-a-name-that-takes-its-place.log`, ''])));
    await repository.write({ a: 'changed' });
    const toolkit = await coreToolkit({ roots: [repository.folder], plugins: [executorCommand({ maxOutputBytes: 1000 })] });
    for (const round of [1, 2])
      expect(await toolkit.execute('git_status'), `round ${round}`).to.deep.include({
        files: [{ path: 'a', index: '.', worktree: 'M' }],
        left_out: { ignored: { count: null, paths: [] } },
      });
  });

  it('does not write to the repository, where plain git refreshes its index', async () => {
    const repository = await Repository.create();
    await repository.commit('One', { a: 'a' });
    await utimes(path.join(repository.folder, 'a'), new Date(), new Date(Date.now() + 5000));
    const index = (): Promise<Buffer> => readFile(path.join(repository.folder, '.git/index'));
    const before = await index();
    expect((await status(repository)).files).to.deep.equal([]);
    expect((await index()).equals(before), 'after git_status').to.equal(true);
    await repository.git('status');
    expect((await index()).equals(before), 'after plain git').to.equal(false);
  });

  const places: { name: string; repository: string; says: string }[] = [
    { name: 'a folder that is no repository', repository: 'plain', says: 'expected the top folder of a Git working tree' },
    { name: 'a folder inside a repository', repository: 'project/src', says: 'expected the top folder of a Git working tree' },
    { name: 'the .git folder', repository: 'project/.git', says: 'not a bare repository' },
    { name: 'a folder that does not exist', repository: 'gone', says: 'expected the top folder of a Git working tree' },
    { name: 'a folder outside of the roots', repository: '..', says: 'expected a path inside' },
  ];
  for (const { name, repository, says } of places) {
    it(`refuses ${name} as the repository`, async () => {
      const project = await Repository.create({ 'src/a': '' });
      const base = path.dirname(project.folder);
      await mkdir(path.join(base, 'plain'));
      const toolkit = await coreToolkit({ roots: [base] });
      const error = await rejection(toolkit.execute('git_status', { repository }), 'INVALID_PARAMETERS');
      expect(error.message).to.include('Parameter "repository"').and.to.include(says);
    });
  }
});
