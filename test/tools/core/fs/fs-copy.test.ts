import { execFileSync } from 'node:child_process';
import { chmod, link, lstat, mkdir, readdir, readFile, readlink, symlink, truncate, writeFile } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import path from 'node:path';
import { expect } from 'chai';
import sinon from 'sinon';
import { coreGroup } from '../../../support/core-group.ts';
import { rejection } from '../../../support/rejection.ts';
import { temporaryFolder } from '../../../support/temporary.ts';
import { asNobody } from './as-nobody.ts';
import { failingWhen } from './failing-when.ts';
import { until } from './until.ts';

const { coreToolkit } = coreGroup('fs');

const listed = async (folder: string): Promise<string[]> => (await readdir(folder, { recursive: true })).sort();

describe('fs_copy', () => {
  afterEach(() => {
    sinon.restore();
    syncBuiltinESMExports();
  });

  it('copies a file under another name into folders that it creates, with its mode', async () => {
    const folder = await temporaryFolder({ 'läuft.sh': 'Grüße, 世界\r\n' });
    await chmod(path.join(folder, 'läuft.sh'), 0o755);
    const toolkit = await coreToolkit({ roots: [folder] });
    const output = await toolkit.execute('fs_copy', { source: 'läuft.sh', destination: 'neu/tief/ä.sh' });
    const copy = path.join(folder, 'neu/tief/ä.sh');
    expect(output).to.deep.equal({ source: path.join(folder, 'läuft.sh'), destination: copy, entries: 1 });
    expect(await readFile(copy, 'utf8')).to.equal('Grüße, 世界\r\n');
    expect((await lstat(copy)).mode & 0o777).to.equal(0o755);
    expect(await readdir(path.dirname(copy))).to.deep.equal(['ä.sh']);
  });

  it('copies a folder as cp does, with empty files and folders and links that stay in it', async () => {
    const folder = await temporaryFolder({ 'a/x.txt': 'eins', 'a/empty': '', 'a/sub/ü y.txt': 'zwei', 'a/.hidden': '' });
    await mkdir(path.join(folder, 'a/nothing'));
    await symlink('../x.txt', path.join(folder, 'a/sub/up'));
    await symlink('sub', path.join(folder, 'a/down'));
    await symlink('not/there', path.join(folder, 'a/dangling'));
    await symlink(path.join(folder, 'a/x.txt'), path.join(folder, 'a/absolute'));
    const toolkit = await coreToolkit({ roots: [folder] });
    const output = await toolkit.execute('fs_copy', { source: 'a', destination: 'b', recursive: true });
    execFileSync('cp', ['-R', path.join(folder, 'a'), path.join(folder, 'c')]);
    expect(await listed(path.join(folder, 'b'))).to.deep.equal(await listed(path.join(folder, 'c')));
    expect(execFileSync('diff', ['-r', '--no-dereference', 'b', 'c'], { cwd: folder, encoding: 'utf8' })).to.equal('');
    expect(output).to.include({ entries: 11 });
    expect(await readlink(path.join(folder, 'b/sub/up'))).to.equal('../x.txt');
  });

  it('refuses a folder without recursive', async () => {
    const folder = await temporaryFolder({ 'a/x.txt': '' });
    const toolkit = await coreToolkit({ roots: [folder] });
    const error = await rejection(toolkit.execute('fs_copy', { source: 'a', destination: 'b' }), 'EXECUTION_FAILED');
    expect(error.message).to.include('it is a folder').and.to.include('recursive to true');
    expect(await readdir(folder)).to.deep.equal(['a']);
  });

  it('replaces a file only when told to', async () => {
    const folder = await temporaryFolder({ a: 'neu', b: 'alt' });
    const toolkit = await coreToolkit({ roots: [folder] });
    const error = await rejection(toolkit.execute('fs_copy', { source: 'a', destination: 'b' }), 'EXECUTION_FAILED');
    expect(error.message).to.include('exists already').and.to.include('overwrite to true');
    expect(await readFile(path.join(folder, 'b'), 'utf8')).to.equal('alt');
    await toolkit.execute('fs_copy', { source: 'a', destination: 'b', overwrite: true });
    expect(await readFile(path.join(folder, 'b'), 'utf8')).to.equal('neu');
    expect(await readdir(folder)).to.deep.equal(['a', 'b']);
  });

  it('merges a folder into another with overwrite: same names are replaced, the rest stays', async () => {
    const folder = await temporaryFolder({ 'a/same': 'neu', 'a/sub/new': 'n', 'b/same': 'alt', 'b/sub/other': 'o' });
    const toolkit = await coreToolkit({ roots: [folder] });
    await rejection(toolkit.execute('fs_copy', { source: 'a', destination: 'b', recursive: true }), 'EXECUTION_FAILED');
    await toolkit.execute('fs_copy', { source: 'a', destination: 'b', recursive: true, overwrite: true });
    expect(await listed(path.join(folder, 'b'))).to.deep.equal(['same', 'sub', 'sub/new', 'sub/other']);
    expect(await readFile(path.join(folder, 'b/same'), 'utf8')).to.equal('neu');
  });

  it('changes nothing when a folder and a file are in the way of each other', async () => {
    const folder = await temporaryFolder({ 'a/first': 'neu', 'a/x/y': '', 'b/first': 'alt', 'b/x': 'file', 'c/x/y/z': '', f: '' });
    const toolkit = await coreToolkit({ roots: [folder] });
    const cases = [
      { source: 'a', destination: 'b', says: 'b/x" exists already' },
      { source: 'a', destination: 'c', says: 'c/x/y" exists already' },
      { source: 'a', destination: 'f', says: 'is a file, and a folder is to be copied' },
      { source: 'f', destination: 'a', says: 'is a folder, and a file is to be copied' },
    ];
    for (const { says, ...places } of cases) {
      const error = await rejection(toolkit.execute('fs_copy', { ...places, recursive: true, overwrite: true }), 'EXECUTION_FAILED');
      expect(error.message).to.include(says);
    }
    expect(await readFile(path.join(folder, 'b/first'), 'utf8')).to.equal('alt');
    expect(await listed(folder)).to.have.length(12);
  });

  it('puts back what a merge has replaced when it fails half way', async () => {
    const folder = await temporaryFolder({ 'a/1': 'neu', 'a/2': 'neu', 'a/new': 'neu', 'b/1': 'alt', 'b/2': 'alt' });
    const toolkit = await coreToolkit({ roots: [folder] });
    failingWhen('link', 'EIO', (_, to) => to === path.join(folder, 'b/new'));
    const places = { source: 'a', destination: 'b', recursive: true, overwrite: true };
    await rejection(toolkit.execute('fs_copy', places), 'EXECUTION_FAILED');
    expect(await readdir(path.join(folder, 'b'))).to.deep.equal(['1', '2']);
    expect(await readFile(path.join(folder, 'b/1'), 'utf8')).to.equal('alt');
    expect(await readFile(path.join(folder, 'b/2'), 'utf8')).to.equal('alt');
  });

  const leaving = [
    { name: 'an absolute link', target: '/etc/passwd' },
    { name: 'a relative link', target: '../../outside.txt' },
    { name: 'a link beside the folder', target: '../b.txt' },
    { name: 'a link that turns back behind a name', target: 'x/../../../outside.txt' },
  ];
  for (const { name, target } of leaving) {
    it(`refuses a folder with ${name} that leads out of it, and says which`, async () => {
      const folder = await temporaryFolder({ 'root/a/sub/x/y': '', 'root/b.txt': '', 'outside.txt': 'secret' });
      await symlink(target, path.join(folder, 'root/a/leaving'));
      const toolkit = await coreToolkit({ roots: [path.join(folder, 'root')] });
      const error = await rejection(toolkit.execute('fs_copy', { source: 'a', destination: 'c', recursive: true }), 'EXECUTION_FAILED');
      expect(error.message).to.include('root/a/leaving').and.to.include(`leads out of the folder, to "${target}"`);
      expect(await readdir(path.join(folder, 'root'))).to.deep.equal(['a', 'b.txt']);
    });
  }

  it('refuses a pipe, and a source that does not exist', async () => {
    const folder = await temporaryFolder({ 'a/x': '' });
    execFileSync('mkfifo', [path.join(folder, 'a/pipe')]);
    const toolkit = await coreToolkit({ roots: [folder] });
    const error = await rejection(toolkit.execute('fs_copy', { source: 'a', destination: 'b', recursive: true }), 'EXECUTION_FAILED');
    expect(error.message).to.include('a/pipe" is a pipe, a socket or a device');
    await rejection(toolkit.execute('fs_copy', { source: 'nothing', destination: 'b' }), 'NOT_FOUND');
    expect(await readdir(folder)).to.deep.equal(['a']);
  });

  it('refuses a destination that is the source, lies in it, or is outside of the roots', async () => {
    const folder = await temporaryFolder({ 'root/a/x': '', 'root/ab/y': '' });
    const toolkit = await coreToolkit({ roots: [path.join(folder, 'root')] });
    const cases = [
      { destination: 'a', says: 'received the source itself' },
      { destination: 'a/b', says: 'received a path in it' },
      { destination: '../b', says: 'expected a path inside' },
    ];
    for (const { destination, says } of cases) {
      const error = await rejection(toolkit.execute('fs_copy', { source: 'a', destination, recursive: true }), 'INVALID_PARAMETERS');
      expect(error.message).to.include('Parameter "destination"').and.to.include(says);
    }
    expect(await toolkit.execute('fs_copy', { source: 'a', destination: 'ab/c', recursive: true })).to.include({ entries: 2 });
  });

  it('says where permission is denied and leaves nothing behind', async () => {
    const folder = await temporaryFolder({ 'a/x': '', 'a/secret': 's', 'open/y': '' });
    await chmod(folder, 0o777);
    await chmod(path.join(folder, 'a/secret'), 0);
    const toolkit = await coreToolkit({ roots: [folder] });
    await toolkit.execute('fs_copy', { source: 'open', destination: 'first', recursive: true });
    const call = (): Promise<Error> =>
      rejection(toolkit.execute('fs_copy', { source: 'a', destination: 'new/b', recursive: true }), 'EXECUTION_FAILED');
    expect((await asNobody(call)).message)
      .to.include('a/secret')
      .and.to.include('permission is denied');
    expect(await readdir(folder)).to.deep.equal(['a', 'first', 'open']);
  });

  it('leaves nothing behind when it is cancelled, and reports progress until then', async () => {
    const folder = await temporaryFolder({ 'a/small': '' });
    await truncate(path.join(folder, 'a/small'), 200 * 1024 * 1024);
    const toolkit = await coreToolkit({ roots: [folder] });
    const controller = new AbortController();
    const seen: unknown[] = [];
    const call = toolkit.execute(
      'fs_copy',
      { source: 'a', destination: 'b', recursive: true },
      {
        signal: controller.signal,
        onProgress: (progress) => {
          seen.push(progress);
          controller.abort();
        },
      },
    );
    await rejection(call, 'ABORTED');
    await until(async () => (await readdir(folder)).length === 1);
    expect(seen).to.deep.include({ progress: 33_554_432, total: 209_715_200, message: 'bytes copied (entries: 0)' });
    expect(await readdir(folder)).to.deep.equal(['a']);
  });

  it('gives a copy of a file with several names its own content', async () => {
    const folder = await temporaryFolder({ 'a/x': 'eins' });
    await link(path.join(folder, 'a/x'), path.join(folder, 'a/y'));
    const toolkit = await coreToolkit({ roots: [folder] });
    await toolkit.execute('fs_copy', { source: 'a', destination: 'b', recursive: true });
    await writeFile(path.join(folder, 'a/x'), 'zwei');
    expect(await readFile(path.join(folder, 'b/y'), 'utf8')).to.equal('eins');
  });
});
