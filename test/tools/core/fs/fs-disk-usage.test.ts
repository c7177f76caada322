import { execFileSync } from 'node:child_process';
import { chmod, link, mkdir, symlink } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import { coreGroup } from '../../../support/core-group.ts';
import { rejection } from '../../../support/rejection.ts';
import { temporaryFolder } from '../../../support/temporary.ts';
import { asNobody } from './as-nobody.ts';

const { coreToolkit } = coreGroup('fs');

describe('fs_disk_usage', () => {
  it('adds up what is in a folder and lists the largest first', async () => {
    const folder = await temporaryFolder({ 'big.bin': 'x'.repeat(5000), 'ä/b': 'y'.repeat(7000), 'ä/c/d': 'z'.repeat(300), empty: '' });
    await mkdir(path.join(folder, 'nothing'));
    await symlink('big.bin', path.join(folder, 'link'));
    await symlink('/', path.join(folder, 'disk'));
    const toolkit = await coreToolkit({ roots: [folder] });
    const entries = [
      { path: 'ä/', bytes: 7300 },
      { path: 'big.bin', bytes: 5000 },
      { path: 'disk', bytes: 0 },
      { path: 'empty', bytes: 0 },
      { path: 'link', bytes: 0 },
      { path: 'nothing/', bytes: 0 },
    ];
    expect(await toolkit.execute('fs_disk_usage', { path: '.' })).to.deep.equal({ total_bytes: 12_300, entries, truncated: false });
    const found = execFileSync('find', [folder, '-type', 'f', '-printf', '%s\\n'], { encoding: 'utf8' });
    expect(
      found
        .trim()
        .split('\n')
        .map(Number)
        .reduce((sum, size) => sum + size),
    ).to.equal(12_300);
  });

  it('lists as many levels as it is told', async () => {
    const folder = await temporaryFolder({ 'a/b/c': '123', 'a/d': '1' });
    const toolkit = await coreToolkit({ roots: [folder] });
    const paths = async (depth: number): Promise<string[]> =>
      ((await toolkit.execute('fs_disk_usage', { path: '.', depth })) as { entries: { path: string }[] }).entries.map(
        (entry) => entry.path,
      );
    expect(await paths(0)).to.deep.equal([]);
    expect(await paths(1)).to.deep.equal(['a/']);
    expect(await paths(20)).to.deep.equal(['a/', 'a/b/', 'a/b/c', 'a/d']);
  });

  it('counts a file with several names once, and takes a single file', async () => {
    const folder = await temporaryFolder({ 'a/x': '12345' });
    await link(path.join(folder, 'a/x'), path.join(folder, 'a/y'));
    const toolkit = await coreToolkit({ roots: [folder] });
    expect(await toolkit.execute('fs_disk_usage', { path: 'a' })).to.include({ total_bytes: 5 });
    expect(await toolkit.execute('fs_disk_usage', { path: 'a/x' })).to.deep.equal({ total_bytes: 5, entries: [], truncated: false });
  });

  it('shows 1000 entries and says that there are more', async () => {
    const folder = await temporaryFolder(Object.fromEntries(Array.from({ length: 1001 }, (_, index) => [`f${index}`, 'x'])));
    const toolkit = await coreToolkit({ roots: [folder] });
    const output = (await toolkit.execute('fs_disk_usage', { path: '.' })) as {
      total_bytes: number;
      entries: unknown[];
      truncated: boolean;
    };
    expect(output).to.include({ total_bytes: 1001, truncated: true });
    expect(output.entries).to.have.length(1000);
  });

  it('says which folders it could not read', async () => {
    const folder = await temporaryFolder({ 'open/x': '12', 'closed/y': '345' });
    await chmod(folder, 0o755);
    await chmod(path.join(folder, 'closed'), 0);
    const toolkit = await coreToolkit({ roots: [folder] });
    await toolkit.execute('fs_disk_usage', { path: 'open' });
    const output = await asNobody(() => toolkit.execute('fs_disk_usage', { path: '.' }));
    await chmod(path.join(folder, 'closed'), 0o755);
    expect(output).to.deep.include({ total_bytes: 2, unreadable: { count: 1, paths: ['closed'] } });
  });

  it('refuses what does not exist or is outside', async () => {
    const folder = await temporaryFolder();
    const toolkit = await coreToolkit({ roots: [folder] });
    await rejection(toolkit.execute('fs_disk_usage', { path: 'nothing' }), 'NOT_FOUND');
    await rejection(toolkit.execute('fs_disk_usage', { path: '..' }), 'INVALID_PARAMETERS');
  });
});
