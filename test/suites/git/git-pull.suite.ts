import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import { rejection } from '../../support/rejection.ts';
import { person } from '../../tools/core/git/person.ts';
import { type Cloned, callBeside, cloned, pushedByOthers, withRemote } from '../../tools/core/git/remotes.ts';
import { Repository } from '../../tools/core/git/repository.ts';

interface Pulled {
  readonly hash: string;
  readonly files: readonly unknown[];
}

const pull = (both: Cloned, parameters: Readonly<Record<string, unknown>> = {}): Promise<Pulled> =>
  callBeside('git_pull', both, parameters);

const textOf = ({ project }: Cloned, name: string): Promise<string> => readFile(path.join(project.folder, name), 'utf8');

/** Everything that a pull could change. */
async function state({ project }: Cloned): Promise<string> {
  return [
    await project.git('rev-parse', 'HEAD'),
    await project.git('symbolic-ref', 'HEAD'),
    await project.git('status', '--porcelain'),
    await project.git('diff', 'HEAD'),
  ].join('\n');
}

describe('git_pull', () => {
  beforeEach(() => person());

  it('brings the branch and the working tree to what is new upstream', async () => {
    const both = await cloned();
    const before = await both.project.git('rev-parse', 'HEAD');
    const hash = await pushedByOthers(both, { 'a.txt': '3\nmore\n', 'ä b': 'x\ny\n', bin: 'a\0b' });
    expect(await pull(both)).to.deep.equal({
      hash,
      files: [
        { path: 'a.txt', added: 2, removed: 1 },
        { path: 'bin', added: null, removed: null },
        { path: 'ä b', added: 2, removed: 0 },
      ],
    });
    expect(await both.project.git('rev-parse', 'HEAD', 'refs/remotes/origin/main')).to.equal(`${hash}\n${hash}`);
    expect(await both.project.git('diff', '--name-only', before, hash)).to.have.string('a.txt');
    expect(await both.project.git('status', '--porcelain')).to.equal('');
  });

  it('changes nothing where nothing is new, or the branch is ahead', async () => {
    const both = await cloned();
    expect(await pull(both)).to.deep.equal({ hash: await both.project.git('rev-parse', 'HEAD'), files: [] });
    const hash = await both.project.commit('Mine', { mine: '' });
    expect(await pull(both)).to.deep.equal({ hash, files: [] });
  });

  it('takes another branch of the remote when told', async () => {
    const both = await cloned();
    await both.project.git('switch', '--quiet', '--create', 'mine', 'main~1');
    const hash = await both.remote.git('rev-parse', 'side');
    expect(await pull(both, { branch: 'side' })).to.deep.equal({ hash, files: [{ path: 'side.txt', added: 1, removed: 0 }] });
  });

  it('pulls into a branch without commits, and leaves what is in its way', async () => {
    const both = await withRemote(await Repository.create());
    const hash = await pushedByOthers(both, { a: 'theirs\n' });
    await both.project.write({ a: 'mine\n' });
    const { message } = await rejection(pull(both, { branch: 'main' }), 'EXECUTION_FAILED');
    expect(message).to.include('Nothing was merged');
    expect(await textOf(both, 'a')).to.equal('mine\n');
    await both.project.git('add', 'a');
    await rejection(pull(both, { branch: 'main' }), 'EXECUTION_FAILED');
    expect(await both.project.git('show', ':a')).to.equal('mine');
    await both.project.git('rm', '--quiet', '--force', 'a');
    expect(await pull(both, { branch: 'main' })).to.deep.equal({ hash, files: [{ path: 'a', added: 1, removed: 0 }] });
  });

  it('keeps changes that are not committed and in nobody’s way', async () => {
    const both = await cloned();
    await pushedByOthers(both, { 'a.txt': 'theirs' });
    await both.project.write({ 'src/b.txt': 'mine', unknown: '' });
    await pull(both);
    expect(await both.project.git('status', '--porcelain')).to.equal(' M src/b.txt\n?? unknown');
  });

  const inTheWay: { name: string; mine: Record<string, string>; staged?: true; only: boolean }[] = [
    { name: 'changes', mine: { 'a.txt': 'mine' }, only: true },
    { name: 'staged changes', mine: { 'a.txt': 'mine' }, staged: true, only: true },
    { name: 'a file that git does not know', mine: { new: 'mine' }, only: true },
    { name: 'an ignored file', mine: { new: 'mine', '.git/info/exclude': 'new\n' }, only: true },
    { name: 'changes, in a merge', mine: { 'a.txt': 'mine' }, only: false },
    { name: 'staged changes, in a merge', mine: { 'a.txt': 'mine' }, staged: true, only: false },
    { name: 'a file that git does not know, in a merge', mine: { new: 'mine' }, only: false },
  ];
  for (const { name, mine, staged, only } of inTheWay) {
    it(`merges nothing where it would lose ${name}, and names the file`, async () => {
      const both = await cloned();
      await pushedByOthers(both, { 'a.txt': 'theirs', new: 'theirs' });
      if (!only) await both.project.commit('Mine', { mine: '' });
      await both.project.write(mine);
      if (staged) await both.project.git('add', '--all');
      const before = await state(both);
      const { message } = await rejection(pull(both, { fast_forward_only: only }), 'EXECUTION_FAILED');
      expect(message).to.include('Nothing was merged').and.include(Object.keys(mine)[0]).and.include('git_commit');
      expect(await state(both)).to.equal(before);
    });
  }

  it('merges nothing of branches that have gone different ways, unless it is told to make a merge commit', async () => {
    const both = await cloned();
    const theirs = await pushedByOthers(both, { theirs: 'x\n' });
    const mine = await both.project.commit('Mine', { mine: '' });
    const before = await state(both);
    const { message } = await rejection(pull(both), 'EXECUTION_FAILED');
    expect(message).to.include('Nothing was merged').and.include('fast_forward_only: false');
    expect(await state(both)).to.equal(before);
    expect(await both.project.git('rev-parse', 'refs/remotes/origin/main')).to.equal(theirs);
    const { hash, files } = await pull(both, { fast_forward_only: false });
    expect(files).to.deep.equal([{ path: 'theirs', added: 1, removed: 0 }]);
    expect(await both.project.git('show', '--no-patch', '--format=%P|%s|%cn|%an', hash)).to.equal(
      `${mine} ${theirs}|Merge branch 'main' of origin|Grace Hopper|Grace Hopper`,
    );
    expect(await both.project.git('status', '--porcelain')).to.equal('');
  });

  it('changes nothing where a merge has conflicts, and names the files', async () => {
    const both = await cloned();
    await pushedByOthers(both, { 'a.txt': 'theirs\n', 'ä b': 'theirs\n', theirs: '' });
    await both.project.commit('Mine', { 'a.txt': 'mine\n', 'ä b': 'mine\n' });
    await both.project.write({ 'src/b.txt': 'not committed', unknown: '' });
    const before = await state(both);
    const { message } = await rejection(pull(both, { fast_forward_only: false }), 'EXECUTION_FAILED');
    expect(message).to.include('a.txt, ä b').and.include('Nothing was merged').and.include('terminal');
    expect(await state(both)).to.equal(before);
    expect(await both.project.git('rev-parse', '--quiet', '--verify', 'MERGE_HEAD').catch(() => 'none')).to.equal('none');
  });

  it('asks who commits before it merges', async () => {
    const both = await cloned();
    await pushedByOthers(both, { theirs: '' });
    await both.project.commit('Mine', { mine: '' });
    await person('');
    const before = await state(both);
    const { message } = await rejection(pull(both, { fast_forward_only: false }), 'EXECUTION_FAILED');
    expect(message).to.include('git config --global user.name');
    expect(await state(both)).to.equal(before);
  });

  it('merges nothing that has no commit in common', async () => {
    const both = await cloned();
    const other = await Repository.create();
    await other.commit('Other', { other: '' });
    await both.remote.git('fetch', '--quiet', other.folder, 'main:unrelated');
    const { message } = await rejection(pull(both, { branch: 'unrelated', fast_forward_only: false }), 'EXECUTION_FAILED');
    expect(message).to.include('no commit in common');
  });

  it('says what to do during a merge, and with a detached HEAD', async () => {
    const both = await cloned();
    await both.project.git('merge', '--quiet', '--no-commit', '--no-ff', 'side');
    expect((await rejection(pull(both), 'EXECUTION_FAILED')).message)
      .to.include('not finished')
      .and.include('git_commit');
    await both.project.git('merge', '--abort');
    await both.project.git('checkout', '--quiet', '--detach');
    expect((await rejection(pull(both), 'EXECUTION_FAILED')).message)
      .to.include('detached')
      .and.include('git_switch');
  });

  it('asks for the branch where the current one has no upstream at the remote', async () => {
    const both = await cloned();
    await both.project.git('switch', '--quiet', 'side');
    const error = await rejection(pull(both), 'INVALID_PARAMETERS');
    expect(error.details.issues?.[0]?.path).to.equal('branch');
    expect(error.message).to.include('"side" has no upstream');
    await both.project.git('switch', '--quiet', 'main');
    await both.project.git('remote', 'add', 'second', both.remote.folder);
    expect((await rejection(pull(both, { remote: 'second' }), 'INVALID_PARAMETERS')).message).to.include('"second"');
  });

  it('says that the remote has no such branch', async () => {
    const both = await cloned();
    const error = await rejection(pull(both, { branch: 'nowhere' }), 'NOT_FOUND');
    expect(error.details.issues?.[0]?.path).to.equal('branch');
    expect(error.message).to.include('"nowhere"').and.include('git_list_branches');
  });

  for (const branch of ['-x', '--all', 'main:other', 'main:refs/heads/side', '*', 'a b', 'refs/heads/*:refs/heads/*', 'HEAD', 'a\nb']) {
    it(`refuses ${JSON.stringify(branch)} as the branch`, async () => {
      const both = await cloned();
      const before = await both.project.git('for-each-ref');
      const error = await rejection(pull(both, { branch }), 'INVALID_PARAMETERS');
      expect(error.details.issues?.[0]?.path, error.message).to.equal('branch');
      expect(await both.project.git('for-each-ref')).to.equal(before);
    });
  }

  it('refuses an upstream of the configuration that is no branch', async () => {
    const both = await cloned();
    await both.project.git('config', 'branch.main.merge', 'refs/heads/main:refs/heads/other');
    await rejection(pull(both), 'INVALID_PARAMETERS');
    expect(await both.project.git('branch', '--list', 'other')).to.equal('');
  });

  it('merges with a driver of the person, and refuses one that only the repository knows', async () => {
    const both = await cloned();
    await pushedByOthers(both, { 'a.txt': 'theirs\n', '.gitattributes': 'a.txt merge=ours\n' });
    await both.project.commit('Mine', { 'a.txt': 'mine\n', '.gitattributes': 'a.txt merge=ours\n' });
    await both.project.git('config', 'merge.ours.driver', 'true');
    const { message } = await rejection(pull(both, { fast_forward_only: false }), 'EXECUTION_FAILED');
    expect(message).to.include('merge.ours.driver').and.include('Nothing was changed');
    await person('[user]\n\tname = G\n\temail = g@example.com\n[merge "ours"]\n\tdriver = true\n');
    await pull(both, { fast_forward_only: false });
    expect(await textOf(both, 'a.txt')).to.equal('mine\n');
  });

  it('refuses a filter that only the repository knows', async () => {
    const both = await cloned();
    await both.project.git('config', 'filter.x.smudge', 'cat');
    expect((await rejection(pull(both), 'EXECUTION_FAILED')).message).to.include('filter.x.smudge');
  });
});
