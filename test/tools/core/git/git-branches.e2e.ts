import path from 'node:path';
import { expect } from 'chai';
import { rejection } from '../../../support/rejection.ts';
import { call, person } from './person.ts';
import { history, Repository } from './repository.ts';

const create = (repository: Repository, parameters: Readonly<Record<string, unknown>>): Promise<{ name: string; hash: string }> =>
  call('git_create_branch', repository, parameters);

const go = (repository: Repository, branch: string): Promise<{ branch: string; hash: string | null }> =>
  call('git_switch', repository, { branch });

describe('git_create_branch', () => {
  const starts: { name: string; start?: string; at: string }[] = [
    { name: 'the current commit', at: 'HEAD' },
    { name: 'a branch', start: 'side', at: 'side' },
    { name: 'a tag', start: 'v1.0', at: 'v1.0' },
    { name: 'an ancestor', start: 'HEAD~2', at: 'HEAD~2' },
  ];
  for (const { name, start, at } of starts) {
    it(`starts a branch at ${name}, and stays where it is`, async () => {
      const repository = await history();
      const found = await create(repository, { name: 'feature/größe', ...(start === undefined ? {} : { start_point: start }) });
      expect(found).to.deep.equal({ name: 'feature/größe', hash: await repository.git('rev-parse', at) });
      expect(await repository.git('rev-parse', 'refs/heads/feature/größe')).to.equal(found.hash);
      expect(await repository.git('symbolic-ref', '--short', 'HEAD')).to.equal('main');
    });
  }

  it('starts at a revision that begins with a dash', async () => {
    const repository = await history();
    await repository.git('update-ref', 'refs/heads/-D', 'side');
    expect((await create(repository, { name: 'x', start_point: '-D' })).hash).to.equal(await repository.git('rev-parse', 'side'));
  });

  it('follows the remote branch at which it starts', async () => {
    const upstream = await history();
    await upstream.git('clone', '--quiet', '.', '../clone');
    const clone = Repository.at(path.join(upstream.folder, '../clone'));
    await create(clone, { name: 'mine', start_point: 'origin/side' });
    expect(await clone.git('rev-parse', '--abbrev-ref', 'mine@{upstream}')).to.equal('origin/side');
  });

  const invalid = [
    'a..b',
    'a b',
    'x~1',
    'x^',
    'a:b',
    'a?',
    'a*',
    'a[b',
    '.a',
    'a/',
    'a.lock',
    'a@{b',
    '@{-1}',
    'a\\b',
    'a\nb',
    '-d',
    '--list',
    'HEAD',
    '@',
  ];
  for (const name of invalid) {
    it(`refuses the name ${JSON.stringify(name)}`, async () => {
      const repository = await history();
      const error = await rejection(create(repository, { name }), 'INVALID_PARAMETERS');
      expect(error.details.issues?.[0]?.path, error.message).to.equal('name');
      expect(await repository.git('for-each-ref', '--format=%(refname:short)', 'refs/heads')).to.equal('main\nside');
    });
  }

  it('refuses a name that is taken, or a folder of names, and leaves the branch as it is', async () => {
    const repository = await history();
    const before = await repository.git('rev-parse', 'side');
    expect((await rejection(create(repository, { name: 'side' }), 'EXECUTION_FAILED')).message).to.include('a branch "side" already');
    expect(await repository.git('rev-parse', 'side')).to.equal(before);
    await rejection(create(repository, { name: 'side/more' }), 'INVALID_PARAMETERS');
  });

  for (const start of ['nowhere', 'HEAD:a.txt', 'HEAD^{tree}', '--force', 'HEAD~1..HEAD']) {
    it(`refuses ${start} as the start`, async () => {
      const error = await rejection(create(await history(), { name: 'x', start_point: start }), 'INVALID_PARAMETERS');
      expect(error.details.issues?.[0]?.path, error.message).to.equal('start_point');
    });
  }

  it('says what is missing in a repository without commits', async () => {
    const error = await rejection(create(await Repository.create(), { name: 'x' }), 'EXECUTION_FAILED');
    expect(error.message).to.include('no commit yet').and.include('git_commit');
  });
});

