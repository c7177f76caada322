import { execFileSync } from 'node:child_process';
import { chmod, mkdir, stat, symlink, utimes } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import { coreGroup } from '../../../support/core-group.ts';
import { rejection } from '../../../support/rejection.ts';
import { temporaryFolder } from '../../../support/temporary.ts';
import { asNobody } from './as-nobody.ts';

const { coreToolkit } = coreGroup('fs');

interface Listing {
  readonly entries: readonly { readonly name: string; readonly type: string; readonly size?: number; readonly modified_at?: string }[];
  readonly total: number;
  readonly truncated: boolean;
}

async function list(folder: string, parameters: Record<string, unknown> = {}): Promise<Listing> {
  const toolkit = await coreToolkit({ roots: [folder] });
  return toolkit.execute('fs_list_directory', { path: '.', ...parameters }) as unknown as Promise<Listing>;
}

const names = ({ entries }: Listing): string[] => entries.map(({ name }) => name);

describe('fs_list_directory', () => {
  it('shows each kind of entry, links with their text and not followed', async () => {
    const folder = await temporaryFolder({ 'Größe.txt': 'äöü' });
    await mkdir(path.join(folder, 'sub'));
    await symlink('/etc', path.join(folder, 'link'));
    await symlink('nothing', path.join(folder, 'dangling'));
    execFileSync('mkfifo', [path.join(folder, 'pipe')]);
    const time = new Date('2024-02-29T12:00:00.500Z');
    await utimes(path.join(folder, 'Größe.txt'), time, time);
    const { entries, total, truncated } = await list(folder);
    expect({ total, truncated }).to.deep.equal({ total: 5, truncated: false });
    expect(entries.map(({ modified_at: _, ...entry }) => entry)).to.deep.equal([
      { name: 'Größe.txt', type: 'file', size: 6 },
      { name: 'dangling', type: 'symlink', target: 'nothing' },
      { name: 'link', type: 'symlink', target: '/etc' },
      { name: 'pipe', type: 'other' },
      { name: 'sub', type: 'directory' },
    ]);
    expect(entries[0]?.modified_at).to.equal('2024-02-29T12:00:00.500Z');
    expect(entries[4]?.modified_at).to.equal((await stat(path.join(folder, 'sub'))).mtime.toISOString());
  });

  it('shows hidden entries when they are asked for, as ls does', async () => {
    const folder = await temporaryFolder({ '.env': '', '.git/config': '', 'a b': '', 'Z\n': '', ä: '' });
    for (const [include_hidden, flag] of [
      [false, ''],
      [true, 'A'],
    ] as const) {
      const ls = execFileSync('ls', [`-N${flag}`, '--zero'], { cwd: folder, encoding: 'utf8' })
        .split('\0')
        .slice(0, -1);
      expect(names(await list(folder, { include_hidden }))).to.deep.equal([...ls].sort());
    }
  });

  it('sorts by size and by time, the largest and the latest first, equal ones by name', async () => {
    const folder = await temporaryFolder({ b: 'xx', a: 'xx', c: 'x', d: 'xxx' });
    await mkdir(path.join(folder, 'sub'));
    for (const [index, name] of ['d', 'a', 'sub', 'b', 'c'].entries()) await utimes(path.join(folder, name), 0, 1000 + index);
    expect(names(await list(folder, { sort: 'size' }))).to.deep.equal(['d', 'a', 'b', 'c', 'sub']);
    expect(names(await list(folder, { sort: 'modified' }))).to.deep.equal(['c', 'b', 'sub', 'a', 'd']);
    expect(names(await list(folder))).to.deep.equal(['a', 'b', 'c', 'd', 'sub']);
  });

  for (const { sort, first } of [
    { sort: 'name', first: ['0', '1'] },
    { sort: 'size', first: ['4', '3'] },
  ]) {
    it(`gives the first ones by ${sort} when there are more than max_entries`, async () => {
      const folder = await temporaryFolder(Object.fromEntries([0, 1, 2, 3, 4].map((size) => [String(size), 'x'.repeat(size)])));
      const listing = await list(folder, { sort, max_entries: 2 });
      expect(names(listing)).to.deep.equal(first);
      expect(listing).to.include({ total: 5, truncated: true });
      expect(await list(folder, { sort, max_entries: 5 })).to.include({ total: 5, truncated: false });
    });
  }

  it('lists an empty folder, and one behind a link inside the root', async () => {
    const folder = await temporaryFolder({ 'real/a': '' });
    await mkdir(path.join(folder, 'empty'));
    await symlink('real', path.join(folder, 'link'));
    expect(await list(folder, { path: 'empty' })).to.deep.equal({ entries: [], total: 0, truncated: false });
    expect(names(await list(folder, { path: 'link' }))).to.deep.equal(['a']);
  });

  it('says that a folder does not exist, is a file, may not be read, or lies outside', async () => {
    const folder = await temporaryFolder({ 'a.txt': '', 'closed/b': '' });
    await symlink('/etc', path.join(folder, 'out'));
    await chmod(folder, 0o755);
    await chmod(path.join(folder, 'closed'), 0);
    expect((await rejection(list(folder, { path: 'fehlt' }), 'NOT_FOUND')).message).to.include('fs_tree');
    expect((await rejection(list(folder, { path: 'a.txt' }), 'EXECUTION_FAILED')).message).to.include('it is a file, expected a folder');
    await rejection(list(folder, { path: 'out' }), 'INVALID_PARAMETERS');
    await list(folder);
    const error = await asNobody(() => rejection(list(folder, { path: 'closed' }), 'EXECUTION_FAILED'));
    expect(error.message).to.include('permission is denied');
    await chmod(path.join(folder, 'closed'), 0o755);
  });

  for (const parameters of [{ sort: 'type' }, { max_entries: 0 }, { max_entries: 10_001 }]) {
    it(`refuses ${JSON.stringify(parameters)}`, async () => {
      await rejection(list(await temporaryFolder(), parameters), 'INVALID_PARAMETERS');
    });
  }
});
