import { readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import type { CachedListing } from '../../../../kernel/index.ts';
import { HostCache } from '../../../../plugins/shared/host-cache/host-cache.ts';
import { SourceCaches } from '../../../../plugins/shared/source-cache/source-caches.ts';
import { temporaryFolder } from '../../../support/temporary.ts';

const parts: readonly unknown[] = [{ name: 'one' }, 'zwölf Kästen', null, [1, 2, 3]];
const listing: CachedListing = { head: { problems: [] }, length: parts.length, part: (index) => parts[index] };

async function stored(): Promise<{ readonly folder: string; readonly caches: SourceCaches }> {
  const folder = path.join(await temporaryFolder(), 'cache');
  const caches = new SourceCaches({ build: 'one', cache: new HostCache(folder) });
  caches.of('box').store('key', listing);
  await caches.settled();
  return { folder, caches };
}

describe('the caches of sources', () => {
  it('give back a listing, its parts one by one', async () => {
    const { caches } = await stored();
    const found = caches.of('box').read('key');
    expect(found?.head).to.deep.equal({ problems: [] });
    expect(Array.from({ length: found?.length ?? 0 }, (_, index) => found?.part(index))).to.deep.equal(parts);
  });

  it('know no listing of another source, key or build', async () => {
    const { folder, caches } = await stored();
    const other = new SourceCaches({ build: 'two', cache: new HostCache(folder) });
    expect([caches.of('shelf').read('key'), caches.of('box').read('other'), other.of('box').read('key')]).to.deep.equal([
      undefined,
      undefined,
      undefined,
    ]);
  });

  it('take a changed file for a missing one', async () => {
    const { folder, caches } = await stored();
    const file = path.join(folder, (await readdir(folder))[0] ?? '');
    const content = await readFile(file);
    content[content.length - 1] = (content.at(-1) ?? 0) ^ 1;
    await writeFile(file, content);
    expect(caches.of('box').read('key')).to.equal(undefined);
  });

  it('keep nothing without a build', async () => {
    const folder = path.join(await temporaryFolder(), 'cache');
    const caches = new SourceCaches({ build: undefined, cache: new HostCache(folder) });
    caches.of('box').store('key', listing);
    await caches.settled();
    expect(caches.of('box').read('key')).to.equal(undefined);
  });
});
