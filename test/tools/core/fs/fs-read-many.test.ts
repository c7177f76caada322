import { mkdir, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import type { Toolkit } from '../../../../plugins/toolkit/index.ts';
import { coreGroup } from '../../../support/core-group.ts';
import { rejection } from '../../../support/rejection.ts';
import { temporaryFolder } from '../../../support/temporary.ts';

const { coreToolkit } = coreGroup('fs');

interface File {
  readonly path: string;
  readonly content?: string;
  readonly error?: string;
  readonly truncated?: boolean;
  readonly next_offset?: number;
}

async function readMany(toolkit: Toolkit, paths: readonly string[], more: Record<string, unknown> = {}): Promise<readonly File[]> {
  const { files } = (await toolkit.execute('fs_read_many', { paths, ...more })) as unknown as { files: readonly File[] };
  return files;
}

describe('fs_read_many', () => {
  it('gives the files in the order of the paths, also twice, with their real paths', async () => {
    const folder = await temporaryFolder({ 'b/ä.txt': 'Grüße 👋\r\n', 'leer.txt': '' });
    await symlink('b/ä.txt', path.join(folder, 'link'));
    const toolkit = await coreToolkit({ roots: [folder] });
    const file = { path: path.join(folder, 'b/ä.txt'), content: 'Grüße 👋\r\n', size: 14, truncated: false };
    const empty = { path: path.join(folder, 'leer.txt'), content: '', size: 0, truncated: false };
    expect(await readMany(toolkit, ['link', 'leer.txt', 'b/ä.txt'])).to.deep.equal([file, empty, file]);
  });

  it('says for each file that cannot be read what is wrong with it, and reads the others', async () => {
    const folder = await temporaryFolder({ 'a.txt': 'eins' });
    await mkdir(path.join(folder, 'sub'));
    await writeFile(path.join(folder, 'b.bin'), Buffer.from([0x61, 0]));
    await writeFile(path.join(folder, 'latin1.txt'), Buffer.from('Grüße', 'latin1'));
    const toolkit = await coreToolkit({ roots: [folder] });
    const files = await readMany(toolkit, ['fehlt', 'sub', 'b.bin', 'latin1.txt', 'a.txt']);
    expect(files.at(-1)).to.include({ content: 'eins' });
    const says = [/no such file.*fs_tree/, /it is a folder/, /binary file.*"base64"/, /not valid UTF-8.*"latin1"/];
    for (const [index, pattern] of says.entries()) {
      expect(files[index]?.error).to.match(pattern);
      expect(files[index]).to.have.all.keys('path', 'error');
    }
  });

  it('cuts each file at max_bytes, no character in half, and tells where fs_read_file goes on', async () => {
    const folder = await temporaryFolder({ 'a.txt': 'aaä€', 'b.txt': 'bbb' });
    const toolkit = await coreToolkit({ roots: [folder] });
    const [a, b] = await readMany(toolkit, ['a.txt', 'b.txt'], { max_bytes: 3 });
    expect(a).to.include({ content: 'aa', size: 7, truncated: true, next_offset: 2 });
    expect(b).to.deep.include({ content: 'bbb', truncated: false });
    const rest = await toolkit.execute('fs_read_file', { path: 'a.txt', offset: a?.next_offset });
    expect(rest).to.include({ content: 'ä€' });
  });

  it('gives a quarter of a mebibyte of each by default, and four mebibytes in all', async () => {
    const folder = await temporaryFolder({ 'a.txt': 'x'.repeat(1_048_577), 'b.txt': 'y' });
    const toolkit = await coreToolkit({ roots: [folder] });
    expect((await readMany(toolkit, ['a.txt']))[0]?.content).to.have.length(262_144);
    const files = await readMany(toolkit, ['a.txt', 'a.txt', 'a.txt', 'a.txt', 'b.txt'], { max_bytes: 1_048_576 });
    expect(files.slice(0, 4).map(({ content }) => content?.length)).to.deep.equal(Array(4).fill(1_048_576));
    expect(files[4]?.error).to.include('another call');
  });

  it('reads nothing when one path leaves the roots', async () => {
    const outside = await temporaryFolder({ 'a.txt': 'geheim' });
    const folder = await temporaryFolder({ 'a.txt': 'eins' });
    const toolkit = await coreToolkit({ roots: [folder] });
    const error = await rejection(readMany(toolkit, ['a.txt', path.join(outside, 'a.txt')]), 'INVALID_PARAMETERS');
    expect(error.message).to.include('paths[1]');
  });

  for (const parameters of [{ paths: [] }, { paths: Array(101).fill('a.txt') }, { max_bytes: 0 }, { max_bytes: 1_048_577 }]) {
    it(`refuses ${Object.keys(parameters)[0]} ${JSON.stringify(parameters).slice(0, 40)}`, async () => {
      const toolkit = await coreToolkit({ roots: [await temporaryFolder({ 'a.txt': '' })] });
      await rejection(readMany(toolkit, ['a.txt'], parameters), 'INVALID_PARAMETERS');
    });
  }
});
