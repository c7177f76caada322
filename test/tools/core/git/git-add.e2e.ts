import { existsSync } from 'node:fs';
import { chmod, mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import { rejection } from '../../../support/rejection.ts';
import { oddNames } from './names.ts';
import { call, person } from './person.ts';
import { Repository } from './repository.ts';

async function add(repository: Repository, ...paths: readonly string[]): Promise<readonly string[]> {
  return (await call<{ staged: readonly string[] }>('git_add', repository, { paths })).staged;
}

const staged = (repository: Repository): Promise<string> => repository.git('status', '--porcelain', '--untracked-files=all');

/** A changed, a deleted, a new and an unchanged file, and a folder of new ones. */
async function changed(): Promise<Repository> {
  const repository = await Repository.create();
  await repository.commit('One', { changed: '1', gone: '1', same: '1', 'src/changed': '1' });
  await repository.write({ changed: '2', new: '1', 'src/changed': '2', 'src/deep/new': '1' });
  await rm(path.join(repository.folder, 'gone'));
  return repository;
}

describe('git_add', () => {
  const cases: { name: string; paths: string[]; staged: string[] }[] = [
    { name: 'everything', paths: ['.'], staged: ['changed', 'gone', 'src/changed', 'new', 'src/deep/new'] },
    { name: 'a changed file', paths: ['changed'], staged: ['changed'] },
    { name: 'a deleted file', paths: ['gone'], staged: ['gone'] },
    { name: 'a new file', paths: ['new'], staged: ['new'] },
    { name: 'a folder', paths: ['src'], staged: ['src/changed', 'src/deep/new'] },
    { name: 'a folder with a slash, and a file in it', paths: ['src/', 'src/changed'], staged: ['src/changed', 'src/deep/new'] },
    { name: 'several paths', paths: ['new', 'gone'], staged: ['gone', 'new'] },
    { name: 'nothing of a file that is the same', paths: ['same'], staged: [] },
  ];
  for (const { name, paths, staged: expected } of cases) {
    it(`stages ${name} as plain git does`, async () => {
      const [repository, plain] = [await changed(), await changed()];
      expect(await add(repository, ...paths)).to.have.members(expected);
      await plain.git('add', '--', ...paths);
      expect(await staged(repository)).to.equal(await staged(plain));
    });
  }

  it('stages before the first commit, and nothing the second time', async () => {
    const repository = await Repository.create({ a: '', 'ä/b': '' });
    expect(await add(repository, '.')).to.deep.equal(['a', 'ä/b']);
    expect(await add(repository, '.')).to.deep.equal([]);
  });

  it('takes an empty working tree for nothing to stage', async () => {
    expect(await add(await Repository.create(), '.')).to.deep.equal([]);
  });

  it('stages files with odd names, each for itself', async () => {
    const repository = await Repository.create(Object.fromEntries(oddNames.map((name) => [name, ''])));
    for (const name of oddNames) expect(await add(repository, name), name).to.deep.equal([name]);
    const names = (await repository.git('ls-files', '-z')).split('\0').slice(0, -1);
    expect(names).to.have.members(oddNames);
  });

  it('takes wildcards for names', async () => {
    const repository = await Repository.create({ 'a.txt': '', '*.txt': '' });
    expect(await add(repository, '*.txt')).to.deep.equal(['*.txt']);
  });

  it('stages a mode, a link as a link, and a file that took the place of a folder', async () => {
    const repository = await Repository.create();
    await repository.commit('One', { mode: '', 'was/folder': '' });
    await chmod(path.join(repository.folder, 'mode'), 0o755);
    await symlink('/etc/passwd', path.join(repository.folder, 'link'));
    await rm(path.join(repository.folder, 'was'), { recursive: true });
    await repository.write({ was: '' });
    expect(await add(repository, '.')).to.have.members(['mode', 'link', 'was', 'was/folder']);
    expect((await repository.git('ls-files', '--stage')).replace(/ \w{40} 0/g, '')).to.equal('120000\tlink\n100755\tmode\n100644\twas');
  });

  it('resolves a conflict', async () => {
    const repository = await Repository.create();
    await repository.commit('Base', { a: '1\n' });
    await repository.git('switch', '--quiet', '--create', 'theirs');
    await repository.commit('Theirs', { a: '2\n' });
    await repository.git('switch', '--quiet', 'main');
    await repository.commit('Ours', { a: '3\n' });
    await repository.git('merge', 'theirs').catch(() => {});
    await repository.write({ a: '2 and 3\n' });
    expect(await add(repository, 'a')).to.deep.equal(['a']);
    expect(await staged(repository)).to.equal('M  a');
  });

  it('stages another commit of a submodule, and does not look at what is changed in it', async () => {
    const inner = await Repository.create();
    await inner.commit('Inner', { b: '' });
    const repository = await Repository.create();
    await repository.git('submodule', '--quiet', 'add', inner.folder, 'sub');
    await repository.commit('Outer');
    const sub = Repository.at(path.join(repository.folder, 'sub'));
    await sub.write({ b: 'changed' });
    expect(await add(repository, '.')).to.deep.equal([]);
    await sub.commit('Moved');
    expect(await add(repository, 'sub')).to.deep.equal(['sub']);
    expect(await staged(repository)).to.equal('M  sub');
  });

  it('stages through a filter of the person', async () => {
    await person('[filter "upper"]\n\tclean = tr a-z A-Z\n\tsmudge = tr A-Z a-z\n');
    const repository = await Repository.create({ '.gitattributes': '*.up filter=upper\n', 'a.up': 'text\n' });
    await repository.git('config', 'filter.upper.clean', 'tr a-z A-Z');
    await add(repository, '.');
    expect(await repository.git('show', ':a.up')).to.equal('TEXT');
  });

  const refused: { name: string; paths: string[]; code: 'INVALID_PARAMETERS' | 'NOT_FOUND'; says: string }[] = [
    { name: 'a file that does not exist', paths: ['new', 'nowhere'], code: 'NOT_FOUND', says: 'received "nowhere"' },
    {
      name: 'an ignored file',
      paths: ['new', 'build/x'],
      code: 'INVALID_PARAMETERS',
      says: '.gitignore does not exclude, received "build/x"',
    },
    { name: 'an ignored folder', paths: ['build'], code: 'INVALID_PARAMETERS', says: '.gitignore' },
    { name: 'a path outside', paths: ['new', '../x'], code: 'INVALID_PARAMETERS', says: 'received "../x"' },
    { name: 'an absolute path outside', paths: ['/etc/passwd'], code: 'INVALID_PARAMETERS', says: 'received "/etc/passwd"' },
    { name: 'a path through a link', paths: ['link/passwd'], code: 'INVALID_PARAMETERS', says: 'symbolic link' },
    { name: 'a path in a submodule', paths: ['sub/b'], code: 'INVALID_PARAMETERS', says: 'not of a submodule' },
    { name: 'no path', paths: [], code: 'INVALID_PARAMETERS', says: 'paths' },
    { name: 'an empty path', paths: [''], code: 'INVALID_PARAMETERS', says: 'paths' },
  ];
  for (const { name, paths, code, says } of refused) {
    it(`refuses ${name} and stages nothing`, async () => {
      const repository = await changed();
      await repository.write({ '.git/info/exclude': 'build/\n', 'build/x': '' });
      await symlink('/etc', path.join(repository.folder, 'link'));
      const inner = await Repository.create();
      await inner.commit('Inner', { b: '' });
      await repository.git('submodule', '--quiet', 'add', inner.folder, 'sub');
      const before = await staged(repository);
      const error = await rejection(call('git_add', repository, { paths }), code);
      expect(error.message).to.include(says);
      expect(await staged(repository)).to.equal(before);
    });
  }

  it('says that it cannot pass on a name that is not UTF-8', async () => {
    const repository = await Repository.create({ a: '' });
    await writeFile(Buffer.concat([Buffer.from(`${repository.folder}/`), Buffer.from([0xff])]), '');
    expect((await rejection(add(repository, '.'), 'EXECUTION_FAILED')).message).to.include('not UTF-8');
    expect(await add(repository, 'a')).to.deep.equal(['a']);
  });

  it('refuses a filter that only the repository knows, and says what to do', async () => {
    const repository = await Repository.create({ '.gitattributes': '* filter=own\n', a: '' });
    await repository.git('config', 'filter.own.clean', 'cat');
    const { message } = await rejection(add(repository, 'a'), 'EXECUTION_FAILED');
    expect(message).to.include('filter.own.clean').and.include('git config --global').and.include('Nothing was changed');
    expect(await staged(repository)).to.include('?? a');
  });

  it('names the lock of another git that is at work', async () => {
    const repository = await Repository.create({ a: '', '.git/index.lock': '' });
    expect((await rejection(add(repository, 'a'), 'EXECUTION_FAILED')).message).to.include('Another git process');
    expect(existsSync(path.join(repository.folder, '.git/index.lock'))).to.equal(true);
  });

  it('stages a repository inside of the repository as a commit, as plain git does', async () => {
    const repository = await Repository.create();
    await mkdir(path.join(repository.folder, 'inner'));
    const inner = Repository.at(path.join(repository.folder, 'inner'));
    await inner.git('init', '--quiet');
    const hash = await inner.commit('Inner', { a: '' });
    expect(await add(repository, '.')).to.deep.equal(['inner/']);
    expect(await repository.git('ls-files', '--stage')).to.equal(`160000 ${hash} 0\tinner`);
  });
});
