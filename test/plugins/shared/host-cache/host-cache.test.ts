import { chmod, mkdir, readdir, readFile, rename, stat, symlink, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import { HostCache } from '../../../../plugins/shared/host-cache/host-cache.ts';
import { temporaryFolder } from '../../../support/temporary.ts';

const content = Buffer.from('what was worked out');

/** A cache with one entry, and the file of it. */
async function filled(): Promise<{ cache: HostCache; file: string }> {
  const cache = new HostCache(path.join(await temporaryFolder(), 'toolkit'));
  await cache.write('things', 'key', content);
  const [name = ''] = await readdir(cache.folder);
  return { cache, file: path.join(cache.folder, name) };
}

describe('the cache of the host', () => {
  it('gives what was written under the same kind and key', async () => {
    const { cache } = await filled();
    expect(new HostCache(cache.folder).read('things', 'key')?.toString()).to.equal(content.toString());
    expect(cache.read('things', 'another key')).to.equal(undefined);
    expect(cache.read('others', 'key')).to.equal(undefined);
  });

  it('lies in a folder and in files of this account alone', async () => {
    const { cache, file } = await filled();
    expect((await stat(cache.folder)).mode & 0o777).to.equal(0o700);
    expect((await stat(file)).mode & 0o777).to.equal(0o600);
  });

  const harms: Readonly<Record<string, (file: string) => Promise<void>>> = {
    'a changed byte': async (file) => {
      const written = await readFile(file);
      written[written.length - 1] = (written.at(-1) ?? 0) ^ 1;
      await writeFile(file, written);
    },
    'a changed checksum': async (file) => {
      const written = await readFile(file);
      written[0] = (written[0] ?? 0) ^ 1;
      await writeFile(file, written);
    },
    'a missing end': async (file) => writeFile(file, (await readFile(file)).subarray(0, -1)),
    'nothing in it': (file) => writeFile(file, ''),
    'a link in its place': async (file) => {
      await rename(file, `${file}.moved`);
      await symlink(`${file}.moved`, file);
    },
    'a folder in its place': async (file) => {
      await rename(file, `${file}.moved`);
      await mkdir(file);
    },
    'a folder that others may enter': (file) => chmod(path.dirname(file), 0o755),
    'the entry of another key': async (file) => {
      const cache = new HostCache(path.dirname(file));
      await cache.write('things', 'other', content);
      const other = (await readdir(cache.folder)).map((name) => path.join(cache.folder, name)).find((name) => name !== file) ?? '';
      await rename(other, file);
    },
  };
  for (const [harm, harmIt] of Object.entries(harms)) {
    it(`gives nothing of an entry with ${harm}`, async () => {
      const { cache, file } = await filled();
      await harmIt(file);
      expect(cache.read('things', 'key')).to.equal(undefined);
    });
  }

  it('gives as one what was written in parts', async () => {
    const { cache } = await filled();
    await cache.write('things', 'parts', [content, Buffer.alloc(0), content]);
    expect(cache.read('things', 'parts')?.toString()).to.equal(`${content}${content}`);
  });

  it('is written whole by several at once', async () => {
    const { cache } = await filled();
    const texts = Array.from({ length: 8 }, (_, index) => String(index).repeat(100_000));
    await Promise.all(texts.map((text) => new HostCache(cache.folder).write('things', 'key', Buffer.from(text))));
    expect(texts).to.include(cache.read('things', 'key')?.toString());
    expect(await readdir(cache.folder)).to.have.length(1);
  });

  it('forgets what was written a month ago', async () => {
    const { cache, file } = await filled();
    await utimes(file, new Date(0), new Date(0));
    await cache.write('things', 'newer', content);
    expect(cache.read('things', 'key')).to.equal(undefined);
    expect(cache.read('things', 'newer')).to.not.equal(undefined);
  });

  it('keeps nothing where it cannot write, and says nothing', async () => {
    const file = path.join(await temporaryFolder({ taken: '' }), 'taken');
    const cache = new HostCache(path.join(file, 'toolkit'));
    await cache.write('things', 'key', content);
    await cache.write('things', 'key', () => expect.fail('worked out for nothing'));
    expect(cache.read('things', 'key')).to.equal(undefined);
  });
});
