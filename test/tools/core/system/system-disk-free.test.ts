import { execFileSync } from 'node:child_process';
import { symlink } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import { coreGroup } from '../../../support/core-group.ts';
import { rejection } from '../../../support/rejection.ts';
import { temporaryFolder } from '../../../support/temporary.ts';

const { coreToolkit } = coreGroup('system');

interface Space {
  readonly total: number;
  readonly free: number;
  readonly available: number;
  readonly used_percent: number;
}

async function diskFree(roots: readonly string[], parameters: Readonly<Record<string, unknown>> = {}): Promise<Space> {
  return (await (await coreToolkit({ roots: [...roots] })).execute('system_disk_free', parameters)) as unknown as Space;
}

describe('system_disk_free', () => {
  it('gives what df gives, but for what other programs write meanwhile', async () => {
    const folder = await temporaryFolder();
    const [, size = 0, used = 0, available = 0] =
      execFileSync('df', ['-Pk', folder], { encoding: 'utf8' })
        .split('\n')[1]
        ?.split(/\s+/)
        .map((column) => Number(column) * 1024) ?? [];
    const space = await diskFree([folder]);
    expect(space.total).to.equal(size);
    expect(space.free).to.be.closeTo(size - used, size * 0.05);
    expect(space.available).to.be.closeTo(available, size * 0.05);
    expect(space.used_percent).to.be.closeTo((used / (used + available)) * 100, 5);
    expect(space.available).to.be.at.most(space.free);
    expect(space.free).to.be.at.most(space.total);
  });

  it('takes a file as well as a folder, relative to the first root, and names that are not ASCII', async () => {
    const folder = await temporaryFolder({ 'Größe/数.txt': '' });
    const { total } = await diskFree([folder]);
    for (const given of ['Größe', 'Größe/数.txt', path.join(folder, 'Größe')])
      expect(await diskFree([folder], { path: given }), given).to.include({ total });
  });

  it('has nothing used where there are no blocks', async () => {
    const blocks = execFileSync('stat', ['-f', '-c', '%b', '/proc'], { encoding: 'utf8' }).trim();
    expect(blocks).to.equal('0');
    expect(await diskFree(['/proc'], { path: '/proc/self' })).to.deep.equal({ total: 0, free: 0, available: 0, used_percent: 0 });
  });

  it('stays inside the roots, through links too', async () => {
    const [folder, outside] = [await temporaryFolder(), await temporaryFolder()];
    await symlink(outside, path.join(folder, 'link'));
    for (const given of ['/', '..', outside, 'link']) {
      const error = await rejection(diskFree([folder], { path: given }), 'INVALID_PARAMETERS');
      expect(error.message).to.include('expected a path inside');
    }
  });

  it('says when there is no such path', async () => {
    const error = await rejection(diskFree([await temporaryFolder()], { path: 'missing' }), 'NOT_FOUND');
    expect(error.message).to.include('missing": there is no such file or folder');
  });

  it('refuses a path that is no text', async () => {
    expect((await rejection(diskFree([await temporaryFolder()], { path: 5 }), 'INVALID_PARAMETERS')).message).to.include('path expected');
  });
});
