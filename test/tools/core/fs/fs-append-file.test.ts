import { execFileSync } from 'node:child_process';
import { chmod, mkdir, open, readdir, readFile, readlink, rename, stat, symlink } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import sinon from 'sinon';
import type { Toolkit } from '../../../../plugins/toolkit/index.ts';
import { coreGroup } from '../../../support/core-group.ts';
import { rejection } from '../../../support/rejection.ts';
import { temporaryFolder } from '../../../support/temporary.ts';
import { asNobody } from './as-nobody.ts';

const { coreToolkit } = coreGroup('fs');

const append = (toolkit: Toolkit, parameters: Record<string, unknown>): Promise<unknown> => toolkit.execute('fs_append_file', parameters);

interface FileHandlePrototype {
  write(bytes: Buffer, offset: number, length?: number): Promise<unknown>;
  sync(): Promise<void>;
}

/** The methods of every open file. */
async function fileHandle(file: string): Promise<FileHandlePrototype> {
  const handle = await open(file);
  await handle.close();
  return Object.getPrototypeOf(handle) as FileHandlePrototype;
}

describe('fs_append_file', () => {
  afterEach(() => sinon.restore());

  const contents = [
    { before: 'eins\n', content: 'Grüße, 世界 👋\r\n' },
    { before: 'ohne Zeilenende', content: 'und weiter' },
    { before: '\uFEFFa\r\n', content: '' },
    { before: '', content: '\n' },
  ];
  for (const { before, content } of contents) {
    it(`adds ${JSON.stringify(content)} to ${JSON.stringify(before)} and nothing else`, async () => {
      const folder = await temporaryFolder({ 'ä.txt': before });
      const toolkit = await coreToolkit({ roots: [folder] });
      const file = path.join(folder, 'ä.txt');
      expect(await append(toolkit, { path: 'ä.txt', content })).to.deep.equal({
        path: file,
        bytes_written: Buffer.byteLength(content),
        size: Buffer.byteLength(before + content),
        created: false,
      });
      expect(await readFile(file, 'utf8')).to.equal(before + content);
    });
  }

  it('creates a file that is missing, unless create is false', async () => {
    const folder = await temporaryFolder();
    const toolkit = await coreToolkit({ roots: [folder] });
    const error = await rejection(append(toolkit, { path: 'neu.txt', content: 'a', create: false }), 'NOT_FOUND');
    expect(error.message).to.include('neu.txt').and.to.include('set create to true');
    expect(await readdir(folder)).to.deep.equal([]);
    expect(await append(toolkit, { path: 'neu.txt', content: 'a' })).to.include({ bytes_written: 1, size: 1, created: true });
    expect(await append(toolkit, { path: 'neu.txt', content: 'b', create: false })).to.include({ size: 2, created: false });
    expect(await readdir(folder)).to.deep.equal(['neu.txt']);
    expect(await readFile(path.join(folder, 'neu.txt'), 'utf8')).to.equal('ab');
  });

  it('keeps every text of many callers at once, also of those who find no file yet', async () => {
    const folder = await temporaryFolder();
    const toolkit = await coreToolkit({ roots: [folder] });
    const texts = Array.from({ length: 30 }, (_, index) => `${index} ${'x'.repeat(index * 500)}\n`);
    await Promise.all(texts.map((content) => append(toolkit, { path: 'log', content })));
    const lines = (await readFile(path.join(folder, 'log'), 'utf8')).split(/(?<=\n)/);
    expect(lines).to.have.members(texts);
    expect(await readdir(folder)).to.deep.equal(['log']);
  });

  it('adds to a file that does not fit into memory', async () => {
    const folder = await temporaryFolder();
    const file = await open(path.join(folder, 'huge.log'), 'w');
    await file.truncate(2 ** 40);
    await file.close();
    const toolkit = await coreToolkit({ roots: [folder] });
    expect(await append(toolkit, { path: 'huge.log', content: 'Ende' })).to.include({ size: 2 ** 40 + 4 });
  });

  it('adds to the new file when another one takes the place of the file meanwhile', async () => {
    const folder = await temporaryFolder({ 'a.txt': 'alt\n', new: 'neu\n' });
    const toolkit = await coreToolkit({ roots: [folder] });
    const prototype = await fileHandle(path.join(folder, 'a.txt'));
    const sync = sinon.stub(prototype, 'sync');
    sync.onFirstCall().callsFake(() => rename(path.join(folder, 'new'), path.join(folder, 'a.txt')));
    sync.callThrough();
    expect(await append(toolkit, { path: 'a.txt', content: 'Ende' })).to.include({ bytes_written: 4, size: 8 });
    expect(await readFile(path.join(folder, 'a.txt'), 'utf8')).to.equal('neu\nEnde');
  });

  it('takes back what was written when the rest does not fit on the device', async () => {
    const folder = await temporaryFolder({ 'a.txt': 'alt\n' });
    const toolkit = await coreToolkit({ roots: [folder] });
    const prototype = await fileHandle(path.join(folder, 'a.txt'));
    const write = prototype.write;
    const stub = sinon.stub(prototype, 'write');
    stub.onFirstCall().callsFake(function (this: unknown, bytes) {
      return write.call(this, bytes, 0, 3);
    });
    stub.onSecondCall().rejects(Object.assign(new Error('ENOSPC'), { code: 'ENOSPC' }));
    const error = await rejection(append(toolkit, { path: 'a.txt', content: 'viel mehr' }), 'EXECUTION_FAILED');
    expect(error.message).to.include('no space is left');
    expect(stub.callCount).to.equal(2);
    expect(await readFile(path.join(folder, 'a.txt'), 'utf8')).to.equal('alt\n');
  });

  it('keeps the mode, and writes the file behind a symbolic link', async () => {
    const folder = await temporaryFolder({ 'real.sh': 'a\n' });
    await chmod(path.join(folder, 'real.sh'), 0o751);
    await symlink('real.sh', path.join(folder, 'link'));
    const toolkit = await coreToolkit({ roots: [folder] });
    expect(await append(toolkit, { path: 'link', content: 'b\n' })).to.include({ path: path.join(folder, 'real.sh') });
    expect(await readlink(path.join(folder, 'link'))).to.equal('real.sh');
    expect((await stat(path.join(folder, 'real.sh'))).mode & 0o777).to.equal(0o751);
  });

  it('refuses what is no file, a folder that is missing, and links that lead to nothing or leave the root', async () => {
    const folder = await temporaryFolder({ 'a.txt': '' });
    await mkdir(path.join(folder, 'sub'));
    execFileSync('mkfifo', [path.join(folder, 'pipe')]);
    await symlink('nothing', path.join(folder, 'dangling'));
    await symlink('/etc/hostname', path.join(folder, 'out'));
    const toolkit = await coreToolkit({ roots: [folder] });
    const cases = [
      { name: 'sub', code: 'EXECUTION_FAILED', says: 'it is a folder' },
      { name: 'pipe', code: 'EXECUTION_FAILED', says: 'a pipe, a socket or a device' },
      { name: 'a.txt/b', code: 'EXECUTION_FAILED', says: 'a part of the path is a file' },
      { name: 'fehlt/b.txt', code: 'NOT_FOUND', says: 'fehlt/b.txt' },
      { name: 'dangling', code: 'EXECUTION_FAILED', says: 'symbolic link to something that does not exist' },
      { name: 'out', code: 'INVALID_PARAMETERS', says: 'expected a path inside' },
    ] as const;
    for (const { name, code, says } of cases) {
      expect((await rejection(append(toolkit, { path: name, content: 'x' }), code)).message).to.include(says);
    }
    expect(await readdir(folder)).to.have.members(['a.txt', 'sub', 'pipe', 'dangling', 'out']);
  });

  it('says when permission is denied', async () => {
    const folder = await temporaryFolder({ 'closed/read-only.txt': 'a' });
    await chmod(folder, 0o755);
    await chmod(path.join(folder, 'closed/read-only.txt'), 0o444);
    const toolkit = await coreToolkit({ roots: [folder] });
    await append(toolkit, { path: 'first.txt', content: '' });
    for (const name of ['closed/read-only.txt', 'closed/new.txt']) {
      const error = await asNobody(() => rejection(append(toolkit, { path: name, content: 'x' }), 'EXECUTION_FAILED'));
      expect(error.message).to.include('permission is denied');
    }
  });

  it('refuses half of a surrogate pair, and more than 16 MiB', async () => {
    const toolkit = await coreToolkit({ roots: [await temporaryFolder({ 'a.txt': '' })] });
    for (const content of ['half \uD83D', 'x'.repeat(16_777_217)]) {
      const error = await rejection(append(toolkit, { path: 'a.txt', content }), 'INVALID_PARAMETERS');
      expect(error.message).to.include('content');
    }
  });
});
