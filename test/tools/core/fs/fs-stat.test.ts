import { execFileSync } from 'node:child_process';
import { chmod, mkdir, symlink, utimes } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import { coreGroup } from '../../../support/core-group.ts';
import { rejection } from '../../../support/rejection.ts';
import { temporaryFolder } from '../../../support/temporary.ts';
import { asNobody } from './as-nobody.ts';

const { coreToolkit } = coreGroup('fs');

async function statOf(folder: string, place: string): Promise<Record<string, unknown>> {
  const toolkit = await coreToolkit({ roots: [folder] });
  return toolkit.execute('fs_stat', { path: place }) as Promise<Record<string, unknown>>;
}

describe('fs_stat', () => {
  it('tells of a file what stat tells', async () => {
    const folder = await temporaryFolder({ 'ä.txt': 'Grüße' });
    const file = path.join(folder, 'ä.txt');
    await chmod(file, 0o4640);
    await utimes(file, new Date(), new Date('2024-02-29T12:00:00Z'));
    const [size, mode, modified, created] = execFileSync('stat', ['-c', '%s %a %Y %W', file], { encoding: 'utf8' }).trim().split(' ');
    const { created_at, ...facts } = await statOf(folder, 'ä.txt');
    expect(facts).to.deep.equal({
      exists: true,
      type: 'file',
      size: Number(size),
      mode,
      modified_at: new Date(Number(modified) * 1000).toISOString(),
      is_symlink: false,
    });
    expect(Math.floor(Date.parse(String(created_at)) / 1000)).to.equal(Number(created));
  });

  it('tells of a folder and of a pipe no size', async () => {
    const folder = await temporaryFolder();
    await mkdir(path.join(folder, 'sub'), { mode: 0o700 });
    execFileSync('mkfifo', ['-m', '600', path.join(folder, 'pipe')]);
    for (const [name, type, mode] of [
      ['sub', 'directory', '0700'],
      ['pipe', 'other', '0600'],
    ] as const) {
      expect(await statOf(folder, name))
        .to.include({ exists: true, type, mode })
        .and.to.not.have.property('size');
    }
  });

  it('shows a symbolic link itself, one to nothing too, and follows links on the way', async () => {
    const folder = await temporaryFolder({ 'real/a.txt': 'a' });
    await symlink('real/a.txt', path.join(folder, 'link'));
    await symlink('nothing', path.join(folder, 'dangling'));
    await symlink('real', path.join(folder, 'in'));
    for (const [name, target] of [
      ['link', 'real/a.txt'],
      ['dangling', 'nothing'],
    ]) {
      expect(await statOf(folder, String(name))).to.include({ exists: true, type: 'symlink', is_symlink: true, target });
    }
    expect(await statOf(folder, 'in/a.txt')).to.include({ exists: true, type: 'file', size: 1, is_symlink: false });
  });

  it('tells that nothing is there, also below a file', async () => {
    const folder = await temporaryFolder({ 'a.txt': '' });
    for (const name of ['fehlt', 'fehlt/ö', 'a.txt/b']) expect(await statOf(folder, name)).to.deep.equal({ exists: false });
  });

  it('refuses a path outside of the root, and says when permission is denied', async () => {
    const folder = await temporaryFolder({ 'closed/a.txt': '' });
    await symlink('/etc/passwd', path.join(folder, 'out'));
    for (const place of ['out', '../x', '/etc/passwd']) await rejection(statOf(folder, place), 'INVALID_PARAMETERS');
    await chmod(folder, 0o755);
    await chmod(path.join(folder, 'closed'), 0);
    const toolkit = await coreToolkit({ roots: [folder] });
    await asNobody(() => rejection(toolkit.execute('fs_stat', { path: 'closed/a.txt' }), 'INVALID_PARAMETERS'));
    await chmod(path.join(folder, 'closed'), 0o755);
  });
});
