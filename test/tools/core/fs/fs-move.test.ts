import { chmod, lstat, mkdir, readdir, readFile, readlink, symlink, utimes } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import path from 'node:path';
import { expect } from 'chai';
import sinon from 'sinon';
import { coreGroup } from '../../../support/core-group.ts';
import { rejection } from '../../../support/rejection.ts';
import { temporaryFolder } from '../../../support/temporary.ts';
import { failingWhen } from './failing-when.ts';

const { coreToolkit } = coreGroup('fs');

/** As between two file systems: nothing that lies at or below this path can be renamed or linked to another place. */
function otherFileSystem(source: string): void {
  for (const name of ['rename', 'link'] as const) failingWhen(name, 'EXDEV', (from) => from === source);
}

describe('fs_move', () => {
  afterEach(() => {
    sinon.restore();
    syncBuiltinESMExports();
  });

  it('gives a file another name in folders that it creates', async () => {
    const folder = await temporaryFolder({ 'alt.txt': 'Grüße' });
    const toolkit = await coreToolkit({ roots: [folder] });
    const output = await toolkit.execute('fs_move', { source: 'alt.txt', destination: 'neu/tief/ä.txt' });
    expect(output).to.deep.equal({ source: path.join(folder, 'alt.txt'), destination: path.join(folder, 'neu/tief/ä.txt') });
    expect(await readFile(path.join(folder, 'neu/tief/ä.txt'), 'utf8')).to.equal('Grüße');
    expect(await readdir(folder)).to.deep.equal(['neu']);
  });

  it('moves a folder with its links as they are, and follows none', async () => {
    const folder = await temporaryFolder({ 'a/x': 'eins', 'b.txt': 'zwei' });
    await symlink('../b.txt', path.join(folder, 'a/link'));
    const toolkit = await coreToolkit({ roots: [folder] });
    await toolkit.execute('fs_move', { source: 'a', destination: 'c' });
    expect(await readdir(folder)).to.deep.equal(['b.txt', 'c']);
    expect(await readlink(path.join(folder, 'c/link'))).to.equal('../b.txt');
    expect(await readFile(path.join(folder, 'b.txt'), 'utf8')).to.equal('zwei');
  });

  it('replaces a file, or an empty folder, only when told to', async () => {
    const folder = await temporaryFolder({ a: 'neu', b: 'alt', 'c/x': '' });
    await mkdir(path.join(folder, 'empty'));
    const toolkit = await coreToolkit({ roots: [folder] });
    for (const places of [
      { source: 'a', destination: 'b' },
      { source: 'c', destination: 'empty' },
    ]) {
      const error = await rejection(toolkit.execute('fs_move', places), 'EXECUTION_FAILED');
      expect(error.message).to.include('exists already').and.to.include('overwrite to true');
      await toolkit.execute('fs_move', { ...places, overwrite: true });
    }
    expect(await readFile(path.join(folder, 'b'), 'utf8')).to.equal('neu');
    expect(await readdir(folder, { recursive: true })).to.have.members(['b', 'empty', 'empty/x']);
  });

  it('never replaces a folder that is not empty, nor a file by a folder, nor a folder by a file', async () => {
    const folder = await temporaryFolder({ 'a/x': '', 'b/y': '', f: '' });
    const toolkit = await coreToolkit({ roots: [folder] });
    const cases = [
      { source: 'a', destination: 'b', says: 'is a folder that is not empty' },
      { source: 'a', destination: 'f', says: 'is a file, and a folder is to be moved there' },
      { source: 'f', destination: 'a', says: 'is a folder, and a file is to be moved there' },
    ];
    for (const { says, ...places } of cases) {
      const error = await rejection(toolkit.execute('fs_move', { ...places, overwrite: true }), 'EXECUTION_FAILED');
      expect(error.message).to.include(says);
    }
    expect(await readdir(folder, { recursive: true })).to.have.members(['a', 'a/x', 'b', 'b/y', 'f']);
  });

  it('refuses the first root, a place in the source, a place outside, and a source that does not exist', async () => {
    const base = await temporaryFolder({ 'other/root/a/x': '' });
    const folder = path.join(base, 'other/root');
    const toolkit = await coreToolkit({ roots: [folder, base] });
    const cases = [
      { source: '.', destination: path.join(base, 'c'), says: 'itself is never moved' },
      { source: '..', destination: path.join(base, 'c'), says: 'itself is never moved' },
      { source: 'a', destination: 'a', says: 'received the source itself' },
      { source: 'a', destination: 'a/b', says: 'received a path in it' },
      { source: 'a', destination: '../../../c', says: 'expected a path inside' },
    ];
    for (const { says, ...places } of cases) {
      expect((await rejection(toolkit.execute('fs_move', places), 'INVALID_PARAMETERS')).message).to.include(says);
    }
    await rejection(toolkit.execute('fs_move', { source: 'nothing', destination: 'new/b' }), 'NOT_FOUND');
    expect(await readdir(folder)).to.deep.equal(['a']);
  });

  it('copies and then removes between file systems, and keeps modes and times', async () => {
    const folder = await temporaryFolder({ 'a/run.sh': 'eins', 'a/sub/y': 'zwei' });
    await symlink('sub/y', path.join(folder, 'a/link'));
    await chmod(path.join(folder, 'a/run.sh'), 0o4751);
    await utimes(path.join(folder, 'a/run.sh'), 1_000_000_000, 1_100_000_000);
    await utimes(path.join(folder, 'a/sub'), 1_000_000_000, 1_200_000_000);
    const toolkit = await coreToolkit({ roots: [folder] });
    otherFileSystem(path.join(folder, 'a'));
    await toolkit.execute('fs_move', { source: 'a', destination: 'new/b' });
    expect(await readdir(folder, { recursive: true })).to.have.members([
      'new',
      'new/b',
      'new/b/link',
      'new/b/run.sh',
      'new/b/sub',
      'new/b/sub/y',
    ]);
    const { mode, mtimeMs } = await lstat(path.join(folder, 'new/b/run.sh'));
    expect({ mode: mode & 0o7777, mtimeMs }).to.deep.equal({ mode: 0o4751, mtimeMs: 1_100_000_000_000 });
    expect((await lstat(path.join(folder, 'new/b/sub'))).mtimeMs).to.equal(1_200_000_000_000);
    expect(await readlink(path.join(folder, 'new/b/link'))).to.equal('sub/y');
  });

  it('moves a file between file systems, over another one when told to', async () => {
    const folder = await temporaryFolder({ a: 'neu', b: 'alt' });
    const toolkit = await coreToolkit({ roots: [folder] });
    otherFileSystem(path.join(folder, 'a'));
    await toolkit.execute('fs_move', { source: 'a', destination: 'b', overwrite: true });
    expect(await readdir(folder)).to.deep.equal(['b']);
    expect(await readFile(path.join(folder, 'b'), 'utf8')).to.equal('neu');
  });

  it('moves nothing between file systems when a link leads out of the folder', async () => {
    const folder = await temporaryFolder({ 'a/x': '' });
    await symlink('/etc/passwd', path.join(folder, 'a/leaving'));
    const toolkit = await coreToolkit({ roots: [folder] });
    otherFileSystem(path.join(folder, 'a'));
    const error = await rejection(toolkit.execute('fs_move', { source: 'a', destination: 'new/b' }), 'EXECUTION_FAILED');
    expect(error.message).to.include('a/leaving').and.to.include('leads out of the folder');
    expect(await readdir(folder)).to.deep.equal(['a']);
    expect(await readdir(path.join(folder, 'a'))).to.deep.equal(['leaving', 'x']);
  });

  it('says that the copy is complete when the source cannot be removed', async () => {
    const folder = await temporaryFolder({ 'a/x': 'eins' });
    const toolkit = await coreToolkit({ roots: [folder] });
    otherFileSystem(path.join(folder, 'a'));
    failingWhen('unlink', 'EACCES', (file) => file === path.join(folder, 'a/x'));
    const error = await rejection(toolkit.execute('fs_move', { source: 'a', destination: 'b' }), 'EXECUTION_FAILED');
    expect(error.message).to.include('as a whole').and.to.include('permission is denied');
    expect(await readFile(path.join(folder, 'b/x'), 'utf8')).to.equal('eins');
    expect(await readFile(path.join(folder, 'a/x'), 'utf8')).to.equal('eins');
  });
});
