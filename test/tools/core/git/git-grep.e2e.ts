import { mkdir, rename, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import { rejection } from '../../../support/rejection.ts';
import { temporaryFolder } from '../../../support/temporary.ts';
import { oddNames } from './names.ts';
import { call } from './person.ts';
import { Repository } from './repository.ts';

interface Found {
  readonly matches: readonly { readonly path: string; readonly line: number; readonly text: string }[];
  readonly truncated: boolean;
}

const grep = (repository: Repository, parameters: Readonly<Record<string, unknown>>): Promise<Found> =>
  call('git_grep', repository, parameters);

async function places(repository: Repository, parameters: Readonly<Record<string, unknown>>): Promise<readonly string[]> {
  return (await grep(repository, parameters)).matches.map(({ path: file, line, text }) => `${file}:${line}:${text}`);
}

const files = {
  'a.txt': 'one\nTwo (2)\nthree\n',
  'src/b.txt': 'one one\n  -e one\nGrüße\n',
  'src/one.txt': 'none\n',
};

async function searched(): Promise<Repository> {
  const repository = await Repository.create();
  await repository.commit('One', files);
  return repository;
}

describe('git_grep', () => {
  const searches: { name: string; parameters: Record<string, unknown>; plain: string[]; count: number }[] = [
    { name: 'a word', parameters: { pattern: 'one' }, plain: ['-e', 'one'], count: 4 },
    { name: 'a word in one folder', parameters: { pattern: 'one', path: 'src' }, plain: ['-e', 'one', '--', 'src'], count: 3 },
    { name: 'a word in one file', parameters: { pattern: 'one', path: 'a.txt' }, plain: ['-e', 'one', '--', 'a.txt'], count: 1 },
    { name: 'an anchored expression', parameters: { pattern: '^(one|three)$' }, plain: ['-E', '-e', '^(one|three)$'], count: 2 },
    { name: 'an escaped parenthesis', parameters: { pattern: '\\([0-9]\\)' }, plain: ['-E', '-e', '\\([0-9]\\)'], count: 1 },
    { name: 'capital letters too', parameters: { pattern: 'tWO', ignore_case: true }, plain: ['-i', '-e', 'tWO'], count: 1 },
    { name: 'capital letters only', parameters: { pattern: 'two' }, plain: ['-e', 'two'], count: 0 },
    { name: 'non-ASCII text', parameters: { pattern: 'Gr.ße' }, plain: ['-e', 'Gr.ße'], count: 1 },
    { name: 'what looks like an option', parameters: { pattern: '-e one' }, plain: ['-e', '-e one'], count: 1 },
    { name: 'what no file has', parameters: { pattern: 'nothing' }, plain: ['-e', 'nothing'], count: 0 },
    {
      name: 'in a path that is not there',
      parameters: { pattern: 'one', path: 'nowhere' },
      plain: ['-e', 'one', '--', 'nowhere'],
      count: 0,
    },
    { name: 'a wildcard as it is', parameters: { pattern: 'one', path: '*.txt' }, plain: ['-e', 'one', '--', ':(literal)*.txt'], count: 0 },
  ];
  for (const { name, parameters, plain, count } of searches) {
    it(`finds ${name} as plain git does`, async () => {
      const repository = await searched();
      const printed = await repository.git('grep', '--line-number', ...plain).catch(() => '');
      const expected = printed.split('\n').filter((line) => line !== '');
      expect(expected, 'the table').to.have.length(count);
      expect(await places(repository, parameters)).to.deep.equal(expected);
    });
  }

  it('searches the working tree as it is now, but not what git does not know', async () => {
    const repository = await searched();
    await repository.write({ 'a.txt': 'changed\n', 'new.txt': 'changed\n', '.gitignore': 'ignored\n', ignored: 'changed\n' });
    expect(await places(repository, { pattern: 'changed' })).to.deep.equal(['a.txt:1:changed']);
  });

  it('searches a commit', async () => {
    const repository = await searched();
    await repository.commit('Two', { 'a.txt': 'changed\n' });
    expect(await places(repository, { pattern: 'three', revision: 'HEAD~1' })).to.deep.equal(['a.txt:3:three']);
    expect(await places(repository, { pattern: 'three', revision: 'HEAD' })).to.deep.equal([]);
  });

  it('searches what is staged before the first commit', async () => {
    const repository = await Repository.create({ a: 'one\n' });
    expect(await places(repository, { pattern: 'one' })).to.deep.equal([]);
    await repository.git('add', 'a');
    expect(await places(repository, { pattern: 'one' })).to.deep.equal(['a:1:one']);
  });

  it('leaves out binary files', async () => {
    const repository = await Repository.create();
    await repository.commit('One', { bin: 'one\0', text: 'one' });
    expect(await places(repository, { pattern: 'one' })).to.deep.equal(['text:1:one']);
  });

  it('finds lines of files with odd names, in the working tree, in a commit and by path', async () => {
    const repository = await Repository.create();
    await repository.commit('One', Object.fromEntries(oddNames.map((name) => [name, 'a\tb'])));
    const match = (name: string): unknown => ({ path: name, line: 1, text: 'a\tb' });
    expect((await grep(repository, { pattern: 'b' })).matches).to.have.deep.members(oddNames.map(match));
    expect((await grep(repository, { pattern: 'b', revision: 'HEAD' })).matches).to.have.deep.members(oddNames.map(match));
    for (const name of oddNames) expect((await grep(repository, { pattern: 'b', path: name })).matches, name).to.deep.equal([match(name)]);
  });

  it('does not fail over text and names that are not UTF-8', async () => {
    const repository = await Repository.create();
    await writeFile(Buffer.concat([Buffer.from(`${repository.folder}/`), Buffer.from([0xff])]), Buffer.from('one ü\n', 'latin1'));
    await repository.commit('One');
    expect((await grep(repository, { pattern: 'one' })).matches).to.deep.equal([{ path: '\ufffd', line: 1, text: 'one \ufffd' }]);
  });

  it('gives no more than it may, and says that there is more', async () => {
    const repository = await Repository.create();
    await repository.commit('One', { a: 'x\n'.repeat(30), b: 'x\n'.repeat(30) });
    const [exact, fewer] = [
      await grep(repository, { pattern: 'x', max_results: 60 }),
      await grep(repository, { pattern: 'x', max_results: 45 }),
    ];
    expect([exact.matches.length, exact.truncated]).to.deep.equal([60, false]);
    expect([fewer.matches.length, fewer.truncated]).to.deep.equal([45, true]);
  });

  it('cuts a long line around the match', async () => {
    const repository = await Repository.create();
    await repository.commit('One', { a: `${'ä'.repeat(2000)}needle${'ö'.repeat(2000)}\n` });
    const [match] = (await grep(repository, { pattern: 'needle' })).matches;
    expect(match?.text)
      .to.match(/^…ä{100}needleö+…$/)
      .and.have.length(502);
  });

  it('gives nothing from behind a folder that has become a link', async () => {
    const repository = await Repository.create();
    await repository.commit('One', { 'etc/passwd': 'here\n', 'etc/deep/file': 'here\n', other: 'SECRET\n' });
    const outside = await temporaryFolder({ passwd: 'SECRET\n', 'deep/file': 'SECRET\n' });
    await rename(path.join(repository.folder, 'etc'), path.join(repository.folder, 'moved'));
    await symlink(outside, path.join(repository.folder, 'etc'));
    expect(await repository.git('grep', 'SECRET'), 'plain git').to.include('etc/passwd:SECRET');
    expect(await places(repository, { pattern: 'SECRET' })).to.deep.equal(['other:1:SECRET']);
    expect(await places(repository, { pattern: 'SECRET', path: 'etc' })).to.deep.equal([]);
  });

  it('does not go into submodules', async () => {
    const inner = await Repository.create();
    await inner.commit('Inner', { b: 'needle\n' });
    const repository = await Repository.create();
    await mkdir(path.join(repository.folder, 'x'));
    await repository.git('submodule', '--quiet', 'add', inner.folder, 'sub');
    await repository.git('config', 'submodule.recurse', 'true');
    await repository.git('config', 'grep.fallbackToNoIndex', 'true');
    expect(await places(repository, { pattern: 'needle' })).to.deep.equal([]);
  });

  const refused: { name: string; parameters: Record<string, unknown>; parameter: string }[] = [
    { name: 'an expression that is none', parameters: { pattern: 'a(' }, parameter: 'pattern' },
    { name: 'a back reference to nothing', parameters: { pattern: '\\1' }, parameter: 'pattern' },
    { name: 'an expression of two lines', parameters: { pattern: 'a\nb' }, parameter: 'pattern' },
    { name: 'a revision that does not exist', parameters: { pattern: 'a', revision: 'nowhere' }, parameter: 'revision' },
    { name: 'an option as the revision', parameters: { pattern: 'a', revision: '--open-files-in-pager=x' }, parameter: 'revision' },
    { name: 'a path outside', parameters: { pattern: 'a', path: '../x' }, parameter: 'path' },
  ];
  for (const { name, parameters, parameter } of refused) {
    it(`refuses ${name}`, async () => {
      const error = await rejection(grep(await searched(), parameters), 'INVALID_PARAMETERS');
      expect(error.details.issues?.[0]?.path, error.message).to.equal(parameter);
    });
  }
});
