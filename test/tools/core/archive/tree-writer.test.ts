import { readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import { BadArchive } from '../../../../tools/core/archive/bad-archive.ts';
import { TreeWriter } from '../../../../tools/core/archive/tree-writer.ts';
import { temporaryFolder } from '../../../support/temporary.ts';

const facts = { mode: undefined, modifiedAt: undefined };

async function* content(text: string): AsyncGenerator<Buffer> {
  yield Buffer.from(text);
}

describe('the writer of extracted entries', () => {
  /** As on a file system where `README` and `readme` are one: something is there of which the writer does not know. */
  const cases = [
    { name: 'a file', add: (writer: TreeWriter) => writer.addFile(['taken'], facts, content('x')) },
    { name: 'a folder', add: (writer: TreeWriter) => writer.addFolder(['taken'], facts) },
    { name: 'a folder above a file', add: (writer: TreeWriter) => writer.addFile(['taken', 'x'], facts, content('x')) },
    { name: 'a link', add: (writer: TreeWriter) => writer.addLink(['taken'], 'other').then(() => writer.finish()) },
    {
      name: 'a hard link',
      add: async (writer: TreeWriter) => {
        await writer.addFile(['other'], facts, content('x'));
        await writer.addSecondName(['taken'], ['other']);
      },
    },
  ];
  for (const { name, add } of cases) {
    it(`refuses ${name} where another entry is under a name that the file system takes for the same`, async () => {
      const folder = await temporaryFolder({ taken: 'first' });
      const writer = new TreeWriter(folder, { maxBytes: 100, onProgress: () => {} });
      const error: unknown = await add(writer).catch((thrown: unknown) => thrown);
      expect(error).to.be.instanceOf(BadArchive);
      expect((error as BadArchive).message).to.include('only in case or Unicode form');
    });
  }

  it('counts bytes while they come, and writes none over the limit', async () => {
    const folder = await temporaryFolder();
    const writer = new TreeWriter(folder, { maxBytes: 10, onProgress: () => {} });
    const endless = async function* (): AsyncGenerator<Buffer> {
      for (;;) yield Buffer.alloc(3);
    };
    const error: unknown = await writer.addFile(['bomb'], facts, endless()).catch((thrown: unknown) => thrown);
    expect((error as BadArchive).code).to.equal('OUTPUT_TOO_LARGE');
    expect(writer.bytes).to.equal(12);
  });

  it('writes nothing from the first entry on that may not be there, and counts the others all the same', async () => {
    const folder = await temporaryFolder();
    const held: string[] = [];
    const isHeld = (place: string): boolean => place.endsWith('.git') && held.push(place) > 0;
    const writer = new TreeWriter(folder, { maxBytes: 10, maxEntries: 5, isBlocked: isHeld, onProgress: () => {} });
    await writer.addFile(['a'], facts, content('x'));
    await writer.addFile(['b', '.git', 'x'], facts, content('x'));
    await writer.addFolder(['c', '.git'], facts);
    await writer.addLink(['d'], 'a');
    await writer.addSecondName(['e'], ['a']);
    expect([await readdir(folder), held]).to.deep.equal([['a'], ['b/.git', 'c/.git']]);
    const error: unknown = await writer.addFile(['f'], facts, content('x')).catch((thrown: unknown) => thrown);
    expect((error as BadArchive).code).to.equal('OUTPUT_TOO_LARGE');
  });

  const tooMany = [
    { name: 'files', add: (writer: TreeWriter, index: number) => writer.addFile([`${index}`], facts, content('x')) },
    { name: 'folders', add: (writer: TreeWriter, index: number) => writer.addFolder([`${index}`], facts) },
    { name: 'folders that are only implied', add: (writer: TreeWriter) => writer.addFile([...'abcd'], facts, content('x')) },
    { name: 'links', add: (writer: TreeWriter, index: number) => writer.addLink([`${index}`], 'a') },
  ];
  for (const { name, add } of tooMany) {
    it(`counts entries while they come, and refuses too many ${name}`, async () => {
      const writer = new TreeWriter(await temporaryFolder(), { maxBytes: 100, maxEntries: 3, onProgress: () => {} });
      const fill = async (): Promise<void> => {
        for (let index = 0; index < 4; index++) await add(writer, index);
      };
      const error: unknown = await fill().catch((thrown: unknown) => thrown);
      expect(error).to.be.instanceOf(BadArchive);
      expect((error as BadArchive).code).to.equal('OUTPUT_TOO_LARGE');
    });
  }

  it('does not mind folders that come twice, or after what is in them', async () => {
    const folder = await temporaryFolder();
    const writer = new TreeWriter(folder, { maxBytes: 10, onProgress: () => {} });
    await writer.addFile(['a', 'b'], facts, content('x'));
    await writer.addFolder(['a'], { mode: 0o700, modifiedAt: new Date(0) });
    await writer.addFolder(['a'], facts);
    await writer.addFolder([], facts);
    await writer.finish();
    expect(writer.listed).to.deep.equal(['a/b', 'a/', 'a/']);
    expect(await readdir(folder)).to.deep.equal(['a']);
    await writeFile(path.join(folder, 'a/c'), '');
  });
});
