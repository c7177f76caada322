import { execFileSync } from 'node:child_process';
import { chmod, mkdir, open, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import type { Toolkit } from '../../../../plugins/toolkit/index.ts';
import { coreGroup } from '../../../support/core-group.ts';
import { rejection } from '../../../support/rejection.ts';
import { temporaryFolder } from '../../../support/temporary.ts';
import { asNobody } from './as-nobody.ts';

const { coreToolkit } = coreGroup('fs');

interface Part {
  readonly content: string;
  readonly size: number;
  readonly truncated: boolean;
  readonly next_offset?: number;
}

const read = (toolkit: Toolkit, parameters: Record<string, unknown>): Promise<Part> =>
  toolkit.execute('fs_read_file', parameters) as unknown as Promise<Part>;

describe('fs_read_file', () => {
  const contents = [
    { of: 'text', bytes: Buffer.from('Grüße, 世界 👋\r\n'), encoding: 'utf8', content: 'Grüße, 世界 👋\r\n' },
    { of: 'an empty file', bytes: Buffer.alloc(0), encoding: 'utf8', content: '' },
    { of: 'text with a byte order mark', bytes: Buffer.from([0xef, 0xbb, 0xbf, 0x61]), encoding: 'utf8', content: 'a' },
    { of: 'text in an old encoding', bytes: Buffer.from([0x47, 0x72, 0xfc, 0xdf, 0x65]), encoding: 'latin1', content: 'Grüße' },
    { of: 'bytes', bytes: Buffer.from([0, 0xff, 0x10, 0x80]), encoding: 'base64', content: 'AP8QgA==' },
  ];
  for (const { of, bytes, encoding, content } of contents) {
    it(`gives ${of} as ${encoding}`, async () => {
      const folder = await temporaryFolder();
      await writeFile(path.join(folder, 'Datei ä.bin'), bytes);
      const toolkit = await coreToolkit({ roots: [folder] });
      const output = await read(toolkit, { path: 'Datei ä.bin', encoding });
      expect(output).to.deep.equal({ content, encoding, size: bytes.length, truncated: false });
    });
  }

  it('reads utf8 by default, and a megabyte at most', async () => {
    const folder = await temporaryFolder({ 'long.txt': 'x'.repeat(1_048_577) });
    const toolkit = await coreToolkit({ roots: [folder] });
    const output = await read(toolkit, { path: 'long.txt' });
    expect(output).to.include({ encoding: 'utf8', size: 1_048_577, truncated: true, next_offset: 1_048_576 });
    expect(output.content).to.have.length(1_048_576);
  });

  for (const max_bytes of [1, 2, 3, 4, 5, 7, 100]) {
    it(`cuts no character in half when read in parts of ${max_bytes} bytes`, async () => {
      const text = 'aäß€ 👋🏽 e\u0301 日本語 z';
      const folder = await temporaryFolder({ 'text.txt': text });
      const toolkit = await coreToolkit({ roots: [folder] });
      const parts: string[] = [];
      let offset: number | undefined = 0;
      while (offset !== undefined) {
        const part: Part = await read(toolkit, { path: 'text.txt', offset, max_bytes });
        expect(part.content).to.not.include('\uFFFD');
        expect(Buffer.byteLength(part.content)).to.be.at.most(Math.max(max_bytes, 4));
        expect(part.truncated).to.equal(part.next_offset !== undefined);
        parts.push(part.content);
        offset = part.next_offset;
      }
      expect(parts.join('')).to.equal(text);
    });
  }

  it('starts at the next character when the offset is inside one', async () => {
    const folder = await temporaryFolder({ 'text.txt': '👋ab' });
    const toolkit = await coreToolkit({ roots: [folder] });
    for (const offset of [1, 2, 3, 4]) expect(await read(toolkit, { path: 'text.txt', offset })).to.include({ content: 'ab' });
  });

  it('gives nothing from the end of the file on', async () => {
    const folder = await temporaryFolder({ 'text.txt': 'abc' });
    const toolkit = await coreToolkit({ roots: [folder] });
    for (const offset of [3, 4000]) {
      const output = await read(toolkit, { path: 'text.txt', offset });
      expect(output).to.deep.equal({ content: '', encoding: 'utf8', size: 3, truncated: false });
    }
  });

  it('reads the end of a file that does not fit into memory', async () => {
    const folder = await temporaryFolder();
    const size = 2 ** 40;
    const file = await open(path.join(folder, 'huge.log'), 'w');
    await file.truncate(size - 4);
    await file.write(Buffer.from('Ende'), 0, 4, size - 4);
    await file.close();
    const toolkit = await coreToolkit({ roots: [folder] });
    const output = await read(toolkit, { path: 'huge.log', offset: size - 4 });
    expect(output).to.deep.equal({ content: 'Ende', encoding: 'utf8', size, truncated: false });
  });

  const pictures = [
    { name: 'a.png', mimeType: 'image/png', hex: '89504e470d0a1a0a0000000d49484452' },
    { name: 'a.jpg', mimeType: 'image/jpeg', hex: 'ffd8ffe000104a464946' },
    { name: 'a.gif', mimeType: 'image/gif', hex: '4749463839610100010000ff002c' },
    { name: 'without-extension', mimeType: 'image/webp', hex: '524946461a000000574542505650384c' },
  ];
  for (const { name, mimeType, hex } of pictures) {
    it(`shows ${mimeType} as an image as well`, async () => {
      const folder = await temporaryFolder();
      await writeFile(path.join(folder, name), Buffer.from(hex, 'hex'));
      const toolkit = await coreToolkit({ roots: [folder] });
      const data = Buffer.from(hex, 'hex').toString('base64');
      const whole = await toolkit.kernel.call({ tool: 'fs_read_file', parameters: { path: name, encoding: 'base64' } });
      expect(whole.output).to.include({ content: data, truncated: false });
      expect(whole.content).to.deep.equal([{ type: 'image', data, mimeType }]);
      for (const part of [{ max_bytes: 5 }, { offset: 1 }]) {
        const cut = await toolkit.kernel.call({ tool: 'fs_read_file', parameters: { path: name, encoding: 'base64', ...part } });
        expect(cut.content).to.equal(undefined);
      }
    });
  }

  const unreadable = [
    { of: 'a null byte', bytes: [0x61, 0, 0x62], says: /binary file.*"base64"/ },
    { of: 'a byte that UTF-8 does not have', bytes: [0x47, 0x72, 0xfc, 0xdf, 0x65], says: /not valid UTF-8.*"latin1".*"base64"/ },
    { of: 'half a character at its end', bytes: [0x61, 0xe2, 0x82], says: /not valid UTF-8/ },
    { of: 'nothing but the middles of characters', bytes: Array(50).fill(0x80), says: /not valid UTF-8/ },
  ];
  for (const { of, bytes, says } of unreadable) {
    it(`refuses to read a file with ${of} as utf8`, async () => {
      const folder = await temporaryFolder();
      await writeFile(path.join(folder, 'a.dat'), Buffer.from(bytes));
      const toolkit = await coreToolkit({ roots: [folder] });
      const error = await rejection(read(toolkit, { path: 'a.dat', max_bytes: 20 }), 'EXECUTION_FAILED');
      expect(error.message).to.match(says).and.to.include('a.dat');
    });
  }

  it('says that a file does not exist and how to find the right one', async () => {
    const toolkit = await coreToolkit({ roots: [await temporaryFolder()] });
    const error = await rejection(read(toolkit, { path: 'fehlt/ö.txt' }), 'NOT_FOUND');
    expect(error.message).to.include('fehlt/ö.txt').and.to.include('fs_tree');
  });

  it('refuses what is not a file, and says what it is', async () => {
    const folder = await temporaryFolder({ 'a.txt': '' });
    await mkdir(path.join(folder, 'sub'));
    execFileSync('mkfifo', [path.join(folder, 'pipe')]);
    const toolkit = await coreToolkit({ roots: [folder] });
    for (const [name, says] of [
      ['sub', /it is a folder.*fs_tree/],
      ['pipe', /a pipe, a socket or a device/],
      ['a.txt/b', /a part of the path is a file/],
    ] as const) {
      const error = await rejection(read(toolkit, { path: name }), 'EXECUTION_FAILED');
      expect(error.message).to.match(says);
    }
  });

  it('says when permission is denied', async () => {
    const folder = await temporaryFolder({ 'open.txt': 'a', 'closed.txt': 'b' });
    await chmod(folder, 0o755);
    await chmod(path.join(folder, 'closed.txt'), 0);
    const toolkit = await coreToolkit({ roots: [folder] });
    await read(toolkit, { path: 'open.txt' });
    const error = await asNobody(() => rejection(read(toolkit, { path: 'closed.txt' }), 'EXECUTION_FAILED'));
    expect(error.message).to.include('permission is denied');
    expect(error.details).to.include({ errno: 'EACCES' });
  });

  it('follows a symbolic link inside the root and refuses one that leaves it', async () => {
    const outside = await temporaryFolder({ 'secret.txt': 'geheim' });
    const folder = await temporaryFolder({ 'real.txt': 'echt' });
    await symlink('real.txt', path.join(folder, 'inside'));
    await symlink(path.join(outside, 'secret.txt'), path.join(folder, 'outside'));
    const toolkit = await coreToolkit({ roots: [folder] });
    expect(await read(toolkit, { path: 'inside' })).to.include({ content: 'echt' });
    await rejection(read(toolkit, { path: 'outside' }), 'INVALID_PARAMETERS');
  });

  for (const parameters of [{ offset: -1 }, { max_bytes: 0 }, { max_bytes: 16_777_217 }, { encoding: 'utf16' }]) {
    it(`refuses ${JSON.stringify(parameters)}`, async () => {
      const toolkit = await coreToolkit({ roots: [await temporaryFolder({ 'a.txt': '' })] });
      await rejection(read(toolkit, { path: 'a.txt', ...parameters }), 'INVALID_PARAMETERS');
    });
  }
});
