import { execFileSync } from 'node:child_process';
import { truncate } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import { coreGroup } from '../../../support/core-group.ts';
import { rejection } from '../../../support/rejection.ts';
import { temporaryFolder } from '../../../support/temporary.ts';

const { coreToolkit } = coreGroup('fs');

describe('fs_hash_file', () => {
  const contents = { 'empty.txt': '', 'Grüße 世界.txt': 'Grüße, 世界 👋\r\n', 'large.bin': '\0\x80'.repeat(1_500_000) };
  for (const algorithm of ['sha256', 'sha512', 'sha1', 'md5']) {
    it(`gives the digests of ${algorithm}sum`, async () => {
      const folder = await temporaryFolder(contents);
      const toolkit = await coreToolkit({ roots: [folder] });
      for (const name of Object.keys(contents)) {
        const file = path.join(folder, name);
        const [digest] = execFileSync(`${algorithm}sum`, [file], { encoding: 'utf8' }).replace(/^\\/, '').split(' ');
        const size = Buffer.byteLength(contents[name as keyof typeof contents]);
        expect(await toolkit.execute('fs_hash_file', { path: name, algorithm })).to.deep.equal({ path: file, algorithm, digest, size });
      }
    });
  }

  it('takes sha256 when nothing else is said', async () => {
    const folder = await temporaryFolder({ 'a.txt': 'hello' });
    const toolkit = await coreToolkit({ roots: [folder] });
    expect(await toolkit.execute('fs_hash_file', { path: 'a.txt' })).to.include({
      algorithm: 'sha256',
      digest: '2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824',
    });
  });

  it('reports progress, and stops when it is cancelled', async () => {
    const folder = await temporaryFolder({ 'a.bin': '' });
    await truncate(path.join(folder, 'a.bin'), 100 * 1024 * 1024);
    const toolkit = await coreToolkit({ roots: [folder] });
    const controller = new AbortController();
    const seen: unknown[] = [];
    const onProgress = (progress: unknown): void => {
      seen.push(progress);
      if (seen.length === 2) controller.abort();
    };
    await rejection(toolkit.execute('fs_hash_file', { path: 'a.bin' }, { signal: controller.signal, onProgress }), 'ABORTED');
    expect(seen).to.deep.equal([
      { progress: 33_554_432, total: 104_857_600, message: 'bytes hashed' },
      { progress: 67_108_864, total: 104_857_600, message: 'bytes hashed' },
    ]);
  });

  it('refuses a folder, a pipe, what does not exist, and an unknown algorithm', async () => {
    const folder = await temporaryFolder({ 'sub/a': '' });
    execFileSync('mkfifo', [path.join(folder, 'pipe')]);
    const toolkit = await coreToolkit({ roots: [folder] });
    const cases = [
      { given: { path: 'sub' }, code: 'EXECUTION_FAILED', says: 'it is a folder' },
      { given: { path: 'pipe' }, code: 'EXECUTION_FAILED', says: 'a pipe, a socket or a device' },
      { given: { path: 'nothing' }, code: 'NOT_FOUND', says: 'nothing' },
      { given: { path: 'sub/a', algorithm: 'crc32' }, code: 'INVALID_PARAMETERS', says: 'algorithm' },
    ] as const;
    for (const { given, code, says } of cases) {
      expect((await rejection(toolkit.execute('fs_hash_file', given), code)).message).to.include(says);
    }
  });
});
