import { appendFile, chmod, link, mkdir, readFile, rename, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import { ControlFiles, type IdentityPart } from '../../../../kernel/index.ts';
import { fileIdentity, isRenamed } from '../../../../plugins/shared/bound-files/file-identity.ts';
import { newReadBudget, type ReadBudget } from '../../../../plugins/shared/bound-files/read-budget.ts';
import { temporaryFolder } from '../../../support/temporary.ts';

const { signal } = new AbortController();

const controlFiles = new ControlFiles([{ pattern: '.git', what: 'a git repository', plugin: 'test', read: true }] as never);

const of = (file: string, binds: 'content' | 'place' = 'content', budget: ReadBudget = newReadBudget()): Promise<IdentityPart> =>
  fileIdentity(file, { binds, controlFiles, signal, budget });

interface Case {
  readonly what: string;
  /** The bound path, below a folder with `a.txt`, `tree/b.txt` and `tree/in/c.txt`. */
  readonly file: string;
  readonly binds?: 'content' | 'place';
  change(folder: string): Promise<unknown>;
}

const at = (folder: string, ...names: string[]): string => path.join(folder, ...names);

const changes: readonly Case[] = [
  { what: 'a file with other content of the same size', file: 'a.txt', change: (folder) => writeFile(at(folder, 'a.txt'), 'b') },
  { what: 'a file that is gone', file: 'a.txt', change: (folder) => rm(at(folder, 'a.txt')) },
  { what: 'a file that has come', file: 'new.txt', change: (folder) => writeFile(at(folder, 'new.txt'), '') },
  {
    what: 'a file that is a link now',
    file: 'a.txt',
    change: async (folder) => {
      await rename(at(folder, 'a.txt'), at(folder, 'old.txt'));
      await symlink('old.txt', at(folder, 'a.txt'));
    },
  },
  { what: 'a folder with one more entry', file: 'tree', change: (folder) => writeFile(at(folder, 'tree/in/d.txt'), '') },
  { what: 'a folder with one less', file: 'tree', change: (folder) => rm(at(folder, 'tree/in/c.txt')) },
  {
    what: 'a folder in which a name has changed',
    file: 'tree',
    change: (folder) => rename(at(folder, 'tree/b.txt'), at(folder, 'tree/x.txt')),
  },
  {
    what: 'a folder with a file of the same size and the same time stamp',
    file: 'tree',
    change: async (folder) => {
      await writeFile(at(folder, 'tree/b.txt'), 'x');
      await utimes(at(folder, 'tree/b.txt'), 1, 1);
    },
  },
  { what: 'a folder with a file that may be run now', file: 'tree', change: (folder) => chmod(at(folder, 'tree/b.txt'), 0o755) },
  {
    what: 'a folder of which another one with the same names took the place',
    file: 'tree',
    binds: 'place',
    change: async (folder) => {
      await rename(at(folder, 'tree'), at(folder, 'old'));
      await mkdir(at(folder, 'tree'));
    },
  },
];

const sames: readonly Case[] = [
  { what: 'a file that was written with the same content', file: 'a.txt', change: (folder) => writeFile(at(folder, 'a.txt'), 'a') },
  { what: 'a folder that was read', file: 'tree', change: (folder) => readFile(at(folder, 'tree/b.txt')) },
  { what: 'a place in which something changed', file: 'tree', binds: 'place', change: (folder) => rm(at(folder, 'tree/b.txt')) },
  {
    what: 'a folder in which control files changed',
    file: 'tree',
    change: async (folder) => {
      await mkdir(at(folder, 'tree/.git'));
      await writeFile(at(folder, 'tree/.git/index'), '');
    },
  },
];

describe('what is at a path', () => {
  const files = { 'a.txt': 'a', 'tree/b.txt': 'b', 'tree/in/c.txt': 'c' };

  for (const { what, file, binds, change } of changes)
    it(`is another thing for ${what}`, async () => {
      const folder = await temporaryFolder(files);
      await utimes(at(folder, 'tree/b.txt'), 1, 1);
      const before = await of(at(folder, file), binds);
      await change(folder);
      expect(await of(at(folder, file), binds)).to.not.deep.equal(before);
    });

  for (const { what, file, binds, change } of sames)
    it(`is the same thing for ${what}`, async () => {
      const folder = await temporaryFolder(files);
      const before = await of(at(folder, file), binds);
      await change(folder);
      expect(await of(at(folder, file), binds)).to.deep.equal(before);
    });

  it('is shown with what a person can tell apart', async () => {
    const folder = await temporaryFolder(files);
    expect((await of(at(folder, 'a.txt'))).shown).to.equal('file of 1 bytes, sha256 ca978112ca1b');
    expect((await of(at(folder, 'tree'))).shown).to.match(/^folder \d+ of 3 entries, 2 bytes$/);
    expect((await of(at(folder, 'nothing'))).shown).to.equal('nothing');
  });

  it('counts entries beyond its budget as unseen, and compares the first ones', async () => {
    const folder = await temporaryFolder({ 'a.txt': 'a', 'b.txt': 'b', 'c.txt': 'c' });
    const budget = (): ReadBudget => ({ entries: 2, bytes: 0 });
    const before = await of(folder, 'content', budget());
    expect(before.shown).to.match(/^folder \d+ of more than 2 entries, 2 bytes$/);
    await appendFile(at(folder, 'c.txt'), 'c');
    expect(await of(folder, 'content', budget())).to.deep.equal(before);
    await appendFile(at(folder, 'a.txt'), 'a');
    expect(await of(folder, 'content', budget())).to.not.deep.equal(before);
  });

  it('is bound by inode and times where the content of files is beyond the budget', async () => {
    const folder = await temporaryFolder({ 'a.txt': 'a' });
    const budget = (): ReadBudget => ({ entries: 0, bytes: 0 });
    const before = await of(at(folder, 'a.txt'), 'content', budget());
    expect(before.shown).to.equal('file of 1 bytes');
    await writeFile(at(folder, 'a.txt'), 'b');
    await utimes(at(folder, 'a.txt'), 1, 1);
    expect(await of(at(folder, 'a.txt'), 'content', budget())).to.not.deep.equal(before);
  });

  it('is known again under another name, and not for another thing', async () => {
    const folder = await temporaryFolder({ ...files, 'other.txt': 'a' });
    const none = { entries: 0, bytes: 0 };
    const [file, large, tree] = [
      await of(at(folder, 'a.txt')),
      await of(at(folder, 'a.txt'), 'content', none),
      await of(at(folder, 'tree')),
    ];
    for (const name of ['a.txt', 'tree']) await rename(at(folder, name), at(folder, `moved-${name}`));
    expect(isRenamed(file, await of(at(folder, 'moved-a.txt')))).to.equal(true);
    expect(isRenamed(large, await of(at(folder, 'moved-a.txt'), 'content', none))).to.equal(true);
    expect(isRenamed(tree, await of(at(folder, 'moved-tree')))).to.equal(true);
    expect(isRenamed(large, await of(at(folder, 'other.txt'), 'content', none))).to.equal(false);
    await link(at(folder, 'other.txt'), at(folder, 'moved-tree/z.txt'));
    expect(isRenamed(tree, await of(at(folder, 'moved-tree')))).to.equal(false);
  });
});
