import path from 'node:path';
import { expect } from 'chai';
import { call } from './person.ts';
import { history, on, Repository } from './repository.ts';

interface Branch {
  readonly name: string;
  readonly hash: string;
  readonly current: boolean;
  readonly upstream: string | null;
  readonly upstream_gone?: boolean;
}

async function branches(repository: Repository, remote = false): Promise<readonly Branch[]> {
  return (await call<{ branches: readonly Branch[] }>('git_list_branches', repository, { remote })).branches;
}

interface Tag {
  readonly name: string;
  readonly hash: string;
  readonly date: string | null;
  readonly annotated: boolean;
}

async function tags(repository: Repository, pattern?: string): Promise<readonly Tag[]> {
  return (await call<{ tags: readonly Tag[] }>('git_list_tags', repository, pattern === undefined ? {} : { pattern })).tags;
}

describe('git_list_branches', () => {
  it('lists the branches with their commits and the current one', async () => {
    const repository = await history();
    await repository.git('branch', 'größe/x', 'main~2');
    expect(await branches(repository)).to.deep.equal([
      { name: 'größe/x', hash: await repository.git('rev-parse', 'größe/x'), current: false, upstream: null },
      { name: 'main', hash: await repository.git('rev-parse', 'main'), current: true, upstream: null },
      { name: 'side', hash: await repository.git('rev-parse', 'side'), current: false, upstream: null },
    ]);
    expect(await branches(repository, true)).to.deep.equal([]);
  });

  it('has no current branch when HEAD is detached, and none before the first commit', async () => {
    const repository = await history();
    await repository.git('checkout', '--quiet', '--detach');
    expect((await branches(repository)).filter(({ current }) => current)).to.deep.equal([]);
    expect(await branches(await Repository.create())).to.deep.equal([]);
  });

  it('says what a branch follows, and whether that is gone', async () => {
    const upstream = await history();
    await upstream.git('clone', '--quiet', '.', '../clone');
    const clone = Repository.at(path.join(upstream.folder, '../clone'));
    await clone.git('switch', '--quiet', 'side');
    await clone.git('branch', '--track', 'local', 'main');
    await clone.git('update-ref', '-d', 'refs/remotes/origin/side');
    const found = await branches(clone);
    expect(found.map(({ name, upstream: follows, upstream_gone: gone }) => [name, follows, gone])).to.deep.equal([
      ['local', 'main', false],
      ['main', 'origin/main', false],
      ['side', 'origin/side', true],
    ]);
  });

  it('lists remote-tracking branches as plain git does, without links', async () => {
    const upstream = await history();
    await upstream.git('clone', '--quiet', '.', '../clone');
    const clone = Repository.at(path.join(upstream.folder, '../clone'));
    const hash = (name: string): Promise<string> => clone.git('rev-parse', name);
    expect(await branches(clone, true)).to.deep.equal([
      { name: 'origin/main', hash: await hash('origin/main'), current: false, upstream: null },
      { name: 'origin/side', hash: await hash('origin/side'), current: false, upstream: null },
    ]);
  });

  it('lists many branches', async () => {
    const repository = await history();
    const hash = await repository.git('rev-parse', 'HEAD');
    const updates = Array.from({ length: 3000 }, (_, index) => `create refs/heads/many/${index} ${hash}\n`).join('');
    await repository.gitReading(updates, 'update-ref', '--stdin');
    expect(await branches(repository)).to.have.length(3002);
  });
});

describe('git_list_tags', () => {
  async function tagged(): Promise<Repository> {
    const repository = await history();
    await repository.gitWith(on('2024-06-01T10:00:00+02:00'), 'tag', '--message=Release', 'v2.0', 'main~1');
    await repository.git('tag', 'größe/x', 'main~2');
    return repository;
  }

  it('lists tags, newest first, with the commit that each names', async () => {
    const repository = await tagged();
    const hash = (revision: string): Promise<string> => repository.git('rev-parse', revision);
    expect(await tags(repository)).to.deep.equal([
      { name: 'v2.0', hash: await hash('v2.0^{commit}'), date: '2024-06-01T10:00:00+02:00', annotated: true },
      { name: 'v1.0', hash: await hash('main'), date: '2024-03-10T10:00:00-05:00', annotated: false },
      { name: 'größe/x', hash: await hash('main~2'), date: '2024-01-10T10:00:00+02:00', annotated: false },
    ]);
  });

  const patterns = [
    { pattern: 'v*', names: ['v2.0', 'v1.0'] },
    { pattern: 'v1.?', names: ['v1.0'] },
    { pattern: 'g*', names: ['größe/x'] },
    { pattern: 'v', names: [] },
    { pattern: '--contains', names: [] },
    { pattern: '-d', names: [] },
  ];
  for (const { pattern, names } of patterns) {
    it(`finds ${names.length} for the pattern ${pattern}, as plain git does`, async () => {
      const repository = await tagged();
      expect((await tags(repository, pattern)).map(({ name }) => name)).to.deep.equal(names);
      const plain = await repository.git('tag', '--list', '--sort=-creatordate', '--end-of-options', pattern);
      expect(plain).to.equal(names.join('\n'));
    });
  }

  it('has no date for a tag that names a file, and lists nothing where there is nothing', async () => {
    const repository = await tagged();
    await repository.git('tag', 'file', 'HEAD:a.txt');
    expect((await tags(repository, 'file'))[0]).to.deep.include({ date: null, annotated: false });
    expect(await tags(await Repository.create())).to.deep.equal([]);
  });

  it('is not changed by the display settings of the repository', async () => {
    const repository = await tagged();
    const before = await tags(repository);
    for (const [name, value] of Object.entries({
      'tag.sort': 'refname',
      'column.ui': 'always',
      'color.ui': 'always',
      'log.date': 'relative',
    }))
      await repository.git('config', name, value);
    expect(await tags(repository)).to.deep.equal(before);
  });
});
