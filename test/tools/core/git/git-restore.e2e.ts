import { readFile, rm, symlink } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import { rejection } from '../../../support/rejection.ts';
import { temporaryFolder } from '../../../support/temporary.ts';
import { oddNames } from './names.ts';
import { call } from './person.ts';
import { history, Repository } from './repository.ts';

async function restore(repository: Repository, parameters: Readonly<Record<string, unknown>>): Promise<readonly string[]> {
  return (await call<{ restored: readonly string[] }>('git_restore', repository, parameters)).restored;
}

/** `a.txt` is changed in the working tree, `src/b.txt` staged and then changed again, `new.txt` staged and `side.txt` unknown. */
async function changed(): Promise<Repository> {
  const repository = await history();
  await repository.write({ 'src/b.txt': 'staged', 'new.txt': 'staged' });
  await repository.git('add', '--all');
  await repository.write({ 'a.txt': 'changed', 'src/b.txt': 'changed', 'side.txt': 'unknown' });
  return repository;
}

describe('git_restore', () => {
  const cases: { name: string; parameters: Record<string, unknown>; plain: string[]; restored: string[] }[] = [
    { name: 'everything', parameters: { paths: ['.'] }, plain: ['.'], restored: ['a.txt', 'src/b.txt'] },
    { name: 'a file', parameters: { paths: ['a.txt'] }, plain: ['a.txt'], restored: ['a.txt'] },
    { name: 'a folder', parameters: { paths: ['src'] }, plain: ['src'], restored: ['src/b.txt'] },
    {
      name: 'what is staged',
      parameters: { paths: ['.'], staged: true },
      plain: ['--staged', '.'],
      restored: ['new.txt', 'src/b.txt'],
    },
    {
      name: 'the content of a commit',
      parameters: { paths: ['a.txt', 'src'], source: 'HEAD~2' },
      plain: ['--source=HEAD~2', 'a.txt', 'src'],
      restored: ['a.txt', 'src/b.txt'],
    },
    {
      name: 'the content of a branch, staged',
      parameters: { paths: ['.'], source: 'side', staged: true },
      plain: ['--source=side', '--staged', '.'],
      restored: ['a.txt', 'new.txt', 'side.txt', 'src/b.txt'],
    },
    { name: 'nothing of a file that is the same', parameters: { paths: ['new.txt'] }, plain: ['new.txt'], restored: [] },
  ];
  for (const { name, parameters, plain, restored } of cases) {
    it(`restores ${name} as plain git does`, async () => {
      const [repository, reference] = [await changed(), await changed()];
      expect(await restore(repository, parameters)).to.deep.equal(restored);
      await reference.git('restore', ...plain);
      const state = async (one: Repository): Promise<string> => `${await one.git('status', '--porcelain')}${await one.git('diff', 'HEAD')}`;
      expect(await state(repository)).to.equal(await state(reference));
      expect(await readFile(path.join(repository.folder, 'side.txt'), 'utf8')).to.equal('unknown');
    });
  }

  it('brings a deleted file back', async () => {
    const repository = await history();
    await rm(path.join(repository.folder, 'src'), { recursive: true });
    expect(await restore(repository, { paths: ['src/b.txt'] })).to.deep.equal(['src/b.txt']);
    expect(await readFile(path.join(repository.folder, 'src/b.txt'), 'utf8')).to.equal('2');
  });

  it('unstages before the first commit', async () => {
    const repository = await Repository.create({ a: '', b: '' });
    await repository.git('add', '--all');
    expect(await restore(repository, { paths: ['a'], staged: true })).to.deep.equal(['a']);
    expect(await repository.git('status', '--porcelain')).to.equal('A  b\n?? a');
  });

  it('restores files with odd names, each for itself', async () => {
    const repository = await Repository.create();
    await repository.commit('One', Object.fromEntries(oddNames.map((name) => [name, 'x'])));
    await repository.write(Object.fromEntries(oddNames.map((name) => [name, 'changed'])));
    for (const name of oddNames) expect(await restore(repository, { paths: [name] }), name).to.deep.equal([name]);
    expect(await repository.git('status', '--porcelain')).to.equal('');
  });

  it('does not write through a folder that has become a link', async () => {
    const repository = await history();
    const outside = await temporaryFolder({ 'b.txt': 'outside' });
    await rm(path.join(repository.folder, 'src'), { recursive: true });
    await symlink(outside, path.join(repository.folder, 'src'));
    await restore(repository, { paths: ['src/b.txt'] }).catch(() => {});
    expect(await readFile(path.join(outside, 'b.txt'), 'utf8')).to.equal('outside');
  });

  it('takes a source that begins with a dash for a revision', async () => {
    const repository = await history();
    await repository.git('update-ref', 'refs/heads/--staged', 'HEAD~2');
    expect(await restore(repository, { paths: ['a.txt'], source: '--staged' })).to.deep.equal(['a.txt']);
    expect(await readFile(path.join(repository.folder, 'a.txt'), 'utf8')).to.equal('1');
  });

  it('says what to do with a file in conflict, and takes a side when told', async () => {
    const repository = await Repository.create();
    await repository.commit('Base', { a: '1\n', b: '1\n' });
    await repository.git('switch', '--quiet', '--create', 'theirs');
    await repository.commit('Theirs', { a: '2\n' });
    await repository.git('switch', '--quiet', 'main');
    await repository.commit('Ours', { a: '3\n' });
    await repository.git('merge', 'theirs').catch(() => {});
    await repository.write({ b: 'changed' });
    expect((await rejection(restore(repository, { paths: ['.'] }), 'EXECUTION_FAILED')).message)
      .to.include('in conflict')
      .and.include('source');
    expect(await readFile(path.join(repository.folder, 'b'), 'utf8')).to.equal('changed');
    expect(await restore(repository, { paths: ['a'], source: 'theirs' })).to.deep.equal(['a']);
    expect(await readFile(path.join(repository.folder, 'a'), 'utf8')).to.equal('2\n');
  });

  const refused: { name: string; parameters: Record<string, unknown>; code: 'INVALID_PARAMETERS' | 'NOT_FOUND'; parameter: string }[] = [
    { name: 'a file that git does not know', parameters: { paths: ['a.txt', 'side.txt'] }, code: 'NOT_FOUND', parameter: 'paths' },
    { name: 'a file that does not exist', parameters: { paths: ['nowhere'] }, code: 'NOT_FOUND', parameter: 'paths' },
    { name: 'a path outside', parameters: { paths: ['../x'] }, code: 'INVALID_PARAMETERS', parameter: 'paths' },
    {
      name: 'a source that does not exist',
      parameters: { paths: ['.'], source: 'nowhere' },
      code: 'INVALID_PARAMETERS',
      parameter: 'source',
    },
    {
      name: 'an option as the source',
      parameters: { paths: ['.'], source: '--output=marker' },
      code: 'INVALID_PARAMETERS',
      parameter: 'source',
    },
    {
      name: 'a range as the source',
      parameters: { paths: ['.'], source: 'HEAD~1..HEAD' },
      code: 'INVALID_PARAMETERS',
      parameter: 'source',
    },
  ];
  for (const { name, parameters, code, parameter } of refused) {
    it(`refuses ${name} and restores nothing`, async () => {
      const repository = await changed();
      const before = await repository.git('status', '--porcelain');
      const error = await rejection(restore(repository, parameters), code);
      expect(error.details.issues?.[0]?.path, error.message).to.equal(parameter);
      expect(await repository.git('status', '--porcelain')).to.equal(before);
    });
  }
});
