import { randomBytes } from 'node:crypto';
import { type FileHandle, open, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { buffer } from 'node:stream/consumers';
import { expect } from 'chai';
import sinon from 'sinon';
import { ZipFile } from 'yazl';
import { zipMembers } from '../../../../tools/core/archive/zip-members.ts';
import { temporaryFolder } from '../../../support/temporary.ts';

const blockBytes = 65_536;

describe('a zip file', () => {
  let file: FileHandle | undefined;
  afterEach(() => file?.close());

  async function zipOf(contents: Readonly<Record<string, Buffer>>, compress: boolean): Promise<{ file: FileHandle; bytes: number }> {
    const zip = new ZipFile();
    for (const [name, content] of Object.entries(contents)) zip.addBuffer(content, name, { compress });
    zip.end();
    const archive = await buffer(zip.outputStream);
    const place = path.join(await temporaryFolder(), 'a.zip');
    await writeFile(place, archive);
    file = await open(place);
    return { file, bytes: archive.length };
  }

  it('of many entries is read a block at a time', async () => {
    const names = Array.from({ length: 3000 }, (_, index) => `${index}.txt`);
    const zip = await zipOf(Object.fromEntries(names.map((name) => [name, Buffer.from(name)])), false);
    const read = sinon.spy(zip.file, 'read');
    const found: string[] = [];
    for await (const member of zipMembers(zip.file)) found.push(`${member.path}: ${await buffer(await member.open())}`);
    expect(found).to.deep.equal(names.map((name) => `${name}: ${name}`));
    expect(read.callCount).to.be.at.most(Math.ceil(zip.bytes / blockBytes) + 2);
  });

  for (const compress of [false, true]) {
    it(`gives ${compress ? 'compressed' : 'stored'} contents as they are, on both sides of the end of a block and larger than one`, async () => {
      const sizes = [0, 1, 1000, blockBytes - 1000, blockBytes - 1, blockBytes, blockBytes + 1, 3 * blockBytes];
      const contents = Object.fromEntries(sizes.map((size) => [`${size}`, randomBytes(size)]));
      const zip = await zipOf(contents, compress);
      const found: Record<string, Buffer> = {};
      for await (const member of zipMembers(zip.file)) found[member.path] = await buffer(await member.open());
      expect(found).to.deep.equal(contents);
    });
  }
});
