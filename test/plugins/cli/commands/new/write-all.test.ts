import { readdir, readFile, symlink } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import { writeAll } from '../../../../../plugins/cli/commands/new/write-all.ts';
import { rejection } from '../../../../support/rejection.ts';
import { temporaryFolder } from '../../../../support/temporary.ts';

const calm = new AbortController().signal;

const under = async (folder: string): Promise<readonly string[]> => (await readdir(folder, { recursive: true })).sort();

describe('files that are written together', () => {
  it('are all there, in folders that are made for them, and nothing else is', async () => {
    const folder = await temporaryFolder({ 'a/old.txt': 'old' });
    const files = ['a/new.txt', 'a/b/c/deep.txt', 'top.txt'].map((name) => ({ file: path.join(folder, name), text: name }));
    await writeAll(files, calm);
    expect(await under(folder)).to.deep.equal(['a', 'a/b', 'a/b/c', 'a/b/c/deep.txt', 'a/new.txt', 'a/old.txt', 'top.txt']);
    for (const { file, text } of files) expect(await readFile(file, 'utf8')).to.equal(text);
  });

  it('are not written at all when one of them is there already', async () => {
    const folder = await temporaryFolder({ 'b.txt': 'mine' });
    const files = ['new/a.txt', 'b.txt'].map((name) => ({ file: path.join(folder, name), text: 'other' }));
    const error = await rejection(writeAll(files, calm), 'EXECUTION_FAILED');
    expect(error.message).to.include('b.txt is there already').and.to.include('Nothing was written');
    expect(await under(folder)).to.deep.equal(['b.txt']);
    expect(await readFile(path.join(folder, 'b.txt'), 'utf8')).to.equal('mine');
  });

  it('do not go through a link that leads nowhere', async () => {
    const folder = await temporaryFolder();
    await symlink(path.join(folder, 'elsewhere.txt'), path.join(folder, 'a.txt'));
    const error = await rejection(writeAll([{ file: path.join(folder, 'a.txt'), text: 'x' }], calm), 'EXECUTION_FAILED');
    expect(error.message).to.include('a.txt is there already');
    expect(await under(folder)).to.deep.equal(['a.txt']);
  });

  it('are taken back, with their folders, when one of them cannot be written', async () => {
    const folder = await temporaryFolder({ 'b/keep.txt': 'mine' });
    // A file where a folder is needed.
    const files = ['a/a.txt', 'b/keep.txt/c.txt'].map((name) => ({ file: path.join(folder, name), text: 'x' }));
    const error = await rejection(writeAll(files, calm), 'EXECUTION_FAILED');
    expect(error.message).to.include('Nothing was written');
    expect(await under(folder)).to.deep.equal(['b', 'b/keep.txt']);
  });

  const refused = [
    { title: 'a file stands where a folder is needed', place: (folder: string) => path.join(folder, 'b.txt'), says: 'b.txt is no folder' },
    { title: 'the system makes no folder there', place: () => '/proc/self/fdinfo', says: 'another folder with --into' },
  ];
  for (const { title, place, says } of refused) {
    it(`are refused, and this ends, where ${title}`, async () => {
      const folder = await temporaryFolder({ 'b.txt': 'mine' });
      const error = await rejection(writeAll([{ file: path.join(place(folder), 'new', 'c.txt'), text: 'x' }], calm), 'EXECUTION_FAILED');
      expect(error.message).to.include(says);
      expect(await under(folder)).to.deep.equal(['b.txt']);
    });
  }

  it('leave nothing when they are cancelled', async () => {
    const folder = await temporaryFolder();
    const files = ['a/a.txt', 'a/b/b.txt'].map((name) => ({ file: path.join(folder, 'new', name), text: 'x' }));
    const error = await rejection(writeAll(files, AbortSignal.abort()), 'ABORTED');
    expect(error.message).to.include('Nothing was written');
    expect(await under(folder)).to.deep.equal([]);
  });
});
