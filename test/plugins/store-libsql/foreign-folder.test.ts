import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import path from 'node:path';
import { expect } from 'chai';
import sinon from 'sinon';
import { rejection } from '../../support/rejection.ts';
import { storeInFile } from '../../support/shared-state.ts';
import { temporaryFolder } from '../../support/temporary.ts';

/** Types that `statfs` returns for file systems that several machines may share. */
const shared = {
  NFS: 0x6969,
  CIFS: 0xff53_4d42,
  SMB2: 0xfe53_4d42,
  FUSE: 0x6573_5546,
  '9P': 0x0102_1997,
  Ceph: 0x00c3_6400,
  GFS2: 0x0116_1970,
};

describe('the store in a file on a file system that other machines may share', () => {
  afterEach(() => {
    sinon.restore();
    syncBuiltinESMExports();
  });

  for (const [name, type] of Object.entries(shared))
    it(`makes known no process, and says why: ${name}`, async () => {
      const folder = await temporaryFolder();
      sinon.stub(fs, 'statfsSync').callsFake(() => ({ type }) as never);
      syncBuiltinESMExports();
      const store = storeInFile(path.join(folder, 'state.db'));
      try {
        const error = await rejection(store.join().enter(), 'PLUGIN_INVALID');
        expect(error.message)
          .to.include(`type 0x${type.toString(16)}`)
          .and.to.include('Put the store on a disk of this machine');
      } finally {
        await store.close();
      }
    });
});
