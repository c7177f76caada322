import { execFileSync } from 'node:child_process';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import type { ErrorCode } from '../../../../kernel/index.ts';
import { rejection } from '../../../support/rejection.ts';
import { temporaryFolder } from '../../../support/temporary.ts';
import { sharedToolkit } from '../fs/shared-toolkit.ts';
import { pythonArchive, sharedArchives } from './python-archive.ts';

const entries = (...lines: string[]): string => ['with tarfile.open(target, "w") as t:', 'add(t, "good.txt")', ...lines].join('\n  ');
const link = (name: string, target: string): string => `t.addfile(member("${name}", tarfile.SYMTYPE, "${target}"))`;
const hardLink = (name: string, target: string): string => `t.addfile(member("${name}", tarfile.LNKTYPE, "${target}"))`;

interface Hostile {
  readonly name: string;
  readonly script: string;
  readonly says: string;
  readonly code?: ErrorCode;
  readonly given?: Readonly<Record<string, unknown>>;
}

const hostile: readonly Hostile[] = [
  { name: 'an entry with ..', script: entries('add(t, "../evil.txt")'), says: 'entry "../evil.txt" has a path with ".."' },
  {
    name: 'an entry with .. that strip would take away',
    script: entries('add(t, "../evil.txt")'),
    given: { strip: 1 },
    says: 'has a path with ".."',
  },
  { name: 'an absolute entry', script: entries('add(t, "/tmp/evil.txt")'), says: 'has an absolute path' },
  { name: 'an absolute path in an extended header', script: entries('add(t, "/tmp/" + "ü" * 200)'), says: 'has an absolute path' },
  { name: 'an entry with a drive letter', script: entries('add(t, "c:/evil.txt")'), says: 'drive letter' },
  { name: 'an entry with .. between backslashes', script: entries('add(t, "a\\\\..\\\\..\\\\evil.txt")'), says: 'has a path with ".."' },
  {
    name: 'a link with an absolute target',
    script: entries(link('link', '/etc/passwd')),
    says: 'leads out of the destination, to "/etc/passwd"',
  },
  { name: 'a link with .. in its target', script: entries(link('a/link', '../../x')), says: 'leads out of the destination, to "../../x"' },
  { name: 'a link through another link', script: entries(link('a/b/up', '../..'), link('c', 'a/b/up/..')), says: 'to "a/b/up/.."' },
  {
    name: 'an entry behind a link',
    script: entries(link('sub', 'other'), 'add(t, "sub/x")'),
    says: 'entry "sub" is in the archive as a link and as a folder',
  },
  {
    name: 'an entry that is written through a link',
    script: entries(link('sub', 'good.txt'), 'add(t, "sub")'),
    says: 'entry "sub" is in the archive more than once',
  },
  {
    name: 'a folder in the place of a link',
    script: entries(link('sub', 'x'), 't.addfile(member("sub", tarfile.DIRTYPE))'),
    says: 'as a link and as a folder',
  },
  { name: 'a hard link out of the destination', script: entries(hardLink('hard', '../outside.txt')), says: 'has a path with ".."' },
  { name: 'an absolute hard link', script: entries(hardLink('hard', '/etc/passwd')), says: 'has an absolute path' },
  {
    name: 'a hard link to nothing',
    script: entries(hardLink('hard', 'later.txt'), 'add(t, "later.txt")'),
    says: 'is a hard link to "later.txt", which is no file that comes before it',
  },
  { name: 'a hard link to a link', script: entries(link('sym', 'good.txt'), hardLink('hard', 'sym')), says: 'is a hard link to "sym"' },
  {
    name: 'a hard link to what strip takes away',
    script: entries('add(t, "a/x")', hardLink('a/y', 'good.txt')),
    given: { strip: 1 },
    says: 'is a hard link',
  },
  { name: 'a character device', script: entries('t.addfile(member("null", tarfile.CHRTYPE))'), says: 'entry "null" is a device' },
  { name: 'a block device', script: entries('t.addfile(member("disk", tarfile.BLKTYPE))'), says: 'is a device' },
  { name: 'a pipe', script: entries('t.addfile(member("pipe", tarfile.FIFOTYPE))'), says: 'is a device, a pipe' },
  { name: 'an entry twice', script: entries('add(t, "./good.txt")'), says: 'entry "good.txt" is in the archive more than once' },
  {
    name: 'more than max_bytes',
    script: entries('add(t, "zeros", b"0" * 1000)'),
    given: { max_bytes: 1000 },
    code: 'OUTPUT_TOO_LARGE',
    says: 'unpacks to more than 1000 bytes',
  },
  {
    name: 'a size in its header that is not there',
    script: entries('info = member("huge")', 'info.size = 1 << 50', 't.addfile(info)'),
    code: 'OUTPUT_TOO_LARGE',
    says: 'unpacks to more than',
  },
  {
    name: 'a header with a wrong checksum',
    script: `${entries('add(t, "b")')}\ndata = bytearray(open(target, "rb").read())\ndata[1024] = 99\nopen(target, "wb").write(data)`,
    says: 'the header of an entry is wrong',
  },
  {
    name: 'an extended header that is damaged',
    script: `${entries('add(t, "ü" * 200)')}\ndata = open(target, "rb").read()\nopen(target, "wb").write(data.replace(b" path=", b"9path="))`,
    says: 'damaged extended header',
  },
  {
    name: 'an extended header without end',
    script: entries('info = member("x", tarfile.XHDTYPE, content=b"0" * 2_000_000)', 't.addfile(info, io.BytesIO(b"0" * 2_000_000))'),
    says: 'an extended header of over 1048576 bytes',
  },
  {
    name: 'more extended headers than content',
    script: entries(
      'for i in range(20): add(t, "pax", b"30 comment=" + b"x" * 18 + b"\\n" if False else b"1000000 comment=" + b"x" * (1000000 - 17) + b"\\n", type=tarfile.XHDTYPE)',
    ),
    code: 'OUTPUT_TOO_LARGE',
    says: 'far more padding than content',
  },
];

