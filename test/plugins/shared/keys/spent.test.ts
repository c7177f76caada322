import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import { UsedTokenFolder } from '../../../../plugins/shared/keys/used-token-folder.ts';
import { UsedTokenMemory } from '../../../../plugins/shared/keys/used-tokens.ts';
import { temporaryFolder } from '../../../support/temporary.ts';

describe('the memory of used tokens', () => {
  it('forgets a nonce when it has expired', () => {
    const spent = new UsedTokenMemory();
    for (const nonce of ['a', 'b', 'c']) spent.consume(nonce, 10, 0);
    expect(spent.size).to.equal(3);
    expect(spent.consume('d', 20, 10)).to.equal(undefined);
    expect(spent.size).to.equal(1);
  });

  it('refuses more than it can hold, and takes them when others have expired', () => {
    const spent = new UsedTokenMemory(2);
    expect([spent.consume('a', 10, 0), spent.consume('b', 20, 0), spent.consume('c', 20, 0)]).to.deep.equal([undefined, undefined, 'full']);
    expect([spent.consume('a', 10, 0), spent.size]).to.deep.equal(['used', 2]);
    expect([spent.consume('c', 20, 10), spent.size]).to.deep.equal([undefined, 2]);
  });
});

describe('the folder of used tokens', () => {
  const spentIn = async (most?: number): Promise<{ spent: UsedTokenFolder; folder: string }> => {
    const folder = path.join(await temporaryFolder(), 'used');
    return { spent: new UsedTokenFolder(folder, most), folder };
  };

  it('is shared by all that use it, also by those that start later', async () => {
    const { folder, spent } = await spentIn();
    expect([spent.consume('aa', 10, 0), new UsedTokenFolder(folder).consume('aa', 10, 0), spent.consume('bb', 10, 0)]).to.deep.equal([
      undefined,
      'used',
      undefined,
    ]);
    expect([spent.has('aa', 10), new UsedTokenFolder(folder).has('aa', 10), spent.has('cc', 10)]).to.deep.equal([true, true, false]);
  });

  it('opens where something stands under the number of this process, which another one may have in a container', async () => {
    const { folder } = await spentIn();
    await mkdir(path.join(folder, `probe-${process.pid}`));
    expect(new UsedTokenFolder(folder).consume('aa', 10, 0)).to.equal(undefined);
  });

  it('has one name for all who use it, and for no other', async () => {
    const { folder, spent } = await spentIn();
    expect(new UsedTokenFolder(folder).id)
      .to.equal(spent.id)
      .and.to.match(/^[0-9a-f]{32}$/);
    expect((await spentIn()).spent.id).to.not.equal(spent.id);
  });

  it('is open to its account alone', async () => {
    const { folder, spent } = await spentIn();
    spent.consume('aa', 10, 0);
    const files = (await readdir(folder)).map((name) => path.join(folder, name));
    const modes = await Promise.all([folder, ...files].map(async (place) => ((await stat(place)).mode & 0o777).toString(8)));
    expect(modes).to.deep.equal(['700', '600', '600']);
  });

  it('forgets a nonce an hour after it has expired, a minute more or less, and not before', async () => {
    const { folder, spent } = await spentIn();
    spent.consume('aa', 10, 0);
    expect([spent.consume('aa', 10, 3_600_009), (await readdir(folder)).length]).to.deep.equal(['used', 2]);
    spent.consume('bb', 9_000_000, 3_660_009);
    expect(await readdir(folder)).to.have.members(['9000000-bb', 'id']);
  });

  it('refuses more than it can hold, and takes them when others have expired', async () => {
    const { spent } = await spentIn(1);
    expect([spent.consume('aa', 10, 0), spent.consume('bb', 10, 0), spent.consume('aa', 10, 0)]).to.deep.equal([undefined, 'full', 'used']);
    expect(spent.consume('bb', 9_000_000, 3_600_010)).to.equal(undefined);
  });

  it('takes no token when its use cannot be recorded', async () => {
    const { folder, spent } = await spentIn();
    await rm(folder, { recursive: true });
    expect(spent.consume('aa', 10, 0)).to.equal('unwritable');
  });
});
