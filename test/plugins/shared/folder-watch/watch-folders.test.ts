import fs from 'node:fs';
import { mkdir, rename, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import path from 'node:path';
import { expect } from 'chai';
import sinon from 'sinon';
import { watchFolders } from '../../../../plugins/shared/folder-watch/watch-folders.ts';
import { afterEach as cleanUp } from '../../../support/after-each.ts';
import { temporaryFolder } from '../../../support/temporary.ts';

const closers: (() => void)[] = [];
cleanUp(() => {
  for (const close of closers.splice(0)) close();
});

/** Watches folders and records the notified files; `next` resolves once that file was notified. */
function watched(cwd: string, roots: readonly string[], since?: number): { told: string[]; next(name: string): Promise<void> } {
  const told: string[] = [];
  const waiting = new Set<() => void>();
  closers.push(
    watchFolders(
      roots.map((root) => path.join(cwd, root)),
      {
        onChange: (file) => {
          told.push(path.relative(cwd, file));
          for (const check of waiting) check();
        },
        onError: (message) => expect.fail(message),
      },
      since,
    ),
  );
  const next = (name: string): Promise<void> =>
    new Promise((resolve) => {
      const check = (): void => {
        if (told.includes(name)) resolve();
      };
      waiting.add(check);
      check();
    });
  return { told, next };
}

describe('watching folders', () => {
  it('tells definitions, skills and modules, and nothing of what discovery passes over', async () => {
    const cwd = await temporaryFolder({ 'tools/a.yaml': '', 'beside.yaml': '' });
    const { told, next } = watched(cwd, ['tools']);
    for (const folder of ['node_modules', 'dist', '.git', 'sub']) await mkdir(path.join(cwd, 'tools', folder));
    const names = ['node_modules/x.yaml', 'dist/x.js', '.git/x.json', '.a.yaml.swp', 'notes.txt', 'sub/SKILL.md', 'sub/b.py', 'a.yaml'];
    await writeFile(path.join(cwd, 'beside.yaml'), 'changed');
    for (const name of names) await writeFile(path.join(cwd, 'tools', name), 'changed');
    await Promise.all(['tools/a.yaml', 'tools/sub/b.py', 'tools/sub/SKILL.md'].map(next));
    expect([...new Set(told)].sort()).to.deep.equal(['tools/a.yaml', 'tools/sub/SKILL.md', 'tools/sub/b.py']);
  });

  it('sees a folder that is made later, is removed, and comes back', async () => {
    const cwd = await temporaryFolder();
    const { told, next } = watched(cwd, ['deep/tools']);
    await mkdir(path.join(cwd, 'deep/tools'), { recursive: true });
    await writeFile(path.join(cwd, 'deep/tools/a.yaml'), '');
    await next('deep/tools/a.yaml');
    await rm(path.join(cwd, 'deep'), { recursive: true });
    await next('deep/tools');
    told.length = 0;
    await mkdir(path.join(cwd, 'deep/tools'), { recursive: true });
    await writeFile(path.join(cwd, 'deep/tools/a.yaml'), '');
    await next('deep/tools/a.yaml');
  });

  it('sees one file, and not its neighbours', async () => {
    const cwd = await temporaryFolder({ 'toolkit.config.yaml': '', 'other.yaml': '' });
    const { told, next } = watched(cwd, ['toolkit.config.yaml']);
    await writeFile(path.join(cwd, 'other.yaml'), 'changed');
    await writeFile(path.join(cwd, 'toolkit.config.yaml'), 'changed');
    await next('toolkit.config.yaml');
    expect([...new Set(told)]).to.deep.equal(['toolkit.config.yaml']);
  });

  it('tells a file that was written while it began, and none that was there before', async () => {
    const cwd = await temporaryFolder({ 'tools/before.yaml': '', 'tools/meanwhile.yaml': '' });
    await utimes(path.join(cwd, 'tools/before.yaml'), 1000, 1000);
    await utimes(path.join(cwd, 'tools/meanwhile.yaml'), 3000, 3000);
    const { told, next } = watched(cwd, ['tools'], 2_000_000);
    await next('tools/meanwhile.yaml');
    expect(told).to.deep.equal(['tools/meanwhile.yaml']);
  });

  it('misses nothing that is made the moment before a new folder is watched', async () => {
    const cwd = await temporaryFolder({ 'tools/a.yaml': '' });
    const { next } = watched(cwd, ['tools']);
    const original = fs.watch;
    const watching = sinon.stub(fs, 'watch').callsFake(((...args: Parameters<typeof fs.watch>) => {
      if (path.basename(String(args[0])) === 'new') fs.writeFileSync(path.join(cwd, 'tools/new/b.yaml'), '');
      return original(...args);
    }) as typeof fs.watch);
    syncBuiltinESMExports();
    try {
      await mkdir(path.join(cwd, 'tools/new'));
      await next('tools/new/b.yaml');
    } finally {
      watching.restore();
      syncBuiltinESMExports();
    }
  });

  it('tells each file of a folder that is moved away and back', async () => {
    const cwd = await temporaryFolder({ 'tools/sub/a.yaml': '', 'tools/sub/b.js': '' });
    const { told, next } = watched(cwd, ['tools']);
    for (const [from, to] of [['tools/sub', 'aside'] as const, ['aside', 'tools/sub'] as const]) {
      told.length = 0;
      await rename(path.join(cwd, from), path.join(cwd, to));
      await Promise.all(['tools/sub/a.yaml', 'tools/sub/b.js'].map(next));
    }
    told.length = 0;
    await writeFile(path.join(cwd, 'tools/sub/a.yaml'), 'changed');
    await next('tools/sub/a.yaml');
  });

  it('sees that a file is another one once a link on the way to it leads elsewhere', async () => {
    const cwd = await temporaryFolder({ 'one/policy.yaml': '', 'two/policy.yaml': '' });
    await symlink('one', path.join(cwd, 'current'));
    await symlink('current/policy.yaml', path.join(cwd, 'policy.yaml'));
    const { told, next } = watched(cwd, ['policy.yaml']);
    await symlink('two', path.join(cwd, 'next'));
    await rename(path.join(cwd, 'next'), path.join(cwd, 'current'));
    await next('policy.yaml');
    told.length = 0;
    await writeFile(path.join(cwd, 'two/policy.yaml'), 'changed');
    await next('policy.yaml');
  });

  it('sees that a link leads nowhere, and where it leads again', async () => {
    const cwd = await temporaryFolder({ 'one/policy.yaml': '' });
    await symlink('current/policy.yaml', path.join(cwd, 'policy.yaml'));
    const { told, next } = watched(cwd, ['policy.yaml']);
    for (const _time of ['first', 'again']) {
      await symlink('one', path.join(cwd, 'current'));
      await next('policy.yaml');
      told.length = 0;
      await rm(path.join(cwd, 'current'));
      await next('policy.yaml');
      told.length = 0;
    }
  });

  it('follows links to files and folders, and not in circles', async () => {
    const cwd = await temporaryFolder({ 'tools/a.yaml': '', 'other/b.yaml': '', 'other/sub/c.yaml': '' });
    await symlink('../other/b.yaml', path.join(cwd, 'tools/b.yaml'));
    await symlink('../other/sub', path.join(cwd, 'tools/sub'), 'dir');
    await symlink('.', path.join(cwd, 'tools/round'), 'dir');
    const { told, next } = watched(cwd, ['tools']);
    await writeFile(path.join(cwd, 'other/b.yaml'), 'changed');
    await writeFile(path.join(cwd, 'other/sub/c.yaml'), 'changed');
    await writeFile(path.join(cwd, 'tools/a.yaml'), 'changed');
    await Promise.all(['tools/b.yaml', 'tools/sub/c.yaml', 'tools/a.yaml'].map(next));
    expect([...new Set(told)].sort()).to.deep.equal(['tools/a.yaml', 'tools/b.yaml', 'tools/sub/c.yaml']);
  });
});