describe('git_switch', () => {
  beforeEach(() => person());

  it('goes to a branch, with its files', async () => {
    const repository = await history();
    expect(await go(repository, 'side')).to.deep.equal({ branch: 'side', hash: await repository.git('rev-parse', 'side') });
    expect(await repository.git('status', '--porcelain')).to.equal('');
    expect(await repository.git('ls-files')).to.equal('a.txt\nside.txt\nsrc/b.txt');
    expect((await go(repository, 'side')).branch).to.equal('side');
  });

  it('takes changes along that are in nobody’s way', async () => {
    const repository = await history();
    await repository.write({ 'src/b.txt': 'changed', new: '' });
    await go(repository, 'side');
    expect(await repository.git('status', '--porcelain')).to.equal(' M src/b.txt\n?? new');
  });

  it('leaves a detached HEAD and a branch without commits', async () => {
    const repository = await history();
    await repository.git('checkout', '--quiet', '--detach', 'v1.0');
    expect((await go(repository, 'main')).branch).to.equal('main');
    await repository.git('switch', '--quiet', '--orphan', 'größe');
    expect((await go(repository, 'side')).branch).to.equal('side');
  });

  it('creates a branch that only the remote has, and follows it', async () => {
    const upstream = await history();
    await upstream.git('clone', '--quiet', '.', '../clone');
    const clone = Repository.at(path.join(upstream.folder, '../clone'));
    expect((await go(clone, 'side')).branch).to.equal('side');
    expect(await clone.git('rev-parse', '--abbrev-ref', 'side@{upstream}')).to.equal('origin/side');
  });

  it('creates no branch where it cannot go to it', async () => {
    const upstream = await history();
    await upstream.git('clone', '--quiet', '.', '../clone');
    const clone = Repository.at(path.join(upstream.folder, '../clone'));
    await clone.write({ 'side.txt': 'mine' });
    await rejection(go(clone, 'side'), 'EXECUTION_FAILED');
    expect(await clone.git('for-each-ref', '--format=%(refname:short)', 'refs/heads')).to.equal('main');
  });

  it('leaves a way back to the branch before', async () => {
    const repository = await history();
    await go(repository, 'side');
    await repository.git('switch', '--quiet', '-');
    expect(await repository.git('symbolic-ref', '--short', 'HEAD')).to.equal('main');
  });

  const inTheWay: { name: string; files: Record<string, string>; prepare?: (repository: Repository) => Promise<unknown> }[] = [
    { name: 'changes', files: { 'a.txt': 'mine' } },
    { name: 'staged changes', files: { 'a.txt': 'mine' }, prepare: (repository) => repository.git('add', '--all') },
    { name: 'a file that git does not know', files: { 'side.txt': 'mine' } },
    { name: 'an ignored file', files: { 'side.txt': 'mine', '.git/info/exclude': 'side.txt\n' } },
  ];
  for (const { name, files, prepare } of inTheWay) {
    it(`does nothing where it would lose ${name}, and names the file`, async () => {
      const repository = await history();
      await repository.write(files);
      await prepare?.(repository);
      const before = await repository.git('status', '--porcelain', '--branch');
      const { message } = await rejection(go(repository, 'side'), 'EXECUTION_FAILED');
      expect(message).to.include(Object.keys(files)[0]).and.include('git_commit').and.include('Nothing was changed');
      expect(await repository.git('status', '--porcelain', '--branch')).to.equal(before);
    });
  }

  it('does nothing during a merge, whether in conflict or not', async () => {
    const repository = await history();
    await repository.git('merge', '--no-commit', '--no-ff', 'side');
    expect((await rejection(go(repository, 'side'), 'EXECUTION_FAILED')).message).to.include('Nothing was changed');
  });

  it('does not take a branch away from another working tree', async () => {
    const repository = await history();
    await repository.git('worktree', 'add', '--quiet', '../linked', 'side');
    expect((await rejection(go(repository, 'side'), 'EXECUTION_FAILED')).message).to.include('another working tree');
  });

  const refused = [
    { name: 'a branch that does not exist', branch: 'nowhere', says: 'git_list_branches' },
    { name: 'a tag', branch: 'v1.0', says: 'git_create_branch' },
    { name: 'a commit', branch: 'HEAD~1', says: 'git_create_branch' },
    { name: 'an option', branch: '--detach', says: 'branch' },
    { name: 'the branch before', branch: '-', says: 'branch' },
  ];
  for (const { name, branch, says } of refused) {
    it(`refuses ${name}`, async () => {
      const error = await rejection(go(await history(), branch), 'INVALID_PARAMETERS');
      expect(error.message).to.include(says);
      expect(error.details.issues?.[0]?.path).to.equal('branch');
    });
  }

  it('refuses a branch that several remotes have', async () => {
    const upstream = await history();
    await upstream.git('clone', '--quiet', '.', '../clone');
    const clone = Repository.at(path.join(upstream.folder, '../clone'));
    await clone.git('remote', 'add', '--fetch', 'second', upstream.folder);
    expect((await rejection(go(clone, 'side'), 'INVALID_PARAMETERS')).message).to.include('several remotes');
  });

  it('writes through a filter of the person, and refuses one that only the repository knows', async () => {
    const repository = await history();
    await repository.git('switch', '--quiet', 'side');
    await repository.commit('Filtered', { '.gitattributes': '*.up filter=upper\n', 'x.up': 'TEXT\n' });
    await repository.git('switch', '--quiet', 'main');
    await repository.git('config', 'filter.upper.smudge', 'tr A-Z a-z');
    expect((await rejection(go(repository, 'side'), 'EXECUTION_FAILED')).message).to.include('filter.upper.smudge');
    await person('[filter "upper"]\n\tsmudge = tr A-Z a-z\n');
    await go(repository, 'side');
    expect(await repository.git('hash-object', '--no-filters', 'x.up')).to.equal(
      await repository.gitReading('text\n', 'hash-object', '--stdin'),
    );
  });
});
