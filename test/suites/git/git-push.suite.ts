import { chmod } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import { coreGroup } from '../../support/core-group.ts';
import { rejection } from '../../support/rejection.ts';
import { person } from '../../tools/core/git/person.ts';
import { type Cloned, callBeside, cloned, pushedByOthers, withRemote } from '../../tools/core/git/remotes.ts';
import { Repository } from '../../tools/core/git/repository.ts';

const { coreToolkit } = coreGroup('git');

interface Pushed {
  readonly ref: string;
  readonly from: string | null;
  readonly to: string | null;
}

const push = (both: Cloned, parameters: Readonly<Record<string, unknown>> = {}): Promise<Pushed> =>
  callBeside('git_push', both, parameters);

const refsOf = ({ remote }: Cloned): Promise<string> => remote.git('for-each-ref');

describe('git_push', () => {
  beforeEach(() => person());

  it('sends the commits of the current branch, and nothing else', async () => {
    const both = await cloned();
    const from = await both.project.git('rev-parse', 'HEAD');
    await both.project.git('tag', '--annotate', '--message=Tag', 'v2.0');
    await both.project.git('branch', 'private');
    await both.project.git('config', 'push.followTags', 'true');
    await both.project.git('config', 'push.default', 'matching');
    const to = await both.project.commit('Mine', { mine: '' });
    expect(await push(both)).to.deep.equal({ ref: 'refs/heads/main', from, to });
    expect(await both.remote.git('rev-parse', 'main')).to.equal(to);
    expect(await both.remote.git('for-each-ref', '--format=%(refname)')).to.equal('refs/heads/main\nrefs/heads/side\nrefs/tags/v1.0');
    expect(await both.project.git('rev-parse', 'refs/remotes/origin/main')).to.equal(to);
  });

  it('has the same from and to where nothing is to be sent', async () => {
    const both = await cloned();
    const hash = await both.project.git('rev-parse', 'HEAD');
    expect(await push(both)).to.deep.equal({ ref: 'refs/heads/main', from: hash, to: hash });
  });

  for (const branch of ['feature/größe', "it's", '"quoted"', '$(touch)', 'a;b', 'HEAD/x']) {
    it(`makes the branch ${JSON.stringify(branch)} at the remote, and follows it when told`, async () => {
      const both = await cloned();
      await both.project.git('branch', branch, 'side');
      const to = await both.project.git('rev-parse', 'side');
      expect(await push(both, { branch })).to.deep.equal({ ref: `refs/heads/${branch}`, from: null, to });
      expect(await both.remote.git('rev-parse', `refs/heads/${branch}`)).to.equal(to);
      expect(await both.project.git('config', '--get-regexp', 'branch\\..*\\.merge')).to.equal('branch.main.merge refs/heads/main');
      await push(both, { branch, set_upstream: true });
      expect(await both.project.git('config', `branch.${branch}.merge`)).to.equal(`refs/heads/${branch}`);
    });
  }

  it('takes the branch of that name where there is a tag too', async () => {
    const both = await cloned();
    await both.project.git('tag', 'side', 'main');
    const to = await both.project.git('rev-parse', 'refs/heads/side');
    expect((await push(both, { branch: 'side' })).to).to.equal(to);
  });

  it('never overwrites commits that the remote has, whatever the configuration says', async () => {
    const both = await cloned();
    const theirs = await pushedByOthers(both, { theirs: '' });
    await both.project.commit('Mine', { mine: '' });
    await both.project.git('config', 'remote.origin.push', '+refs/heads/*:refs/heads/*');
    const message = async (): Promise<string> => (await rejection(push(both), 'EXECUTION_FAILED')).message;
    expect(await message(), 'not fetched')
      .to.include('git_pull')
      .and.include('does not overwrite');
    await both.project.git('fetch', '--quiet');
    expect(await message(), 'fetched')
      .to.include('git_pull')
      .and.include('does not overwrite');
    expect(await both.remote.git('rev-parse', 'main')).to.equal(theirs);
  });

  it('sends one branch also to a remote that is configured as a mirror, and deletes nothing there', async () => {
    const both = await cloned();
    await both.project.git('config', 'remote.origin.mirror', 'true');
    await both.project.git('branch', '--quiet', '-D', 'side');
    await both.project.git('tag', 'mine');
    const before = await refsOf(both);
    expect(await push(both)).to.include({ ref: 'refs/heads/main' });
    expect(await refsOf(both)).to.equal(before);
  });

  it('says that there is nothing to push in a repository without commits', async () => {
    const both = await withRemote(await Repository.create());
    expect((await rejection(push(both), 'EXECUTION_FAILED')).message)
      .to.include('no commit yet')
      .and.include('git_commit');
    const to = await both.project.commit('One', { a: '' });
    expect(await push(both, { set_upstream: true })).to.deep.equal({ ref: 'refs/heads/main', from: null, to });
  });

  it('asks for the branch when HEAD is detached', async () => {
    const both = await cloned();
    await both.project.git('checkout', '--quiet', '--detach');
    const error = await rejection(push(both), 'INVALID_PARAMETERS');
    expect(error.details.issues?.[0]?.path).to.equal('branch');
    expect(error.message).to.include('detached');
    expect((await push(both, { branch: 'main' })).ref).to.equal('refs/heads/main');
  });

  for (const branch of ['nowhere', 'v1.0', '-d', '--delete', 'main:other', '+main', ':side', 'HEAD', 'main~1', '*', '']) {
    it(`refuses ${JSON.stringify(branch)} as the branch`, async () => {
      const both = await cloned();
      const before = await refsOf(both);
      const error = await rejection(push(both, { branch }), 'INVALID_PARAMETERS');
      expect(error.details.issues?.[0]?.path, error.message).to.equal('branch');
      expect(await refsOf(both)).to.equal(before);
    });
  }

  const refusing: { name: string; set: (both: Cloned) => Promise<unknown> }[] = [
    { name: 'a hook', set: (both) => hook(both.remote, 'hooks/update') },
    { name: 'core.hooksPath', set: (both) => both.remote.git('config', 'core.hooksPath', both.folder) },
    { name: 'a hook of its configuration', set: (both) => both.remote.git('config', 'hook.x.command', 'true') },
  ];
  for (const { name, set } of refusing) {
    it(`refuses a remote in a folder that has ${name}, which would not run`, async () => {
      const both = await cloned();
      await set(both);
      const error = await rejection(push(both), 'INVALID_PARAMETERS');
      expect(error.message).to.include('without hooks').and.include('terminal');
      expect(error.details.issues?.[0]?.path).to.equal('remote');
    });
  }

  it('does not mind hooks of the remote that no push runs, nor those of the project', async () => {
    const both = await cloned();
    await hook(both.remote, 'hooks/pre-commit');
    await hook(both.remote, 'hooks/update.sample');
    await hook(both.project, '.git/hooks/pre-push');
    const to = await both.project.commit('Mine', { mine: '' });
    expect((await push(both)).to).to.equal(to);
  });

  it('refuses a branch that is checked out at the remote, and says what the remote said', async () => {
    const both = await cloned();
    await both.remote.git('clone', '--quiet', '.', '../tree');
    const tree = Repository.at(path.join(both.folder, 'tree'));
    await tree.git('config', 'receive.denyCurrentBranch', 'updateInstead');
    await both.project.git('config', 'remote.origin.url', tree.folder);
    const before = await tree.git('rev-parse', 'HEAD');
    await both.project.commit('Mine', { mine: '' });
    expect((await rejection(push(both), 'EXECUTION_FAILED')).message).to.include('branch is currently checked out');
    expect(await tree.git('rev-parse', 'HEAD')).to.equal(before);
  });

  it('refuses a remote outside of the roots, also where only the URL for pushing leads there', async () => {
    const [both, outside] = [await cloned(), await cloned()];
    await both.project.git('config', 'remote.origin.pushUrl', outside.remote.folder);
    const before = await refsOf(outside);
    await both.project.commit('Mine', { mine: '' });
    expect((await rejection(push(both), 'INVALID_PARAMETERS')).message).to.include('remote_folder');
    await both.project.git('config', '--unset', 'remote.origin.pushUrl');
    await both.project.git('config', `url.${outside.folder}/.pushInsteadOf`, `${both.folder}/`);
    expect((await rejection(push(both), 'INVALID_PARAMETERS')).message).to.include('remote_folder');
    expect(await refsOf(outside)).to.equal(before);
  });

  it('needs an approval where a model calls', async () => {
    const both = await cloned();
    const toolkit = await coreToolkit({ roots: [both.folder] });
    expect(toolkit.kernel.registry.get('git_push').definition).to.deep.include({ requires_approval: true, risk: 'high' });
  });
});

async function hook(repository: Repository, name: string): Promise<void> {
  await repository.write({ [name]: '#!/bin/sh\nexit 1\n' });
  await chmod(path.join(repository.folder, name), 0o755);
}
