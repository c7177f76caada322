import { lstat, mkdir, readFile, rmdir, symlink } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import { rejection } from '../../../support/rejection.ts';
import { person } from './person.ts';
import { history, Repository } from './repository.ts';
import { attacks, callInside } from './walled.ts';

/** A branch `evil` with a file, or a link, and an ordinary file; `main` is checked out. */
async function withBranch(name: string, link?: string): Promise<Repository> {
  const repository = await history();
  await repository.git('switch', '--quiet', '--create', 'evil');
  await repository.write({ 'ordinary.txt': 'evil' });
  if (link === undefined) await repository.write({ [name]: 'rules: []\n' });
  else {
    await mkdir(path.dirname(path.join(repository.folder, name)), { recursive: true });
    await symlink(link, path.join(repository.folder, name));
  }
  await repository.git('add', '--all', '--force');
  await repository.git('commit', '--quiet', '--message=Evil');
  await repository.git('switch', '--quiet', 'main');
  return repository;
}

const isThere = (repository: Repository, name: string): Promise<boolean> =>
  lstat(path.join(repository.folder, name)).then(
    () => true,
    () => false,
  );

describe('control files, of which git tools', () => {
  beforeEach(() => person());

  for (const { title, name, link, says } of attacks) {
    it(`leave the working tree as it is where a branch brings ${title}`, async () => {
      const repository = await withBranch(name, link);
      const error = await rejection(callInside('git_switch', repository, { branch: 'evil' }), 'POLICY_DENIED');
      expect(error.message).to.include(name).and.include(says).and.include('Nothing was changed').and.include('allowControlFiles');
      expect(error.details).to.deep.include({ files: [name], count: 1 });
      expect(await isThere(repository, 'ordinary.txt')).to.equal(false);
      expect(await repository.git('symbolic-ref', '--short', 'HEAD')).to.equal('main');
      expect(await repository.git('status', '--porcelain')).to.equal('');
    });

    it(`leave the working tree as it is where ${title} would be restored`, async () => {
      const repository = await withBranch(name, link);
      const restore = callInside('git_restore', repository, { paths: ['.'], source: 'evil' });
      expect((await rejection(restore, 'POLICY_DENIED')).message)
        .to.include(name)
        .and.include(says);
      expect(await isThere(repository, 'ordinary.txt')).to.equal(false);
      expect(await repository.git('status', '--porcelain')).to.equal('');
    });
  }

  it('create no branch of a remote that brings some', async () => {
    const upstream = await withBranch('policy.yaml');
    await upstream.git('clone', '--quiet', '.', '../clone');
    const clone = Repository.at(path.join(upstream.folder, '../clone'));
    await rejection(callInside('git_switch', clone, { branch: 'evil' }), 'POLICY_DENIED');
    expect(await clone.git('for-each-ref', '--format=%(refname:short)', 'refs/heads')).to.equal('main');
  });

  it('remove none by going to a branch without them, and change none', async () => {
    const repository = await withBranch('policy.yaml');
    await repository.git('switch', '--quiet', 'evil');
    await rejection(callInside('git_switch', repository, { branch: 'side' }), 'POLICY_DENIED');
    expect(await readFile(path.join(repository.folder, 'policy.yaml'), 'utf8')).to.equal('rules: []\n');
  });

  it('bring back no older policy, from a commit or from what is staged', async () => {
    const repository = await history();
    await repository.commit('Open', { 'policy.yaml': 'rules: []\n' });
    await repository.commit('Strict', { 'policy.yaml': 'rules: [] # strict\n', 'a.txt': 'new' });
    const everything = { paths: ['.'] };
    await rejection(callInside('git_restore', repository, { ...everything, source: 'HEAD~1' }), 'POLICY_DENIED');
    await callInside('git_restore', repository, { ...everything, source: 'HEAD~1', staged: true });
    await rejection(callInside('git_restore', repository, everything), 'POLICY_DENIED');
    expect(await readFile(path.join(repository.folder, 'policy.yaml'), 'utf8')).to.equal('rules: [] # strict\n');
    expect(await readFile(path.join(repository.folder, 'a.txt'), 'utf8')).to.equal('new');
  });

  it('name the first of many, and how many there are', async () => {
    const repository = await history();
    await repository.git('switch', '--quiet', '--create', 'evil');
    await repository.commit('Evil', Object.fromEntries(Array.from({ length: 8 }, (_, index) => [`tools/${index}.yaml`, ''])));
    await repository.git('switch', '--quiet', 'main');
    const { message } = await rejection(callInside('git_switch', repository, { branch: 'evil' }), 'POLICY_DENIED');
    expect(message).to.include('8 control files').and.include('tools/4.yaml').and.include('and 3 more').and.not.include('tools/5.yaml');
  });

  it('are not in the way of ordinary work beside them', async () => {
    const repository = await history();
    await repository.git('switch', '--quiet', '--create', 'other');
    const files = { 'a.txt': 'other', 'package.json': '{}', '.env.example': '', '.github/workflows/x.yaml': '', 'docs/tools/x.yaml': '' };
    await symlink('a.txt', path.join(repository.folder, 'link'));
    await repository.commit('Other', files);
    await repository.git('switch', '--quiet', 'main');
    expect(await callInside('git_switch', repository, { branch: 'other' })).to.include({ branch: 'other' });
    await repository.write({ 'policy.yaml': 'rules: [] # mine\n', '.env': 'TOKEN=x', 'tools/mine.yaml': '' });
    expect(await callInside('git_switch', repository, { branch: 'main' })).to.include({ branch: 'main' });
    const restored = await callInside('git_restore', repository, { paths: ['.'], source: 'other' });
    expect(restored).to.deep.equal({
      restored: ['.env.example', '.github/workflows/x.yaml', 'a.txt', 'docs/tools/x.yaml', 'link', 'package.json'],
    });
    expect(await repository.git('status', '--porcelain', '--untracked-files=no')).to.equal(' M a.txt');
  });

  it('are not written through a folder that is a link', async () => {
    const repository = await withBranch('sub/evil.yaml');
    await mkdir(path.join(repository.folder, 'tools'));
    await rmdir(path.join(repository.folder, 'sub')).catch(() => {});
    await symlink('tools', path.join(repository.folder, 'sub'));
    await rejection(callInside('git_switch', repository, { branch: 'evil' }), 'POLICY_DENIED');
    expect(await isThere(repository, 'tools/evil.yaml')).to.equal(false);
  });

  for (const place of ['node_modules/package', '.git/package']) {
    it(`look at a repository in ${path.dirname(place)}, and change nothing of it`, async () => {
      const project = await history();
      const inner = Repository.at(path.join(project.folder, place));
      await project.git('clone', '--quiet', '.', inner.folder);
      await inner.write({ new: '' });
      const parameters = { repository: inner.folder };
      expect(await callInside('git_status', project, parameters)).to.deep.include({ files: [{ path: 'new', index: '?', worktree: '?' }] });
      for (const [tool, more] of [
        ['git_add', { paths: ['new'] }],
        ['git_switch', { branch: 'side' }],
        ['git_restore', { paths: ['.'] }],
        ['git_commit', { message: 'x' }],
        ['git_create_branch', { name: 'x' }],
        ['git_fetch', {}],
        ['git_pull', {}],
        ['git_push', {}],
      ] as const)
        await rejection(callInside(tool, project, { ...parameters, ...more }), 'POLICY_DENIED');
      expect(await inner.git('status', '--porcelain')).to.equal('?? new');
    });
  }
});
