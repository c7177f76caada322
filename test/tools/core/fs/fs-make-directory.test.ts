import { mkdir, readdir, symlink } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import { coreGroup } from '../../../support/core-group.ts';
import { rejection } from '../../../support/rejection.ts';
import { temporaryFolder } from '../../../support/temporary.ts';

const { coreToolkit } = coreGroup('fs');

describe('fs_make_directory', () => {
  it('creates a folder with the folders above it', async () => {
    const folder = await temporaryFolder();
    const toolkit = await coreToolkit({ roots: [folder] });
    const place = path.join(folder, 'größe/a b/c');
    expect(await toolkit.execute('fs_make_directory', { path: 'größe/a b/c' })).to.deep.equal({ path: place, created: true });
    expect(await toolkit.execute('fs_make_directory', { path: 'größe/a b/c' })).to.deep.equal({ path: place, created: false });
    expect(await readdir(place)).to.deep.equal([]);
  });

  it('creates only the last folder without recursive', async () => {
    const folder = await temporaryFolder();
    const toolkit = await coreToolkit({ roots: [folder] });
    const error = await rejection(toolkit.execute('fs_make_directory', { path: 'a/b', recursive: false }), 'NOT_FOUND');
    expect(error.message).to.include('the folder above it does not exist').and.to.include('recursive to true');
    expect(await toolkit.execute('fs_make_directory', { path: 'a', recursive: false })).to.include({ created: true });
    expect(await toolkit.execute('fs_make_directory', { path: 'a/b', recursive: false })).to.include({ created: true });
  });

  it('lets many callers create the same folders', async () => {
    const folder = await temporaryFolder();
    const toolkit = await coreToolkit({ roots: [folder] });
    const calls = Array.from({ length: 20 }, () => toolkit.execute('fs_make_directory', { path: 'a/b/c' }));
    const outputs = (await Promise.all(calls)) as { created: boolean }[];
    expect(outputs.filter(({ created }) => created)).to.have.length.greaterThan(0);
    expect(await readdir(path.join(folder, 'a/b'))).to.deep.equal(['c']);
  });

  it('refuses a place where no folder can be, and says why', async () => {
    const base = await temporaryFolder({ 'root/file': '' });
    const root = path.join(base, 'root');
    await symlink('nothing', path.join(root, 'dangling'));
    await symlink('..', path.join(root, 'leaving'));
    await mkdir(path.join(root, 'sub'));
    const toolkit = await coreToolkit({ roots: [root] });
    const cases = [
      { place: 'file', code: 'EXECUTION_FAILED', says: 'is a file, and a folder is to be there' },
      { place: 'file/sub', code: 'EXECUTION_FAILED', says: 'a part of the path is a file' },
      { place: 'dangling', code: 'EXECUTION_FAILED', says: 'symbolic link to something that does not exist' },
      { place: 'leaving/new', code: 'INVALID_PARAMETERS', says: 'expected a path inside' },
      { place: '../new', code: 'INVALID_PARAMETERS', says: 'expected a path inside' },
      { place: `sub/${'x'.repeat(300)}`, code: 'INVALID_PARAMETERS', says: 'ENAMETOOLONG' },
    ] as const;
    for (const { place, code, says } of cases) {
      expect((await rejection(toolkit.execute('fs_make_directory', { path: place }), code)).message, place).to.include(says);
    }
    expect(await readdir(base)).to.deep.equal(['root']);
  });
});
