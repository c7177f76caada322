import { execFileSync } from 'node:child_process';
import { chmod, mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import { pythonProgram } from '../../../support/python.ts';
import { temporaryFolder } from '../../../support/temporary.ts';
import { sharedToolkit } from '../fs/shared-toolkit.ts';

/** An even second: unzip goes by a time that the format keeps in steps of two seconds. */
const secondsOfTests = 1_709_210_096;

/** A folder `src` with what archives have to keep. */
async function sample(): Promise<string> {
  const folder = await temporaryFolder({
    'src/a.txt': 'hello\n'.repeat(1000),
    'src/empty.txt': '',
    'src/Grüße 世界 👋.txt': 'Grüße',
    'src/sub/-dash': 'x',
    [`src/sub/${'long'.repeat(50)}.txt`]: 'long',
    [`src/${'deep/'.repeat(40)}${'ü'.repeat(60)}`]: 'deep',
  });
  await writeFile(path.join(folder, 'src/random.bin'), Buffer.from(Array.from({ length: 300_000 }, (_, index) => (index * index) % 251)));
  await mkdir(path.join(folder, 'src/empty folder'));
  await symlink('../a.txt', path.join(folder, 'src/sub/link'));
  await symlink('nothing', path.join(folder, 'src/dangling'));
  await chmod(path.join(folder, 'src/sub/-dash'), 0o755);
  await chmod(path.join(folder, 'src/a.txt'), 0o400);
  execFileSync('find', [path.join(folder, 'src'), '-exec', 'touch', '-h', '-d', `@${secondsOfTests}`, '{}', '+']);
  return folder;
}

/** Type, permissions, whole seconds of the last change, target of a link and path of everything, but no times of links and modes of links. */
function facts(folder: string): string[] {
  const format = '%P %y %m %T@ %l\\n';
  const lines = execFileSync('find', [folder, '-mindepth', '1', '-printf', format], { encoding: 'utf8' }).split('\n').slice(0, -1);
  return lines.map((line) => line.replace(/\.\d+ /, ' ').replace(/ l \d+ \d+ /, ' l ')).sort();
}

function expectSame(original: string, copy: string): void {
  expect(facts(copy)).to.deep.equal(facts(original));
  expect(execFileSync('diff', ['-r', '--no-dereference', original, copy], { encoding: 'utf8' })).to.equal('');
}

describe('archives', () => {
  const shared = sharedToolkit();
  const run = (name: string, parameters: Readonly<Record<string, unknown>>): Promise<unknown> => shared.toolkit.execute(name, parameters);

  const ours = [
    { tool: 'archive_zip_create', name: 'a.zip', given: {}, unpack: ['unzip', '-q', 'a.zip', '-d', 'out'] },
    { tool: 'archive_tar_create', name: 'a.tar', given: { gzip: false }, unpack: ['tar', '-xpf', 'a.tar', '-C', 'out'] },
    { tool: 'archive_tar_create', name: 'a.tgz', given: {}, unpack: ['tar', '-xpzf', 'a.tgz', '-C', 'out'] },
  ];
  for (const {
    tool,
    name,
    given,
    unpack: [program = '', ...args],
  } of ours) {
    it(`of ${tool} as ${name} are extracted by ${program} to what was packed`, async () => {
      const folder = await sample();
      const places = { paths: [path.join(folder, 'src')], destination: path.join(folder, name) };
      const output = (await run(tool, { ...places, ...given })) as { entries: number; bytes: number };
      expect(output).to.deep.equal({ path: places.destination, entries: 52, bytes: (await readFile(places.destination)).length });
      await mkdir(path.join(folder, 'out'));
      // In the C locale unzip escapes what is not ASCII.
      execFileSync(program, args, { cwd: folder, env: { ...process.env, LC_ALL: 'C.UTF-8' } });
      expectSame(path.join(folder, 'src'), path.join(folder, 'out/src'));
    });
  }

  it('of archive_zip_create and archive_tar_create are whole for Python', async () => {
    const folder = await sample();
    await run('archive_zip_create', { paths: [path.join(folder, 'src')], destination: path.join(folder, 'a.zip') });
    await run('archive_tar_create', { paths: [path.join(folder, 'src')], destination: path.join(folder, 'a.tgz') });
    const script = [
      'import tarfile, zipfile, json',
      'z = zipfile.ZipFile("a.zip")',
      't = tarfile.open("a.tgz")',
      'print(json.dumps([z.testzip(), sorted(n.rstrip("/") for n in z.namelist()) == sorted(t.getnames()), t.extractfile("src/a.txt").read() == z.read("src/a.txt")]))',
    ].join('\n');
    expect(JSON.parse(execFileSync(pythonProgram(), ['-c', script], { cwd: folder, encoding: 'utf8' }))).to.deep.equal([null, true, true]);
  });

  const theirs = [
    { tool: 'archive_zip_extract', pack: ['zip', '-q', '-r', '-y', 'a', 'src'] },
    { tool: 'archive_zip_extract', pack: ['zip', '-q', '-r', '-y', '-0', '-fz', 'a', 'src'] },
    { tool: 'archive_tar_extract', pack: ['tar', '--format=posix', '-cf', 'a', 'src'] },
    { tool: 'archive_tar_extract', pack: ['tar', '--format=gnu', '-cf', 'a', './src'] },
    { tool: 'archive_tar_extract', pack: ['tar', '-czf', 'a', 'src'] },
    {
      tool: 'archive_tar_extract',
      pack: ['python3', '-c', 'import tarfile; t = tarfile.open("a", "w:gz", format=tarfile.PAX_FORMAT); t.add("src"); t.close()'],
    },
    {
      tool: 'archive_tar_extract',
      pack: ['python3', '-c', 'import tarfile; t = tarfile.open("a", "w", format=tarfile.GNU_FORMAT); t.add("src"); t.close()'],
    },
  ];
  for (const {
    tool,
    pack: [program = '', ...args],
  } of theirs) {
    it(`of ${program} ${args.slice(0, -1).join(' ').slice(0, 60)} are extracted by ${tool} to what was packed`, async () => {
      const folder = await sample();
      execFileSync(
        program,
        args.map((arg) => (program === 'zip' && arg === 'a' ? 'a.zip' : arg)),
        { cwd: folder },
      );
      const archive = path.join(folder, program === 'zip' ? 'a.zip' : 'a');
      const output = (await run(tool, { path: archive, destination: path.join(folder, 'out') })) as {
        entries: string[];
        total: number;
        bytes: number;
      };
      expectSame(path.join(folder, 'src'), path.join(folder, 'out/src'));
      expect(output.entries).to.include.members(['src/sub/link', 'src/empty folder/', 'src/Grüße 世界 👋.txt']);
      expect(output).to.include({ total: 52, bytes: 6000 + 'Grüße'.length + 2 + 1 + 4 + 4 + 300_000 });
    });
  }

  it('are listed as unzip and tar list them', async () => {
    const folder = await sample();
    execFileSync('zip', ['-q', '-r', '-y', 'a.zip', 'src'], { cwd: folder });
    execFileSync('tar', ['-czf', 'a.tgz', 'src'], { cwd: folder });
    const names = async (name: string): Promise<unknown[]> => {
      const { entries } = (await run('archive_list', { path: path.join(folder, name) })) as { entries: { path: string; size: number }[] };
      return entries.map((entry) => `${entry.size} ${entry.path}`);
    };
    // Where the archive does not say that a name is UTF-8, Python takes it for CP437.
    const script = [
      'import zipfile',
      'for i in zipfile.ZipFile("a.zip").infolist():',
      '  print(i.file_size, i.filename if i.flag_bits & 0x800 else i.filename.encode("cp437").decode())',
    ].join('\n');
    const ofPython = execFileSync(pythonProgram(), ['-X', 'utf8', '-c', script], { cwd: folder, encoding: 'utf8' });
    expect(await names('a.zip')).to.deep.equal(ofPython.trim().split('\n'));
    const ofUnzip = execFileSync('unzip', ['-Z1', '-UU', 'a.zip'], { cwd: folder, encoding: 'utf8' });
    expect(ofUnzip.trim().split('\n')).to.have.length((await names('a.zip')).length);
    const ofTar = execFileSync('tar', ['--quoting-style=literal', '-tzf', 'a.tgz'], { cwd: folder, encoding: 'utf8' });
    expect((await names('a.tgz')).map((line) => String(line).replace(/^\d+ /, ''))).to.deep.equal(ofTar.trim().split('\n'));
  });
});
