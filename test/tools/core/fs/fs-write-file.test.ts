import { execFileSync } from 'node:child_process';
import fs, { chmod, chown, lstat, mkdir, open, readdir, readFile, readlink, stat, symlink } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import path from 'node:path';
import { expect } from 'chai';
import sinon from 'sinon';
import type { Toolkit } from '../../../../plugins/toolkit/index.ts';
import { coreGroup } from '../../../support/core-group.ts';
import { rejection } from '../../../support/rejection.ts';
import { temporaryFolder } from '../../../support/temporary.ts';
import { asNobody } from './as-nobody.ts';

const { coreToolkit } = coreGroup('fs');

const write = (toolkit: Toolkit, parameters: Record<string, unknown>): Promise<unknown> => toolkit.execute('fs_write_file', parameters);

/** Makes a function of node:fs/promises fail for every module, until sinon restores it. */
function failing(name: 'rename' | 'link', code: string): void {
  sinon.stub(fs, name).rejects(Object.assign(new Error(`${code}: simulated`), { code }));
  syncBuiltinESMExports();
}

describe('fs_write_file', () => {
  afterEach(() => {
    sinon.restore();
    syncBuiltinESMExports();
  });

  const contents = [
    { encoding: undefined, content: 'Grüße, 世界 👋\r\n', hex: Buffer.from('Grüße, 世界 👋\r\n').toString('hex') },
    { encoding: 'utf8', content: '', hex: '' },
    { encoding: 'latin1', content: 'Grüße', hex: '4772fcdf65' },
    { encoding: 'base64', content: 'AP8QgA==', hex: '00ff1080' },
    { encoding: 'base64', content: 'AP8Q\r\ngA', hex: '00ff1080' },
  ];
  for (const { encoding, content, hex } of contents) {
    it(`writes ${JSON.stringify(content)} as ${encoding ?? 'utf8, the default,'} into folders that it creates`, async () => {
      const folder = await temporaryFolder();
      const toolkit = await coreToolkit({ roots: [folder] });
      const output = await write(toolkit, { path: 'neu/tief/ä.dat', content, ...(encoding === undefined ? {} : { encoding }) });
      const file = path.join(folder, 'neu/tief/ä.dat');
      expect(output).to.deep.equal({ path: file, bytes_written: hex.length / 2, created: true });
      expect((await readFile(file)).toString('hex')).to.equal(hex);
      expect(await readdir(path.dirname(file))).to.deep.equal(['ä.dat']);
    });
  }

  it('replaces a file, tells the hash of what was there, and keeps its mode and owner', async () => {
    const folder = await temporaryFolder({ 'run.sh': 'alt\n' });
    const file = path.join(folder, 'run.sh');
    if (process.getuid?.() === 0) await chown(file, 12_345, 12_345);
    await chmod(file, 0o751);
    const [hash] = execFileSync('sha256sum', [file], { encoding: 'utf8' }).split(' ');
    const before = await stat(file);
    const toolkit = await coreToolkit({ roots: [folder] });
    const output = await write(toolkit, { path: file, content: 'neu', overwrite: true });
    expect(output).to.deep.equal({ path: file, bytes_written: 3, created: false, previous_sha256: hash });
    expect(await readFile(file, 'utf8')).to.equal('neu');
    const { mode, uid, gid } = await stat(file);
    expect({ mode, uid, gid }).to.deep.equal({ mode: before.mode, uid: before.uid, gid: before.gid });
  });

  it('leaves the old content to those who are reading it', async () => {
    const folder = await temporaryFolder({ 'a.txt': 'the old content' });
    const reader = await open(path.join(folder, 'a.txt'));
    const toolkit = await coreToolkit({ roots: [folder] });
    await write(toolkit, { path: 'a.txt', content: 'new', overwrite: true });
    const seen = await reader.readFile('utf8');
    await reader.close();
    expect(seen).to.equal('the old content');
  });

  it('refuses to replace a file unless told to', async () => {
    const folder = await temporaryFolder({ 'a.txt': 'alt' });
    const toolkit = await coreToolkit({ roots: [folder] });
    const error = await rejection(write(toolkit, { path: 'a.txt', content: 'neu' }), 'EXECUTION_FAILED');
    expect(error.message).to.include('exists already').and.to.include('Set overwrite to true');
    expect(await readFile(path.join(folder, 'a.txt'), 'utf8')).to.equal('alt');
  });

  for (const [tool, given] of [
    ['fs_write_file', { path: 'a.txt', content: '' }],
    ['fs_copy', { source: 'a.txt', destination: 'b.txt' }],
    ['fs_move', { source: 'a.txt', destination: 'b.txt' }],
  ] as const)
    it(`says of if_exists, which it was called before, what to give: ${tool}`, async () => {
      const toolkit = await coreToolkit({ roots: [await temporaryFolder()] });
      const { message } = await rejection(toolkit.execute(tool, { ...given, if_exists: 'overwrite' }), 'INVALID_PARAMETERS');
      expect(message).to.include('if_exists is not known here: give "overwrite" in its place');
    });

  it('lets one of many writers of a new file win', async () => {
    const folder = await temporaryFolder();
    const toolkit = await coreToolkit({ roots: [folder] });
    const writers = Array.from({ length: 20 }, (_, index) => write(toolkit, { path: 'a.txt', content: String(index) }));
    const ends = await Promise.allSettled(writers);
    const winners = ends.flatMap(({ status }, index) => (status === 'fulfilled' ? [String(index)] : []));
    expect(winners).to.have.length(1);
    expect(await readFile(path.join(folder, 'a.txt'), 'utf8')).to.equal(winners[0]);
    expect(await readdir(folder)).to.deep.equal(['a.txt']);
  });

  for (const [code, says] of [
    ['ENOSPC', 'no space is left'],
    ['EDQUOT', 'no space is left'],
    ['EROFS', 'read-only'],
    ['EIO', 'simulated'],
  ] as const) {
    it(`leaves the old file and nothing else behind when the last step fails with ${code}`, async () => {
      const folder = await temporaryFolder({ 'a.txt': 'alt' });
      const toolkit = await coreToolkit({ roots: [folder] });
      failing('rename', code);
      const error = await rejection(write(toolkit, { path: 'a.txt', content: 'neu', overwrite: true }), 'EXECUTION_FAILED');
      expect(error.message).to.include(says).and.to.include('a.txt');
      expect(error.details).to.include({ errno: code });
      expect(await readdir(folder)).to.deep.equal(['a.txt']);
      expect(await readFile(path.join(folder, 'a.txt'), 'utf8')).to.equal('alt');
    });
  }

  it('writes a new file on a file system without hard links', async () => {
    const folder = await temporaryFolder();
    const toolkit = await coreToolkit({ roots: [folder] });
    failing('link', 'EPERM');
    expect(await write(toolkit, { path: 'a.txt', content: 'neu' })).to.include({ created: true });
    expect(await readdir(folder)).to.deep.equal(['a.txt']);
  });

  it('writes the file behind a symbolic link and keeps the link', async () => {
    const folder = await temporaryFolder({ 'sub/real.txt': 'alt' });
    await symlink('sub/real.txt', path.join(folder, 'link'));
    const toolkit = await coreToolkit({ roots: [folder] });
    const output = await write(toolkit, { path: 'link', content: 'neu', overwrite: true });
    expect(output).to.include({ path: path.join(folder, 'sub/real.txt'), created: false });
    expect(await readlink(path.join(folder, 'link'))).to.equal('sub/real.txt');
    expect(await readFile(path.join(folder, 'sub/real.txt'), 'utf8')).to.equal('neu');
  });

  it('refuses symbolic links that leave the root, to a file, to a folder, or to nothing', async () => {
    const outside = await temporaryFolder({ 'a.txt': 'fremd' });
    const folder = await temporaryFolder();
    await symlink(path.join(outside, 'a.txt'), path.join(folder, 'file'));
    await symlink(outside, path.join(folder, 'folder'));
    await symlink(path.join(outside, 'new.txt'), path.join(folder, 'nothing'));
    const toolkit = await coreToolkit({ roots: [folder] });
    for (const name of ['file', 'folder/b.txt', 'nothing', '../b.txt', path.join(outside, 'a.txt')]) {
      await rejection(write(toolkit, { path: name, content: 'neu', overwrite: true }), 'INVALID_PARAMETERS');
    }
    expect(await readdir(outside)).to.deep.equal(['a.txt']);
    expect(await readFile(path.join(outside, 'a.txt'), 'utf8')).to.equal('fremd');
  });

  it('refuses a symbolic link to nothing inside the root', async () => {
    const folder = await temporaryFolder();
    await symlink('new.txt', path.join(folder, 'link'));
    const toolkit = await coreToolkit({ roots: [folder] });
    const error = await rejection(write(toolkit, { path: 'link', content: 'neu', overwrite: true }), 'EXECUTION_FAILED');
    expect(error.message).to.include('symbolic link to something that does not exist');
    expect((await lstat(path.join(folder, 'link'))).isSymbolicLink()).to.equal(true);
    expect(await readdir(folder)).to.deep.equal(['link']);
  });

  it('refuses a place where no file can be, and says why', async () => {
    const folder = await temporaryFolder({ 'a.txt': '' });
    await mkdir(path.join(folder, 'sub'));
    execFileSync('mkfifo', [path.join(folder, 'pipe')]);
    const toolkit = await coreToolkit({ roots: [folder] });
    const cases = [
      { place: { path: 'sub', overwrite: true }, code: 'EXECUTION_FAILED', says: 'it is a folder, expected a file' },
      { place: { path: 'pipe', overwrite: true }, code: 'EXECUTION_FAILED', says: 'a pipe, a socket or a device' },
      { place: { path: 'a.txt/b.txt' }, code: 'EXECUTION_FAILED', says: 'a part of the path is a file' },
      { place: { path: 'no/b.txt', create_directories: false }, code: 'NOT_FOUND', says: 'no/b.txt' },
      { place: { path: `no/no/${'b'.repeat(300)}` }, code: 'EXECUTION_FAILED', says: 'is too long for the file system' },
    ] as const;
    for (const { place, code, says } of cases) {
      const error = await rejection(write(toolkit, { content: 'neu', ...place }), code);
      expect(error.message).to.include(says);
    }
    expect(await readdir(folder)).to.have.members(['a.txt', 'sub', 'pipe']);
  });

  it('says when permission is denied, for the folder and for a read-only file in a folder that is open', async () => {
    const folder = await temporaryFolder({ 'closed/a.txt': 'alt', 'open/read-only.txt': 'alt' });
    await chmod(folder, 0o755);
    await chmod(path.join(folder, 'closed'), 0o555);
    await chmod(path.join(folder, 'open'), 0o777);
    await chmod(path.join(folder, 'open/read-only.txt'), 0o444);
    const toolkit = await coreToolkit({ roots: [folder] });
    await write(toolkit, { path: 'open/first.txt', content: '' });
    for (const name of ['closed/b.txt', 'open/read-only.txt']) {
      const call = () => rejection(write(toolkit, { path: name, content: 'neu', overwrite: true }), 'EXECUTION_FAILED');
      expect((await asNobody(call)).message).to.include('permission is denied');
    }
    expect(await readFile(path.join(folder, 'open/read-only.txt'), 'utf8')).to.equal('alt');
    await chmod(path.join(folder, 'closed'), 0o755);
  });

  const unfit = [
    { encoding: 'utf8', content: 'half \uD83D', says: 'surrogate' },
    { encoding: 'latin1', content: 'Preis: 5 €', says: 'received string "€"' },
    { encoding: 'base64', content: 'Grüße', says: 'expected base64' },
    { encoding: 'base64', content: 'QUJD-_', says: 'expected base64' },
    { encoding: 'base64', content: 'QUJDR', says: 'expected base64' },
    { encoding: 'base64', content: 'QQ==QQ==', says: 'expected base64' },
  ];
  for (const { encoding, content, says } of unfit) {
    it(`refuses the content ${JSON.stringify(content)} as ${encoding} and writes nothing`, async () => {
      const folder = await temporaryFolder();
      const toolkit = await coreToolkit({ roots: [folder] });
      const error = await rejection(write(toolkit, { path: 'a/b.txt', content, encoding }), 'INVALID_PARAMETERS');
      expect(error.message).to.include('Parameter "content"').and.to.include(says);
      expect(await readdir(folder)).to.deep.equal([]);
    });
  }
});
