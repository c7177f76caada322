import { open, rename, rm, symlink } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import { isUnmoved } from '../../../../tools/core/fs/files/unmoved.ts';
import { temporaryFolder } from '../../../support/temporary.ts';

describe('an open file', () => {
  const fates = [
    { of: 'left alone', unmoved: true, change: async () => {} },
    { of: 'moved away', unmoved: false, change: (folder: string) => rename(path.join(folder, 'sub/a'), path.join(folder, 'sub/b')) },
    {
      of: 'in a folder that a link has taken the place of',
      unmoved: false,
      change: async (folder: string) => {
        await rename(path.join(folder, 'sub'), path.join(folder, 'other'));
        await symlink('other', path.join(folder, 'sub'));
      },
    },
  ];
  for (const { of, unmoved, change } of fates) {
    it(`is ${unmoved ? 'at' : 'not at'} its path when it was ${of}`, async () => {
      const folder = await temporaryFolder({ 'sub/a': '' });
      const file = await open(path.join(folder, 'sub/a'));
      await change(folder);
      expect(isUnmoved(file.fd, path.join(folder, 'sub/a'))).to.equal(unmoved);
      await file.close();
    });
  }

  // Elsewhere nobody can tell where a removed file was.
  if (process.platform === 'linux') {
    for (const { of, change } of [
      { of: 'replaced', change: (folder: string) => rename(path.join(folder, 'new'), path.join(folder, 'a')) },
      { of: 'removed', change: (folder: string) => rm(path.join(folder, 'a')) },
    ]) {
      it(`was at its path when it was ${of} since`, async () => {
        const folder = await temporaryFolder({ a: 'old', new: 'new' });
        const file = await open(path.join(folder, 'a'));
        await change(folder);
        expect(isUnmoved(file.fd, path.join(folder, 'a'))).to.equal(true);
        await file.close();
      });
    }
  }
});
