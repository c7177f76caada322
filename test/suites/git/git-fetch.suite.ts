import { existsSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'chai';
import { rejection } from '../../support/rejection.ts';
import { temporaryFolder } from '../../support/temporary.ts';
import { person } from '../../tools/core/git/person.ts';
import { type Cloned, callBeside, cloned, pushedByOthers, withRemote } from '../../tools/core/git/remotes.ts';
import { history, Repository } from '../../tools/core/git/repository.ts';

interface Update {
  readonly ref: string;
  readonly from: string | null;
  readonly to: string | null;
}

async function fetch(cloned: Cloned, parameters: Readonly<Record<string, unknown>> = {}): Promise<readonly Update[]> {
  return (await callBeside<{ updated: readonly Update[] }>('git_fetch', cloned, parameters)).updated;
}

describe('git_fetch', () => {
  beforeEach(() => person());

  it('moves remote-tracking branches as plain git does, and neither branches nor files', async () => {
    const both = await cloned();
    const before = await both.project.git('rev-parse', 'main');
    const to = await pushedByOthers(both, { 'a.txt': 'theirs' });
    const added = await pushedByOthers(both, { new: '' }, 'größe/neu');
    expect(await fetch(both)).to.deep.equal([
      { ref: 'refs/remotes/origin/größe/neu', from: null, to: added },
      { ref: 'refs/remotes/origin/main', from: before, to },
    ]);
    expect(
      await both.project.git('for-each-ref', '--format=%(objectname)', 'refs/remotes/origin/größe/neu', 'refs/remotes/origin/main'),
    ).to.equal(`${added}\n${to}`);
    expect(await both.project.git('rev-parse', 'main')).to.equal(before);
    expect(await both.project.git('status', '--porcelain')).to.equal('');
  });

  it('has nothing to tell where nothing is new', async () => {
    expect(await fetch(await cloned())).to.deep.equal([]);
  });

  it('gets tags, also new ones of commits that are there', async () => {
    const both = await cloned();
    await both.remote.git('tag', 'v2.0', 'side');
    expect(await fetch(both)).to.deep.equal([{ ref: 'refs/tags/v2.0', from: null, to: await both.remote.git('rev-parse', 'side') }]);
  });

  it('removes what the remote has no more only with prune', async () => {
    const both = await cloned();
    const from = await both.remote.git('rev-parse', 'side');
    await both.remote.git('update-ref', '-d', 'refs/heads/side');
    await both.project.git('config', 'fetch.prune', 'true');
    expect(await fetch(both)).to.deep.equal([]);
    expect(await fetch(both, { prune: true })).to.deep.equal([{ ref: 'refs/remotes/origin/side', from, to: null }]);
    expect(await both.project.git('branch', '--list', 'side')).to.include('side');
  });

  it('fetches into a repository without commits, from one without commits, and with a detached HEAD', async () => {
    const empty = await withRemote(await Repository.create());
    expect(await fetch(empty)).to.deep.equal([]);
    const hash = await pushedByOthers(empty, { a: '' });
    expect(await fetch(empty)).to.deep.equal([{ ref: 'refs/remotes/origin/main', from: null, to: hash }]);
    await empty.project.git('checkout', '--quiet', '--detach', 'origin/main');
    expect(await fetch(empty)).to.deep.equal([]);
  });

  it('gets a branch that was written anew', async () => {
    const both = await cloned();
    const from = await both.remote.git('rev-parse', 'side');
    await both.remote.git('update-ref', 'refs/heads/side', 'main~1');
    expect(await fetch(both)).to.deep.equal([{ ref: 'refs/remotes/origin/side', from, to: await both.remote.git('rev-parse', 'side') }]);
  });

  it('leaves a tag as it is that the remote has moved, and says so', async () => {
    const both = await cloned();
    await both.remote.git('tag', '--force', 'v1.0', 'side');
    await both.project.git('config', 'remote.origin.tagOpt', '--tags');
    expect((await rejection(fetch(both), 'EXECUTION_FAILED')).message)
      .to.include('v1.0')
      .and.include('left as they are');
  });

  for (const name of ['two words.git', '"double" \'single\'.git', 'ä€😀.git', '-dash.git', '$(touch marker).git', 'a;b.git']) {
    it(`fetches from a folder called ${JSON.stringify(name)}, absolute and relative`, async () => {
      const both = await cloned(name);
      for (const url of [both.remote.folder, `../${name}`, `file://${both.remote.folder}`]) {
        await both.project.git('config', 'remote.origin.url', url);
        const hash = await pushedByOthers(both, { [`${url.length}`]: '' }, `x${url.length}`);
        expect(await fetch(both), url).to.deep.equal([{ ref: `refs/remotes/origin/x${url.length}`, from: null, to: hash }]);
      }
    });
  }

  it('fetches from a working tree', async () => {
    const both = await cloned();
    await both.project.git('remote', 'add', 'tree', '../tree');
    await both.remote.git('clone', '--quiet', '.', '../tree');
    expect((await fetch(both, { remote: 'tree' })).map(({ ref }) => ref)).to.deep.equal(['refs/remotes/tree/main']);
  });

  it('follows url.insteadOf, and looks at where that leads', async () => {
    const both = await cloned();
    const outside = await withRemote(await history());
    await both.project.git('config', 'remote.origin.url', 'short:remote.git');
    await both.project.git('config', `url.${both.folder}/.insteadOf`, 'short:');
    expect(await fetch(both)).to.deep.equal([]);
    await both.project.git('config', '--unset', `url.${both.folder}/.insteadOf`);
    await both.project.git('config', `url.${outside.folder}/.insteadOf`, 'short:');
    expect((await rejection(fetch(both), 'INVALID_PARAMETERS')).message)
      .to.include('remote_folder')
      .and.include(both.folder);
  });

  it('takes only a remote below remote_folder', async () => {
    const both = await cloned();
    const error = await rejection(fetch(both, { remote_folder: 'project' }), 'INVALID_PARAMETERS');
    expect(error.message).to.include(path.join(both.folder, 'project'));
    expect(error.details.issues?.[0]?.path).to.equal('remote');
    await rejection(fetch(both, { remote_folder: '..' }), 'INVALID_PARAMETERS');
  });

  const elsewhere: { name: string; url: (outside: string, project: string) => string; says: string }[] = [
    { name: 'a folder outside of the roots', url: (outside) => outside, says: 'remote_folder' },
    { name: 'a file URL outside of the roots', url: (outside) => `file://${outside}`, says: 'remote_folder' },
    { name: 'a relative path out of the roots', url: (outside, project) => path.relative(project, outside), says: 'remote_folder' },
    { name: 'a file URL with an encoded path', url: (outside) => `file://${outside.replace('remote', '%72emote')}`, says: '%' },
    { name: 'a file URL of another machine', url: () => 'file://host/x.git', says: 'file' },
    { name: 'a home folder', url: () => '~/x.git', says: '~' },
    { name: 'a helper', url: () => 'ext::sh -c touch% marker', says: 'git-remote-ext' },
    { name: 'a helper of a known protocol', url: () => 'https::https://127.0.0.1/x', says: 'git-remote-https' },
    { name: 'the git protocol', url: () => 'git://127.0.0.1/x.git', says: 'protocol git' },
    { name: 'ftp', url: () => 'ftp://127.0.0.1/x.git', says: 'protocol ftp' },
    { name: 'two lines', url: () => '/a\next::sh', says: 'control characters' },
  ];
  for (const { name, url, says } of elsewhere) {
    it(`refuses a remote at ${name}`, async () => {
      const [both, outside] = [await cloned(), await cloned()];
      await both.project.git('config', 'remote.origin.url', url(outside.remote.folder, both.project.folder));
      const error = await rejection(fetch(both), 'INVALID_PARAMETERS');
      expect(error.details.issues?.[0]?.path).to.equal('remote');
      expect(error.message).to.include(says);
    });
  }

  it('refuses a remote that borrows objects from outside of the roots', async () => {
    const [both, outside] = [await cloned(), await cloned()];
    await both.remote.write({ 'objects/info/alternates': `${path.join(outside.remote.folder, 'objects')}\n` });
    expect((await rejection(fetch(both), 'INVALID_PARAMETERS')).message).to.include('alternates');
  });

  it('refuses a remote of which a fetch would write to branches', async () => {
    for (const rule of ['+refs/*:refs/*', '+refs/heads/*:refs/heads/*', 'main:main', 'side:heads/main', '+refs/heads/*:refs/h*']) {
      const both = await cloned();
      await both.project.git('switch', '--quiet', '--create', 'mine');
      await both.project.git('config', '--replace-all', 'remote.origin.fetch', rule);
      const error = await rejection(fetch(both, { prune: true }), 'INVALID_PARAMETERS');
      expect(error.message).to.include('remote.origin.fetch').and.include(rule);
      expect(await both.project.git('branch', '--list', 'mine')).to.include('mine');
    }
  });

  it('fetches what a remote has beside branches, where it says so', async () => {
    const both = await cloned();
    await both.remote.git('update-ref', 'refs/pull/1/head', 'side');
    await both.project.git('config', '--add', 'remote.origin.fetch', '+refs/pull/*:refs/pull/*');
    expect((await fetch(both)).map(({ ref }) => ref)).to.deep.equal(['refs/pull/1/head']);
  });

  it('refuses a remote that is also the name of a group, whose members git would reach', async () => {
    const both = await cloned();
    const program = path.join(both.folder, 'program');
    const marker = path.join(both.folder, 'marker');
    await both.project.write({ '../program': `#!/bin/sh\ntouch ${marker}\n` });
    await both.project.git('config', 'remotes.origin', 'one two');
    for (const name of ['one', 'two']) {
      await both.project.git('remote', 'add', name, both.remote.folder);
      await both.project.git('config', `remote.${name}.uploadpack`, `sh ${program}; git-upload-pack`);
    }
    expect((await rejection(fetch(both), 'INVALID_PARAMETERS')).message).to.include('remotes.origin');
    expect(existsSync(marker)).to.equal(false);
    await both.project.git('fetch', '--quiet', 'origin').catch(() => {});
    expect(existsSync(marker), 'after plain git').to.equal(true);
  });

  it('refuses a list of objects that are not checked, of which git would print lines', async () => {
    const both = await cloned();
    const secret = await temporaryFolder({ secret: 'a line of a secret\n' });
    await both.project.git('config', 'fetch.fsckObjects', 'true');
    await both.project.git('config', 'fetch.fsck.skipList', path.join(secret, 'secret'));
    await pushedByOthers(both, { new: '' });
    const { message } = await rejection(fetch(both), 'EXECUTION_FAILED');
    expect(message).to.include('fetch.fsck.skiplist').and.not.include('a line');
  });

  const names = ['nowhere', 'https://example.com/x.git', '-x', '--upload-pack=x', '', '../remote.git', 'Origin'];
  for (const remote of names) {
    it(`refuses ${JSON.stringify(remote)} as the name of a remote`, async () => {
      const error = await rejection(fetch(await cloned(), { remote }), 'INVALID_PARAMETERS');
      expect(error.details.issues?.[0]?.path, error.message).to.equal('remote');
    });
  }

  it('names the remotes that there are, or says that there is none', async () => {
    const both = await cloned();
    expect((await rejection(fetch(both, { remote: 'upstream' }), 'INVALID_PARAMETERS')).message).to.include('"origin"');
    await both.project.git('remote', 'remove', 'origin');
    expect((await rejection(fetch(both), 'INVALID_PARAMETERS')).message).to.include('has none');
  });

  it('says that there is no repository where the remote should be', async () => {
    const both = await cloned();
    await both.project.git('config', 'remote.origin.url', path.join(both.folder, 'nowhere.git'));
    const error = await rejection(fetch(both), 'NOT_FOUND');
    expect(error.message).to.include(path.join(both.folder, 'nowhere.git'));
  });
});
