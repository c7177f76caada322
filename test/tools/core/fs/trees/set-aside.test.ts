import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import { ControlFiles } from '../../../../../kernel/index.ts';
import { remove } from '../../../../../tools/core/fs/trees/delete.ts';
import { setAside } from '../../../../../tools/core/fs/trees/set-aside.ts';
import { rejection } from '../../../../support/rejection.ts';
import { temporaryFolder } from '../../../../support/temporary.ts';

describe('what is set aside', () => {
  it('lies in a private folder beside its path, which is gone afterwards', async () => {
    const folder = await temporaryFolder({ 'd/a.txt': 'a' });
    const place = await setAside(path.join(folder, 'd'), async (aside) => {
      expect(existsSync(path.join(folder, 'd'))).to.equal(false);
      expect(await readFile(path.join(aside, 'a.txt'), 'utf8')).to.equal('a');
      await rm(aside, { recursive: true });
      return aside;
    });
    expect(path.relative(folder, place)).to.match(/^\.toolkit-[\w-]+\.tmp[\\/]d$/);
    expect(await readdir(folder)).to.deep.equal([]);
  });

  it('is put back with all that the work has left, and errors name its path', async () => {
    const folder = await temporaryFolder({ 'd/a.txt': 'a', 'd/b.txt': 'b' });
    const failing = setAside(path.join(folder, 'd'), async (aside) => {
      await rm(path.join(aside, 'a.txt'));
      await readFile(path.join(aside, 'nothing'));
    });
    const error = (await failing.catch((thrown: unknown) => thrown)) as NodeJS.ErrnoException;
    expect(error.path).to.equal(path.join(folder, 'd/nothing'));
    expect(await readdir(folder)).to.deep.equal(['d']);
    expect(await readdir(path.join(folder, 'd'))).to.deep.equal(['b.txt']);
  });

  it('stays aside where something has come to its path, and the error says where', async () => {
    const folder = await temporaryFolder({ 'd/a.txt': 'a' });
    const error = await rejection(
      setAside(path.join(folder, 'd'), () => mkdir(path.join(folder, 'd'))),
      'EXECUTION_FAILED',
    );
    const { file } = error.details as { file?: string };
    expect(error.message).to.include('Another process has created').and.include('is now at');
    expect(await readdir(file ?? '')).to.deep.equal(['a.txt']);
  });

  it('is the thing that was there at that moment, whatever takes its place', async () => {
    const folder = await temporaryFolder({ 'd/a.txt': 'a', 'e/b.txt': 'b' });
    await setAside(path.join(folder, 'd'), async (aside) => {
      await rename(path.join(folder, 'e'), path.join(folder, 'd'));
      expect(await readdir(aside)).to.deep.equal(['a.txt']);
      await rm(aside, { recursive: true });
    });
    expect(await readdir(path.join(folder, 'd'))).to.deep.equal(['b.txt']);
  });

  it('is a file as well', async () => {
    const folder = await temporaryFolder();
    await writeFile(path.join(folder, 'a.txt'), 'a');
    await setAside(path.join(folder, 'a.txt'), (aside) => rm(aside));
    expect(await readdir(folder)).to.deep.equal([]);
  });
});

describe('fs_delete of an approved call', () => {
  it('puts back what is not the approved thing, and says so', async () => {
    const root = await temporaryFolder({ 'd/a.txt': 'a' });
    const context = {
      controlFiles: new ControlFiles([]),
      signal: new AbortController().signal,
      progress: () => {},
      identity: { files: { d: { shown: 'folder 1 of 1 entry, 1 bytes', state: '1:1 other' } } },
    };
    const error = await rejection(
      remove({ path: path.join(root, 'd'), recursive: true, root }, context as unknown as Parameters<typeof remove>[1]),
      'APPROVAL_DENIED',
    );
    expect(error.message).to.include('it is not what was approved (folder 1 of 1 entry, 1 bytes)');
    expect(await readdir(root)).to.deep.equal(['d']);
    expect(await readFile(path.join(root, 'd/a.txt'), 'utf8')).to.equal('a');
  });
});
