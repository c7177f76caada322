import { mkdir, rm, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import { watchFolders } from '../../../plugins/dev-server/watch-folders.ts';
import { afterEach as cleanUp } from '../../support/after-each.ts';
import { temporaryFolder } from '../../support/temporary.ts';

const closers: (() => Promise<void>)[] = [];
cleanUp(async () => {
  await Promise.all(closers.splice(0).map((close) => close()));
});

/** What is told; `next` resolves once that file was. */
async function watched(
  cwd: string,
  roots: readonly string[],
  since?: number,
): Promise<{ told: string[]; next(name: string): Promise<void> }> {
  const told: string[] = [];
  const waiting = new Set<() => void>();
  closers.push(
    await watchFolders(
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
    const { told, next } = await watched(cwd, ['tools']);
    for (const folder of ['node_modules', 'dist', '.git', 'sub']) await mkdir(path.join(cwd, 'tools', folder));
    const names = ['node_modules/x.yaml', 'dist/x.js', '.git/x.json', '.a.yaml.swp', 'notes.txt', 'sub/SKILL.md', 'sub/b.py', 'a.yaml'];
    await writeFile(path.join(cwd, 'beside.yaml'), 'changed');
    for (const name of names) await writeFile(path.join(cwd, 'tools', name), 'changed');
    await Promise.all(['tools/a.yaml', 'tools/sub/b.py', 'tools/sub/SKILL.md'].map(next));
    expect([...new Set(told)].sort()).to.deep.equal(['tools/a.yaml', 'tools/sub/SKILL.md', 'tools/sub/b.py']);
  });

  it('sees a folder that is made later, is removed, and comes back', async () => {
    const cwd = await temporaryFolder();
    const { told, next } = await watched(cwd, ['deep/tools']);
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
    const { told, next } = await watched(cwd, ['toolkit.config.yaml']);
    await writeFile(path.join(cwd, 'other.yaml'), 'changed');
    await writeFile(path.join(cwd, 'toolkit.config.yaml'), 'changed');
    await next('toolkit.config.yaml');
    expect(told).to.deep.equal(['toolkit.config.yaml']);
  });

  it('tells a file that was written while it began, and none that was there before', async () => {
    const cwd = await temporaryFolder({ 'tools/before.yaml': '', 'tools/meanwhile.yaml': '' });
    await utimes(path.join(cwd, 'tools/before.yaml'), 1000, 1000);
    await utimes(path.join(cwd, 'tools/meanwhile.yaml'), 3000, 3000);
    const { told, next } = await watched(cwd, ['tools'], 2_000_000);
    await next('tools/meanwhile.yaml');
    expect(told).to.deep.equal(['tools/meanwhile.yaml']);
  });
});