describe('archive_tar_extract of a hostile or broken archive', () => {
  const shared = sharedToolkit();
  const archives = sharedArchives(Object.fromEntries(hostile.map(({ name, script }) => [`${name}.tar`, script])));
  const extract = (folder: string, given: Readonly<Record<string, unknown>> = {}): Promise<unknown> =>
    shared.toolkit.execute('archive_tar_extract', {
      path: path.join(folder, 'a.tar'),
      destination: path.join(folder, 'new/out'),
      ...given,
    });

  for (const { name, says, code = 'EXECUTION_FAILED', given } of hostile) {
    it(`refuses ${name} and leaves nothing`, async () => {
      const folder = await temporaryFolder();
      const error = await rejection(extract(folder, { path: path.join(archives.folder, `${name}.tar`), ...given }), code);
      expect(error.message)
        .to.include(says)
        .and.to.include(`${name}.tar`)
        .and.to.match(/Nothing was extracted\.$/);
      expect(await readdir(folder)).to.deep.equal([]);
    });
  }

  it('refuses an archive that is cut off, wherever, plain and compressed', async () => {
    const folder = await temporaryFolder();
    const archive = pythonArchive(folder, 'a.tar', 'with tarfile.open(target, "w") as t: add(t, "a.bin", os.urandom(3000))');
    const plain = await readFile(archive);
    const compressed = gzipSync(plain);
    for (const size of [0, 100, 512, 2000, 512 + 3072]) {
      await writeFile(archive, plain.subarray(0, size));
      await rejection(extract(folder), 'EXECUTION_FAILED');
    }
    for (const size of [2, 20, 2000, compressed.length - 8, compressed.length - 1]) {
      await writeFile(archive, compressed.subarray(0, size));
      await rejection(extract(folder), 'EXECUTION_FAILED');
    }
    expect(await readdir(folder)).to.deep.equal(['a.tar']);
  });

  it('refuses a compressed archive with a wrong checksum', async () => {
    const folder = await temporaryFolder();
    const compressed = gzipSync(await readFile(pythonArchive(folder, 'a.tar', entries())));
    compressed.writeUInt32LE(123, compressed.length - 8);
    await writeFile(path.join(folder, 'a.tar'), compressed);
    expect((await rejection(extract(folder), 'EXECUTION_FAILED')).message).to.include('its compressed data is damaged');
    expect(await readdir(folder)).to.deep.equal(['a.tar']);
  });

  it('stops at a bomb of zeros behind the end of an archive', async () => {
    const folder = await temporaryFolder();
    const archive = await readFile(pythonArchive(folder, 'a.tar', entries()));
    await writeFile(path.join(folder, 'a.tar'), gzipSync(Buffer.concat([archive, Buffer.alloc(50_000_000)])));
    expect((await rejection(extract(folder), 'OUTPUT_TOO_LARGE')).message).to.include('far more padding than content');
    expect(await readdir(folder)).to.deep.equal(['a.tar']);
  });

  it('refuses a sparse file, whose content would be wrong', async () => {
    const folder = await temporaryFolder();
    execFileSync('truncate', ['-s', '1000000', path.join(folder, 'holes')]);
    for (const format of ['posix', 'gnu']) {
      execFileSync('tar', ['--sparse', `--format=${format}`, '-cf', 'a.tar', 'holes'], { cwd: folder });
      await rejection(extract(folder), 'EXECUTION_FAILED');
    }
    expect(await readdir(folder)).to.deep.equal(['a.tar', 'holes']);
  });

  const others = [
    { magic: 'PK\x03\x04', says: 'Use archive_zip_extract' },
    { magic: 'BZh9', says: 'it is in the format bzip2, expected tar' },
    { magic: '\xfd7zXZ\0', says: 'it is in the format xz' },
    { magic: '\x28\xb5\x2f\xfd', says: 'it is in the format zstd' },
    { magic: 'something else that is long enough', says: 'neither the format tar' },
    { magic: '\x1f\x8b\x08 nonsense', says: 'compressed data is damaged' },
  ];
  for (const { magic, says } of others) {
    it(`says that a file that begins with ${JSON.stringify(magic)} is no tar archive`, async () => {
      const folder = await temporaryFolder();
      await writeFile(path.join(folder, 'a.tar'), Buffer.concat([Buffer.from(magic, 'latin1'), Buffer.alloc(1000, 'x')]));
      expect((await rejection(extract(folder), 'EXECUTION_FAILED')).message).to.include(says);
      expect(await readdir(folder)).to.deep.equal(['a.tar']);
    });
  }
});
