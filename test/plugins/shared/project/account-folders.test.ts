import os from 'node:os';
import path from 'node:path';
import { expect } from 'chai';
import sinon from 'sinon';
import { cacheFolder, homeFolder } from '../../../../plugins/shared/project/account-folders.ts';

describe('the folders of an account', () => {
  afterEach(() => sinon.restore());

  it('are below the root for one that has no home, which is no reason to fail', () => {
    sinon.stub(os, 'homedir').throws(new Error('uv_os_homedir returned ENOENT'));
    expect(homeFolder({})).to.equal(path.parse(process.cwd()).root);
    expect(cacheFolder({})).to.match(/^[/A-Z].*toolkit/);
  });
});
