import { execFileSync } from 'node:child_process';
import { chmod, lstat, mkdir, readdir, readFile, stat, symlink, truncate, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import { rejection } from '../../../support/rejection.ts';
import { temporaryFolder } from '../../../support/temporary.ts';
import { sharedToolkit } from '../fs/shared-toolkit.ts';
import { until } from '../fs/until.ts';
import { pythonArchive } from './python-archive.ts';

const kinds = [
  { tool: 'archive_zip_extract', name: 'a.zip', pack: ['zip', '-q', '-r', '-y', '../a.zip', '.'] },
  { tool: 'archive_tar_extract', name: 'a.tar.gz', pack: ['tar', '-czf', '../a.tar.gz', '.'] },
] as const;

for (const {
  tool,
  name,
  pack: [program, ...args],
} of kinds) {
  describe(tool, () => {
    const shared = sharedToolkit();
    /** A folder with an archive of these files. */
    const packed = async (
      files: Readonly<Record<string, string>>,
      more: (src: string) => Promise<unknown> = async () => {},
    ): Promise<string> => {
      const folder = await temporaryFolder(Object.fromEntries(Object.entries(files).map(([file, text]) => [`src/${file}`, text])));
      await mkdir(path.join(folder, 'src'), { recursive: true });
      await more(path.join(folder, 'src'));
      execFileSync(program, args, { cwd: path.join(folder, 'src') });
      return folder;
    };
    const extract = (folder: string, given: Readonly<Record<string, unknown>> = {}, options = {}): Promise<unknown> =>
      shared.toolkit.execute(tool, { path: path.join(folder, name), destination: path.join(folder, 'out'), ...given }, options);

    it('extracts into a folder that it creates, with the folders above it', async () => {
      const folder = await packed({ 'ä.txt': 'Grüße', 'sub/b': '' });
      const destination = path.join(folder, 'neu/tief');
      const output = (await extract(folder, { destination })) as { entries: string[] };
      expect(output).to.deep.include({ destination, bytes: 7 });
      expect(output.entries.filter((entry) => !entry.endsWith('/')).sort()).to.deep.equal(['sub/b', 'ä.txt']);
      expect(await readFile(path.join(destination, 'ä.txt'), 'utf8')).to.equal('Grüße');
      expect((await stat(destination)).mode & 0o777).to.equal(0o777 & ~process.umask());
      expect((await readdir(folder)).sort()).to.deep.equal([name, 'neu', 'src'].sort());
    });

    it('extracts an empty archive to an empty folder', async () => {
      const folder = await temporaryFolder();
      const open = name === 'a.zip' ? 'zipfile.ZipFile(target, "w")' : 'tarfile.open(target, "w:gz")';
      pythonArchive(folder, name, `${open}.close()`);
      expect(await extract(folder)).to.deep.equal({ destination: path.join(folder, 'out'), entries: [], total: 0, bytes: 0 });
      expect(await readdir(path.join(folder, 'out'))).to.deep.equal([]);
    });

    it('merges into a folder that exists, and keeps what is there', async () => {
      const folder = await packed({ 'sub/new': 'neu' });
      await mkdir(path.join(folder, 'out/sub'), { recursive: true });
      await writeFile(path.join(folder, 'out/sub/old'), 'alt');
      await extract(folder);
      expect(await readdir(path.join(folder, 'out'))).to.deep.equal(['sub']);
      expect(await readdir(path.join(folder, 'out/sub'))).to.deep.equal(['new', 'old']);
    });

    it('replaces files only when told to: without, nothing at all is extracted', async () => {
      const folder = await packed({ a: 'neu', b: 'neu', z: 'neu' });
      await mkdir(path.join(folder, 'out'));
      await writeFile(path.join(folder, 'out/b'), 'alt');
      const error = await rejection(extract(folder), 'EXECUTION_FAILED');
      expect(error.message).to.include('out/b" exists already').and.to.include('overwrite to true');
      expect(await readdir(path.join(folder, 'out'))).to.deep.equal(['b']);
      await extract(folder, { overwrite: true });
      expect(await readdir(path.join(folder, 'out'))).to.deep.equal(['a', 'b', 'z']);
      expect(await readFile(path.join(folder, 'out/b'), 'utf8')).to.equal('neu');
    });

    it('never writes through a link that is in the destination', async () => {
      const folder = await packed({ 'sub/x': 'neu', file: 'neu' });
      await mkdir(path.join(folder, 'out'));
      await mkdir(path.join(folder, 'elsewhere'));
      await writeFile(path.join(folder, 'elsewhere/file'), 'alt');
      await symlink('../elsewhere', path.join(folder, 'out/sub'));
      const error = await rejection(extract(folder, { overwrite: true }), 'EXECUTION_FAILED');
      expect(error.message).to.include('out/sub" exists already').and.to.include('nor a folder that of a file or link');
      await chmod(path.join(folder, 'out'), 0o755);
      execFileSync('rm', [path.join(folder, 'out/sub')]);
      await symlink('../elsewhere/file', path.join(folder, 'out/file'));
      await extract(folder, { overwrite: true });
      expect(await readFile(path.join(folder, 'elsewhere/file'), 'utf8')).to.equal('alt');
      expect((await lstat(path.join(folder, 'out/file'))).isFile()).to.equal(true);
      expect(await readdir(path.join(folder, 'elsewhere'))).to.deep.equal(['file']);
    });

    it('takes over who may read, write and run, and no more; folders stay open to their owner', async () => {
      const folder = await packed({ run: '', 'closed/x': '' }, async (src) => {
        await chmod(path.join(src, 'run'), 0o6751);
        await chmod(path.join(src, 'closed'), 0o555);
      });
      await extract(folder);
      const modeOf = async (file: string): Promise<number> => (await stat(path.join(folder, 'out', file))).mode & 0o7777;
      expect(await modeOf('run')).to.equal(0o751 & ~process.umask());
      expect(await modeOf('closed')).to.equal(0o755 & ~process.umask());
    });

    it('extracts links last, and names that differ in case beside each other', async () => {
      const folder = await packed({ 'dir/x': 'eins', README: 'a', readme: 'b' }, async (src) => {
        await symlink('dir', path.join(src, 'also'));
        await symlink('../README', path.join(src, 'dir/up'));
      });
      await extract(folder);
      expect(await readFile(path.join(folder, 'out/also/x'), 'utf8')).to.equal('eins');
      expect(await readFile(path.join(folder, 'out/also/up'), 'utf8')).to.equal('a');
      expect(await readFile(path.join(folder, 'out/readme'), 'utf8')).to.equal('b');
    });

    it('takes an archive up to max_bytes to the byte', async () => {
      const folder = await packed({ a: 'x'.repeat(700), b: 'y'.repeat(300) });
      await rejection(extract(folder, { max_bytes: 999 }), 'OUTPUT_TOO_LARGE');
      expect(await extract(folder, { max_bytes: 1000 })).to.include({ bytes: 1000 });
    });

    it('refuses a destination that is a file, lies outside, or is the folder of nobody', async () => {
      const folder = await packed({ a: '' });
      const cases = [
        { destination: path.join(folder, name), code: 'EXECUTION_FAILED', says: 'is a file, expected a folder' },
        { destination: path.join(folder, name, 'sub'), code: 'EXECUTION_FAILED', says: 'a part of the path is a file' },
        { destination: '/nobody', code: 'INVALID_PARAMETERS', says: 'expected a path inside' },
      ] as const;
      for (const { destination, code, says } of cases) {
        expect((await rejection(extract(folder, { destination }), code)).message).to.include(says);
      }
      expect((await readdir(folder)).sort()).to.deep.equal([name, 'src'].sort());
    });

    it('leaves nothing behind when it is cancelled in the middle, and reports progress until then', async () => {
      const folder = await packed({ 'first.txt': '' }, (src) =>
        writeFile(path.join(src, 'zeros'), '').then(() => truncate(path.join(src, 'zeros'), 2 ** 26)),
      );
      const controller = new AbortController();
      const seen: { progress?: number; message?: string }[] = [];
      const onProgress = (progress: object): void => {
        seen.push(progress);
        controller.abort();
      };
      await rejection(extract(folder, { destination: path.join(folder, 'neu/out') }, { signal: controller.signal, onProgress }), 'ABORTED');
      expect(seen[0]?.progress).to.be.within(33_554_432, 34_000_000);
      expect(seen[0]?.message).to.include('bytes extracted');
      await until(async () => (await readdir(folder)).length === 2);
      expect((await readdir(folder)).sort()).to.deep.equal([name, 'src'].sort());
    });
  });
}

describe('archive_zip_extract', () => {
  const shared = sharedToolkit();
  const namesFrom = async (script: string): Promise<string[]> => {
    const folder = await temporaryFolder();
    const archive = pythonArchive(folder, 'a.zip', script);
    await shared.toolkit.execute('archive_zip_extract', { path: archive, destination: path.join(folder, 'out') });
    return (await readdir(path.join(folder, 'out'), { recursive: true })).sort();
  };

  it('reads names in CP437, in UTF-8, and with backslashes between folders', async () => {
    const old = [
      'class Old(zipfile.ZipInfo):',
      '  def _encodeFilenameFlags(self): return self.filename.encode("cp437"), self.flag_bits & ~0x800',
      'with zipfile.ZipFile(target, "w") as z:',
      '  z.writestr(Old("Grüße ½.txt"), "x")',
      '  z.writestr("Grüße 世界.txt", "x")',
      '  z.writestr("dir\\\\sub\\\\x", "x")',
    ];
    expect(await namesFrom(old.join('\n'))).to.deep.equal(['Grüße ½.txt', 'Grüße 世界.txt', 'dir', 'dir/sub', 'dir/sub/x']);
  });

  it('reads zip64, and entries without modes', async () => {
    const script = [
      'zipfile.ZIP64_LIMIT = 10',
      'with zipfile.ZipFile(target, "w") as z:',
      '  info = zipfile.ZipInfo("a.txt")',
      '  info.create_system = 0',
      '  z.writestr(info, "x" * 100)',
    ];
    expect(await namesFrom(script.join('\n'))).to.deep.equal(['a.txt']);
  });
});

describe('archive_tar_extract', () => {
  const shared = sharedToolkit();

  it('leaves out as many folders as strip says, also of hard links', async () => {
    const folder = await temporaryFolder({ 'pkg-1.0/a': 'eins', 'pkg-1.0/sub/b': 'zwei' });
    execFileSync('ln', ['pkg-1.0/a', 'pkg-1.0/sub/hard'], { cwd: folder });
    execFileSync('tar', ['-cf', 'a.tar', 'pkg-1.0'], { cwd: folder });
    const places = { path: path.join(folder, 'a.tar'), destination: path.join(folder, 'out') };
    const { entries } = (await shared.toolkit.execute('archive_tar_extract', { ...places, strip: 1 })) as { entries: string[] };
    expect([...entries].sort()).to.deep.equal(['a', 'sub/', 'sub/b', 'sub/hard']);
    expect((await stat(path.join(folder, 'out/a'))).ino).to.equal((await stat(path.join(folder, 'out/sub/hard'))).ino);
    const all = { ...places, destination: path.join(folder, 'none'), strip: 5 };
    expect(await shared.toolkit.execute('archive_tar_extract', all)).to.include({ total: 0 });
  });

  it('reads old tar archives, names with line breaks, and numbers in base 256', async () => {
    const folder = await temporaryFolder();
    const script = [
      'data = io.BytesIO()',
      'with tarfile.open(target, "w", format=tarfile.PAX_FORMAT) as t:',
      '  add(t, "line\\nbreak ü")',
      '  info = member("old folder/")',
      '  info.type = tarfile.AREGTYPE',
      '  t.addfile(info)',
      '  info = member("gnu number")',
      '  info.mtime = -1000000000000',
      '  t.addfile(tarfile.TarInfo.frombuf(info.tobuf(tarfile.GNU_FORMAT), "utf-8", "strict"))',
    ];
    const archive = pythonArchive(folder, 'a.tar', script.join('\n'));
    await shared.toolkit.execute('archive_tar_extract', { path: archive, destination: path.join(folder, 'out') });
    expect((await readdir(path.join(folder, 'out'))).sort()).to.deep.equal(['gnu number', 'line\nbreak ü', 'old folder']);
  });
});
