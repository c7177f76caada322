import { chmod, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import { rejection } from '../../../support/rejection.ts';
import { oddNames } from './names.ts';
import { call } from './person.ts';
import { history, Repository } from './repository.ts';

interface Changes {
  readonly diff: string;
  readonly files: readonly { path: string; added: number | null; removed: number | null; original_path?: string }[];
}

const diff = (repository: Repository, parameters: Readonly<Record<string, unknown>> = {}): Promise<Changes> =>
  call('git_diff', repository, parameters);

const lines = (count: number, word = 'line'): string => Array.from({ length: count }, (_, line) => `${word} ${line}\n`).join('');

/** One file of every kind of change, against `main`, in the working tree. */
async function changed(): Promise<Repository> {
  const repository = await Repository.create();
  await repository.commit('One', { a: lines(9), gone: 'x\n', bin: 'a\0b', old: lines(20, 'old'), mode: '' });
  await repository.write({ a: `${lines(9)}grüße\n`, bin: 'c\0d' });
  await rm(path.join(repository.folder, 'gone'));
  await chmod(path.join(repository.folder, 'mode'), 0o755);
  return repository;
}

describe('git_diff', () => {
  const comparisons: { name: string; parameters: Record<string, unknown>; plain: string[] }[] = [
    { name: 'what is not staged', parameters: {}, plain: [] },
    { name: 'what is staged', parameters: { staged: true }, plain: ['--cached'] },
    { name: 'the working tree with a commit', parameters: { from: 'HEAD~1' }, plain: ['HEAD~1'] },
    { name: 'what is staged with a commit', parameters: { from: 'HEAD~1', staged: true }, plain: ['--cached', 'HEAD~1'] },
    { name: 'two commits', parameters: { from: 'v1.0', to: 'side' }, plain: ['v1.0', 'side'] },
    { name: 'two branches from where they parted', parameters: { from: 'main...side' }, plain: ['main...side'] },
    { name: 'one file', parameters: { from: 'HEAD~2', to: 'HEAD', path: 'a.txt' }, plain: ['HEAD~2', 'HEAD', '--', 'a.txt'] },
    { name: 'one folder', parameters: { from: 'HEAD~2', path: 'src' }, plain: ['HEAD~2', '--', 'src'] },
    { name: 'a file that nobody has', parameters: { from: 'HEAD~2', path: 'nowhere' }, plain: ['HEAD~2', '--', 'nowhere'] },
    { name: 'a commit with itself', parameters: { from: 'HEAD', to: 'HEAD' }, plain: ['HEAD', 'HEAD'] },
  ];
  for (const { name, parameters, plain } of comparisons) {
    it(`compares ${name} as plain git does`, async () => {
      const repository = await history();
      await repository.write({ 'a.txt': 'staged', 'src/b.txt': 'staged' });
      await repository.git('add', '--all');
      await repository.write({ 'a.txt': 'not staged' });
      const found = await diff(repository, parameters);
      expect(found.diff.replace(/\n$/, '')).to.equal(await repository.git('diff', ...plain));
      const names = (await repository.git('diff', '--name-only', ...plain)).split('\n').filter((line) => line !== '');
      expect(found.files.map((file) => file.path)).to.deep.equal(names);
    });
  }

  it('counts the lines of text and not those of binary files', async () => {
    const repository = await changed();
    expect((await diff(repository)).files).to.deep.equal([
      { path: 'a', added: 1, removed: 0 },
      { path: 'bin', added: null, removed: null },
      { path: 'gone', added: 0, removed: 1 },
      { path: 'mode', added: 0, removed: 0 },
    ]);
  });

  it('gives a diff that git apply turns back into the change, also with non-ASCII text', async () => {
    const repository = await changed();
    const found = await diff(repository, { path: 'a' });
    expect(found.diff).to.include('\n+grüße\n');
    await repository.git('checkout', '--quiet', 'a');
    await writeFile(path.join(repository.folder, '../patch'), found.diff);
    await repository.git('apply', '../patch');
    expect((await diff(repository, { path: 'a' })).diff).to.equal(found.diff);
  });

  it('shows a rename as one file', async () => {
    const repository = await changed();
    await rename(path.join(repository.folder, 'old'), path.join(repository.folder, 'nëw'));
    await repository.git('add', '--all');
    expect((await diff(repository, { staged: true })).files).to.deep.include({ path: 'nëw', added: 0, removed: 0, original_path: 'old' });
  });

  it('keeps odd names whole, also as the path and in a rename', async () => {
    const repository = await Repository.create();
    await repository.commit('One', Object.fromEntries(oddNames.map((name) => [name, lines(20, name.trim().replaceAll('\n', ''))])));
    for (const name of oddNames) await writeFile(path.join(repository.folder, name), 'y\n');
    for (const name of oddNames)
      expect((await diff(repository, { path: name, stat: true })).files, name).to.deep.equal([{ path: name, added: 1, removed: 20 }]);
    await repository.git('checkout', '--quiet', '.');
    for (const name of oddNames) await rename(path.join(repository.folder, name), path.join(repository.folder, `new${name}`));
    await repository.git('add', '--all');
    const expected = oddNames.map((name) => ({ path: `new${name}`, added: 0, removed: 0, original_path: name }));
    expect((await diff(repository, { staged: true })).files).to.have.deep.members(expected);
  });

  it('does not fail over a name that is not UTF-8', async () => {
    const repository = await Repository.create();
    await writeFile(Buffer.concat([Buffer.from(`${repository.folder}/`), Buffer.from([0xff, 0x61])]), 'x');
    await repository.git('add', '--all');
    expect((await diff(repository, { staged: true })).files).to.deep.equal([{ path: '\ufffda', added: 1, removed: 0 }]);
  });

  it('gives an empty diff when nothing differs', async () => {
    expect(await diff(await history())).to.deep.equal({ diff: '', files: [] });
  });

  it('leaves the diff empty with stat', async () => {
    const repository = await changed();
    const found = await diff(repository, { stat: true });
    expect(found).to.deep.equal({ diff: '', files: (await diff(repository)).files });
  });

  it('compares with nothing before the first commit', async () => {
    const repository = await Repository.create({ a: 'x\n' });
    expect(await diff(repository)).to.deep.equal({ diff: '', files: [] });
    await repository.git('add', 'a');
    expect((await diff(repository, { staged: true })).files).to.deep.equal([{ path: 'a', added: 1, removed: 0 }]);
    await rejection(diff(repository, { from: 'HEAD' }), 'INVALID_PARAMETERS');
  });

  it('names a file in conflict once and shows its combined diff', async () => {
    const repository = await Repository.create();
    await repository.commit('Base', { a: '1\n', b: '1\n' });
    await repository.git('switch', '--quiet', '--create', 'theirs');
    await repository.commit('Theirs', { a: '2\n' });
    await repository.git('switch', '--quiet', 'main');
    await repository.commit('Ours', { a: '3\n' });
    await repository.git('merge', 'theirs').catch(() => {});
    await repository.write({ b: '2\n' });
    const found = await diff(repository);
    expect(found.files).to.deep.equal([
      { path: 'a', added: 4, removed: 0 },
      { path: 'b', added: 1, removed: 1 },
    ]);
    expect(found.diff).to.include('diff --cc a').and.to.include('diff --git a/b b/b');
    expect((await diff(repository, { staged: true })).diff).to.include('Unmerged path a');
  });

  it('shows another commit of a submodule, and not what is changed in it', async () => {
    const inner = await Repository.create();
    await inner.commit('Inner', { b: '' });
    const repository = await Repository.create();
    await repository.git('submodule', '--quiet', 'add', inner.folder, 'sub');
    await repository.commit('Outer');
    const sub = Repository.at(path.join(repository.folder, 'sub'));
    await sub.write({ b: 'changed' });
    expect(await diff(repository)).to.deep.equal({ diff: '', files: [] });
    await sub.commit('Moved');
    expect((await diff(repository)).diff).to.include('+Subproject commit');
  });

  it('is not changed by the display settings of the repository', async () => {
    const repository = await changed();
    const before = await diff(repository);
    const settings = {
      'diff.noprefix': 'true',
      'diff.mnemonicPrefix': 'true',
      'diff.context': '0',
      'diff.algorithm': 'patience',
      'diff.orderFile': path.join(repository.folder, 'nowhere'),
      'diff.relative': 'true',
      'diff.renames': 'false',
      'diff.suppressBlankEmpty': 'true',
      'diff.wsErrorHighlight': 'all',
      'color.ui': 'always',
      'core.quotePath': 'true',
    };
    for (const [name, value] of Object.entries(settings)) await repository.git('config', name, value);
    expect(await diff(repository)).to.deep.equal(before);
  });

  const refused: { name: string; parameters: Record<string, unknown>; parameter: string }[] = [
    { name: 'a revision that does not exist', parameters: { from: 'nowhere' }, parameter: 'from' },
    { name: 'a second revision that does not exist', parameters: { from: 'HEAD', to: 'nowhere' }, parameter: 'to' },
    { name: 'an option as a revision', parameters: { from: '--output=marker' }, parameter: 'from' },
    { name: 'an option as the second revision', parameters: { from: 'HEAD', to: '--no-index' }, parameter: 'to' },
    { name: 'a hash that nobody has', parameters: { from: '1'.repeat(40) }, parameter: 'from' },
    { name: 'the new side alone', parameters: { to: 'HEAD' }, parameter: 'to' },
    { name: 'a range as the new side', parameters: { from: 'HEAD', to: 'HEAD~1..HEAD' }, parameter: 'to' },
    { name: 'two commits and what is staged', parameters: { from: 'HEAD~1', to: 'HEAD', staged: true }, parameter: 'staged' },
    { name: 'a path outside of the repository', parameters: { path: '../other' }, parameter: 'path' },
  ];
  for (const { name, parameters, parameter } of refused) {
    it(`refuses ${name}`, async () => {
      const error = await rejection(diff(await history(), parameters), 'INVALID_PARAMETERS');
      expect(error.details.issues?.[0]?.path, error.message).to.equal(parameter);
    });
  }

  it('takes a revision that begins with a dash for a revision', async () => {
    const repository = await history();
    await repository.git('update-ref', 'refs/heads/-R', 'side');
    expect((await diff(repository, { from: '-R', to: 'main' })).files.map((file) => file.path)).to.deep.equal(['a.txt', 'side.txt']);
  });

  it('says how to ask for less when the diff is too large, and still counts', async () => {
    const repository = await Repository.create();
    await repository.commit('One', { big: '' });
    await repository.write({ big: lines(700_000, 'a longer line, so that there are more than ten megabytes') });
    const error = await rejection(diff(repository), 'OUTPUT_TOO_LARGE');
    expect(error.message).to.include('stat: true').and.include('path');
    expect((await diff(repository, { stat: true })).files).to.deep.equal([{ path: 'big', added: 700_000, removed: 0 }]);
  });
});
