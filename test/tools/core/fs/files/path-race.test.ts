import { open, readdir, rename, rm, symlink } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import { isStillAt, refuseMoved } from '../../../../../tools/core/fs/files/path-race.ts';
import { temporaryFolder } from '../../../../support/temporary.ts';

describe('an open file', () => {
  const fates = [
    { of: 'left alone', isInPlace: true, change: async () => {} },
    { of: 'moved away', isInPlace: false, change: (folder: string) => rename(path.join(folder, 'sub/a'), path.join(folder, 'sub/b')) },
    {
      of: 'in a folder that a link has taken the place of',
      isInPlace: false,
      change: async (folder: string) => {
        await rename(path.join(folder, 'sub'), path.join(folder, 'other'));
        await symlink('other', path.join(folder, 'sub'));
      },
    },
  ];
  for (const { of, isInPlace, change } of fates) {
    it(`is ${isInPlace ? 'at' : 'not at'} its path when it was ${of}`, async () => {
      const folder = await temporaryFolder({ 'sub/a': '' });
      const file = await open(path.join(folder, 'sub/a'));
      await change(folder);
      expect(isStillAt(file.fd, path.join(folder, 'sub/a'))).to.equal(isInPlace);
      await file.close();
    });
  }

  it('that was just made at its path is kept', async () => {
    const folder = await temporaryFolder();
    const file = await open(path.join(folder, 'made'), 'wx');
    await refuseMoved(file.fd, path.join(folder, 'made'));
    await file.close();
    expect(await readdir(folder)).to.deep.equal(['made']);
  });

  // Elsewhere nobody can tell where a removed file was.
  if (process.platform === 'linux') {
    it('that was made through a link is removed, also where the link is gone again', async () => {
      const folder = await temporaryFolder({ 'sub/a': '', 'outside/b': '' });
      const [sub, aside, made] = ['sub', 'aside', 'sub/made'].map((name) => path.join(folder, name)) as [string, string, string];
      await rename(sub, aside);
      await symlink('outside', sub);
      const file = await open(made, 'wx');
      await rm(sub);
      await rename(aside, sub);
      const error = await refuseMoved(file.fd, made).catch((thrown: unknown) => thrown);
      await file.close();
      expect(error).to.include({ code: 'ELOOP' });
      expect([await readdir(sub), await readdir(path.join(folder, 'outside'))]).to.deep.equal([['a'], ['b']]);
    });

    for (const { of, change } of [
      { of: 'replaced', change: (folder: string) => rename(path.join(folder, 'new'), path.join(folder, 'a')) },
      { of: 'removed', change: (folder: string) => rm(path.join(folder, 'a')) },
    ]) {
      it(`was at its path when it was ${of} since`, async () => {
        const folder = await temporaryFolder({ a: 'old', new: 'new' });
        const file = await open(path.join(folder, 'a'));
        await change(folder);
        expect(isStillAt(file.fd, path.join(folder, 'a'))).to.equal(true);
        await file.close();
      });
    }
  }
});
