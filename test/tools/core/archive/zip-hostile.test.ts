import { readdir, readFile, truncate, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import type { ErrorCode } from '../../../../kernel/index.ts';
import { rejection } from '../../../support/rejection.ts';
import { temporaryFolder } from '../../../support/temporary.ts';
import { sharedToolkit } from '../fs/shared-toolkit.ts';
import { pythonArchive, sharedArchives } from './python-archive.ts';

const entries = (...lines: string[]): string => ['with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as z:', ...lines].join('\n  ');

/** Changes 16 or 32 bit fields of the first header of each kind, at these offsets (APPNOTE.TXT, 4.3.7 and 4.3.12). */
const patched = (central: Record<number, number>, local: Record<number, number> = {}, format = 'I'): string =>
  [
    'data = bytearray(open(target, "rb").read())',
    'central, local = data.index(b"PK\\x01\\x02"), data.index(b"PK\\x03\\x04")',
    ...Object.entries(central).map(([offset, value]) => `struct.pack_into("<${format}", data, central + ${offset}, ${value})`),
    ...Object.entries(local).map(([offset, value]) => `struct.pack_into("<${format}", data, local + ${offset}, ${value})`),
    'open(target, "wb").write(data)',
  ].join('\n');

interface Hostile {
  readonly name: string;
  readonly script: string;
  readonly says: string;
  readonly code?: ErrorCode;
  readonly given?: Readonly<Record<string, unknown>>;
}

const good = 'z.writestr(entry("good.txt"), "good")';
const link = (name: string, target: string): string => `z.writestr(entry("${name}", 0o120777), "${target}")`;

const hostile: readonly Hostile[] = [
  {
    name: 'an entry with ..',
    script: entries(good, 'z.writestr(entry("../evil.txt"), "x")'),
    says: 'entry "../evil.txt" has a path with ".."',
  },
  {
    name: 'an entry with .. in the middle',
    script: entries(good, 'z.writestr(entry("a/../../evil.txt"), "x")'),
    says: 'has a path with ".."',
  },
  { name: 'an absolute entry', script: entries(good, 'z.writestr(entry("/tmp/evil.txt"), "x")'), says: 'has an absolute path' },
  {
    name: 'an entry with a drive letter',
    script: entries(good, 'z.writestr(entry("C:/evil.txt"), "x")'),
    says: 'has a path with a drive letter',
  },
  {
    name: 'an entry with a drive letter and no slash',
    script: entries(good, 'z.writestr(entry("C:evil.txt"), "x")'),
    says: 'drive letter',
  },
  {
    name: 'an entry with .. between backslashes',
    script: entries(good, 'z.writestr(entry("..\\\\evil.txt"), "x")'),
    says: 'has a path with ".."',
  },
  {
    name: 'an entry on a network share',
    script: entries(good, 'z.writestr(entry("\\\\\\\\server\\\\evil.txt"), "x")'),
    says: 'has an absolute path',
  },
  {
    name: 'an entry 300 folders deep',
    script: entries(good, 'z.writestr(entry("a/" * 300 + "x"), "x")'),
    says: 'lies deeper than 200 folders',
  },
  { name: 'a link with an absolute target', script: entries(good, link('link', '/etc')), says: 'leads out of the destination, to "/etc"' },
  {
    name: 'a link with .. in its target',
    script: entries(good, link('a/link', '../../x')),
    says: 'entry "a/link" is a symbolic link that leads out',
  },
  { name: 'a link through another link', script: entries(good, link('a/up', '..'), link('b', 'a/up/../x')), says: 'to "a/up/../x"' },
  {
    name: 'a link with an endless target',
    script: entries(good, 'z.writestr(entry("l", 0o120777), "x" * 5000)'),
    says: 'target that is too long',
  },
  {
    name: 'an entry behind a link',
    script: entries(good, link('sub', 'other'), 'z.writestr(entry("sub/x"), "x")'),
    says: 'entry "sub" is in the archive as a link and as a folder',
  },
  {
    name: 'an entry that takes the place of a link',
    script: entries(good, link('sub', 'other'), 'z.writestr(entry("sub"), "x")'),
    says: 'entry "sub" is in the archive more than once',
  },
  {
    name: 'a file in a file',
    script: entries(good, 'z.writestr(entry("a"), "x")', 'z.writestr(entry("a/b"), "x")'),
    says: 'as a file and as a folder',
  },
  {
    name: 'a device',
    script: entries(good, 'z.writestr(entry("null", 0o020666), "")'),
    says: 'entry "null" is a device, a pipe or a socket',
  },
  { name: 'a pipe', script: entries(good, 'z.writestr(entry("pipe", 0o010666), "")'), says: 'is a device, a pipe or a socket' },
  {
    name: 'an entry twice',
    script: entries(good, 'z.writestr(entry("good.txt"), "evil")'),
    says: 'entry "good.txt" is in the archive more than once',
  },
  { name: 'an entry twice in other words', script: entries(good, 'z.writestr(entry("./good.txt"), "evil")'), says: 'more than once' },
  {
    name: 'an encrypted entry',
    script: `${entries(good)}\n${patched({ 8: 1 }, { 6: 1 }, 'H')}`,
    says: 'entry "good.txt" is encrypted. Ask for an archive without a password',
  },
  {
    name: 'strong encryption',
    script: `${entries(good)}\n${patched({ 8: 0x41 }, { 6: 0x41 }, 'H')}`,
    says: 'strong encryption is not supported',
  },
  {
    name: 'a wrong checksum',
    script: `${entries(good)}\n${patched({ 16: 123 })}`,
    says: 'entry "good.txt" is damaged: its checksum (CRC-32) is wrong',
  },
  {
    name: 'another compression',
    script: entries('z.writestr(entry("x", method=zipfile.ZIP_BZIP2), "x")'),
    says: 'is compressed with method 12, expected 0 (stored) or 8',
  },
  {
    name: 'more bytes than declared',
    script: `${entries('z.writestr(entry("bomb"), "x" * 100000)')}\n${patched({ 24: 10 })}`,
    says: 'entry "bomb" is damaged (too many bytes',
  },
  {
    name: 'fewer bytes than declared',
    script: `${entries('z.writestr(entry("x"), "x" * 100)')}\n${patched({ 24: 1000 })}`,
    says: 'is damaged (not enough bytes',
  },
  {
    name: 'damaged content',
    script: `${entries(good)}\n${patched({}, { 38: 0xffffffff })}`,
    says: 'entry "good.txt" is damaged (invalid',
  },
  {
    name: 'entries that share their content',
    script: [
      entries('z.writestr(entry("a"), os.urandom(5000))', 'z.writestr(entry("b"), os.urandom(5000))'),
      'data = bytearray(open(target, "rb").read())',
      'start = data.index(b"PK\\x01\\x02")',
      'first = data[start:start + 47]',
      'first[20:24], first[42:46] = struct.pack("<I", 6000), struct.pack("<I", 0)',
      'second = bytearray(first); second[46:47] = b"b"',
      'end = bytearray(data[data.rindex(b"PK\\x05\\x06"):])',
      'data = data[:start] + first + second + end',
      'open(target, "wb").write(data)',
    ].join('\n'),
    says: 'its entries overlap',
  },
  {
    name: 'more than max_bytes',
    script: entries('z.writestr(entry("zeros"), "0" * 10_000_000)'),
    given: { max_bytes: 9_999_999 },
    code: 'OUTPUT_TOO_LARGE',
    says: 'unpacks to more than 9999999 bytes. If you trust it, raise max_bytes',
  },
  {
    name: 'more than max_bytes in many files',
    script: entries('for i in range(100): z.writestr(entry(str(i)), "0" * 100)'),
    given: { max_bytes: 9999 },
    code: 'OUTPUT_TOO_LARGE',
    says: 'unpacks to more than 9999 bytes',
  },
];

describe('archive_zip_extract of a hostile or broken archive', () => {
  const shared = sharedToolkit();
  const archives = sharedArchives(Object.fromEntries(hostile.map(({ name, script }) => [`${name}.zip`, script])));
  const extract = (folder: string, given: Readonly<Record<string, unknown>> = {}): Promise<unknown> =>
    shared.toolkit.execute('archive_zip_extract', {
      path: path.join(folder, 'a.zip'),
      destination: path.join(folder, 'new/out'),
      ...given,
    });

  for (const { name, says, code = 'EXECUTION_FAILED', given } of hostile) {
    it(`refuses ${name} and leaves nothing`, async () => {
      const folder = await temporaryFolder();
      const error = await rejection(extract(folder, { path: path.join(archives.folder, `${name}.zip`), ...given }), code);
      expect(error.message)
        .to.include(says)
        .and.to.include(`${name}.zip`)
        .and.to.match(/Nothing was extracted\.$/);
      expect(await readdir(folder)).to.deep.equal([]);
    });
  }

  it('refuses an archive that is cut off, wherever', async () => {
    const folder = await temporaryFolder();
    const archive = pythonArchive(folder, 'a.zip', entries('z.writestr(entry("a.txt"), os.urandom(1000))'));
    const whole = await readFile(archive);
    for (const size of [0, 1, 21, 500, whole.length - 60, whole.length - 1]) {
      await writeFile(archive, whole);
      await truncate(archive, size);
      await rejection(extract(folder), 'EXECUTION_FAILED');
    }
    expect(await readdir(folder)).to.deep.equal(['a.zip']);
  });

  it('says which tool is for an archive of another kind', async () => {
    const folder = await temporaryFolder({ 'a.zip': 'no archive at all' });
    expect((await rejection(extract(folder), 'EXECUTION_FAILED')).message).to.include('no archive of this kind');
    pythonArchive(folder, 'a.zip', 'import gzip\ngzip.open(target, "wb").close()');
    expect((await rejection(extract(folder), 'EXECUTION_FAILED')).message).to.include('use archive_tar_extract');
    await rejection(
      shared.toolkit.execute('archive_zip_extract', { path: folder, destination: path.join(folder, 'out') }),
      'EXECUTION_FAILED',
    );
    const missing = { path: path.join(folder, 'nothing.zip'), destination: path.join(folder, 'out') };
    await rejection(shared.toolkit.execute('archive_zip_extract', missing), 'NOT_FOUND');
    expect(await readdir(folder)).to.deep.equal(['a.zip']);
  });
});
