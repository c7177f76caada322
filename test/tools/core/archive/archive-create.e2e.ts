import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { chmod, mkdir, readdir, readFile, symlink, truncate, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import { rejection } from '../../../support/rejection.ts';
import { inRound } from '../../../support/round.ts';
import { temporaryFolder } from '../../../support/temporary.ts';
import { sharedToolkit } from '../fs/shared-toolkit.ts';
import { until } from '../fs/until.ts';

const kinds = [
  { tool: 'archive_zip_create', name: 'a.zip' },
  { tool: 'archive_tar_create', name: 'a.tar.gz' },
] as const;

for (const { tool, name } of kinds) {
  describe(tool, () => {
    const shared = sharedToolkit();
    const pack = (folder: string, paths: readonly string[], given: Readonly<Record<string, unknown>> = {}): Promise<unknown> =>
      shared.toolkit.execute(tool, { paths: paths.map((each) => path.join(folder, each)), destination: path.join(folder, name), ...given });
    const listed = async (archive: string): Promise<string[]> => {
      const { entries } = (await shared.toolkit.execute('archive_list', { path: archive })) as { entries: { path: string }[] };
      return entries.map((entry) => entry.path).sort();
    };

    const cases = [
      { paths: ['docs'], entries: ['docs/', 'docs/a', 'docs/sub/', 'docs/sub/b'] },
      { paths: ['docs/a'], entries: ['a'] },
      { paths: ['docs/a', 'docs/sub/b'], entries: ['a', 'sub/b'] },
      { paths: ['docs/sub', 'other/c'], entries: ['docs/sub/', 'docs/sub/b', 'other/c'] },
      { paths: ['docs', 'docs/sub', 'docs/a', 'docs'], entries: ['docs/', 'docs/a', 'docs/sub/', 'docs/sub/b'] },
      { paths: ['docs/sub', 'docs/sub2'], entries: ['sub/', 'sub/b', 'sub2'] },
    ];
    for (const { paths, entries } of cases) {
      it(`packs ${paths.join(', ')} under the paths ${entries.join(', ')}`, async () => {
        const folder = await temporaryFolder({ 'docs/a': '', 'docs/sub/b': '', 'other/c': '', 'docs/sub2': '' });
        const hidden = entries.includes('sub2') ? [] : ['docs/sub2'];
        for (const each of hidden) execFileSync('rm', [path.join(folder, each)]);
        await pack(folder, paths);
        expect(await listed(path.join(folder, name))).to.deep.equal(entries);
      });
    }

    it('packs an empty folder into new folders, and leaves itself out', async () => {
      const folder = await temporaryFolder({ 'src/a': 'x' });
      await mkdir(path.join(folder, 'src/nothing'));
      const destination = path.join(folder, 'src/dist/new', name);
      await shared.toolkit.execute(tool, { paths: [path.join(folder, 'src')], destination });
      expect(await listed(destination)).to.deep.equal(['src/', 'src/a', 'src/nothing/']);
      await shared.toolkit.execute(tool, { paths: [path.join(folder, 'src')], destination, overwrite: true });
      expect(await listed(destination)).to.deep.equal(['src/', 'src/a', 'src/dist/', 'src/dist/new/', 'src/nothing/']);
      expect(await readdir(path.dirname(destination))).to.deep.equal([name]);
    });

    it('replaces an archive only when told to', async () => {
      const folder = await temporaryFolder({ a: 'x', [name]: 'alt' });
      expect((await rejection(pack(folder, ['a']), 'EXECUTION_FAILED')).message)
        .to.include('exists already')
        .and.to.include('overwrite to true');
      expect(await readFile(path.join(folder, name), 'utf8')).to.equal('alt');
      await pack(folder, ['a'], { overwrite: true });
      expect(await listed(path.join(folder, name))).to.deep.equal(['a']);
    });

    it('refuses what it cannot pack, says what it is, and leaves nothing', async () => {
      const base = await temporaryFolder({ 'root/link/x': '', 'root/pipe/x': '', 'root/folder/x': '', 'secret.txt': '' });
      const root = path.join(base, 'root');
      await symlink('../../secret.txt', path.join(root, 'link/leaving'));
      await symlink(path.join(root, 'link/x'), path.join(root, 'folder/absolute'));
      execFileSync('mkfifo', [path.join(root, 'pipe/pipe')]);
      const refusals = [
        { paths: ['link'], code: 'EXECUTION_FAILED', says: 'link/leaving" is a symbolic link that leads out of the folder' },
        { paths: ['folder'], code: 'EXECUTION_FAILED', says: 'folder/absolute" is a symbolic link that leads out' },
        { paths: ['pipe'], code: 'EXECUTION_FAILED', says: 'pipe/pipe" is a pipe, a socket or a device' },
        { paths: ['link/x', 'nothing'], code: 'NOT_FOUND', says: 'nothing' },
        { paths: ['../../../etc'], code: 'INVALID_PARAMETERS', says: 'expected a path inside' },
        { paths: [], code: 'INVALID_PARAMETERS', says: 'paths' },
      ] as const;
      for (const { paths, code, says } of refusals) {
        expect((await rejection(pack(root, paths, { destination: path.join(root, 'new', name) }), code)).message).to.include(says);
      }
      expect((await rejection(pack(root, ['link/x'], { destination: root }), 'EXECUTION_FAILED')).message).to.include('is a folder');
      expect(await readdir(root)).to.deep.equal(['folder', 'link', 'pipe']);
    });

    it('leaves nothing behind when it is cancelled in the middle, and reports progress until then', async () => {
      const folder = await temporaryFolder({ 'src/a.bin': '' });
      await truncate(path.join(folder, 'src/a.bin'), 2 ** 30);
      const controller = new AbortController();
      const seen: unknown[] = [];
      const onProgress = (progress: unknown): void => {
        seen.push(progress);
        controller.abort();
      };
      const places = { paths: [path.join(folder, 'src')], destination: path.join(folder, 'new', name) };
      await rejection(shared.toolkit.execute(tool, places, { signal: controller.signal, onProgress }), 'ABORTED');
      expect(seen[0]).to.deep.equal({ progress: 33_554_432, total: 2 ** 30, message: 'bytes packed (entries: 1)' });
      await until(async () => (await readdir(folder)).length === 1);
      expect(await readdir(folder)).to.deep.equal(['src']);
    });

    it('packs files that only the owner may read, and keeps that', async () => {
      const folder = await temporaryFolder({ 'src/secret': 'x' });
      await chmod(path.join(folder, 'src/secret'), 0o600);
      await pack(folder, ['src']);
      const [program, ...args] = tool === 'archive_zip_create' ? ['zipinfo', name] : ['tar', '-tvzf', name];
      expect(execFileSync(program ?? '', args, { cwd: folder, encoding: 'utf8' })).to.match(/-rw-------.*secret/);
    });
  });
}

describe('archive_zip_create', () => {
  const shared = sharedToolkit();

  it('refuses a name with a backslash, which would become a folder', async () => {
    const folder = await temporaryFolder();
    await writeFile(path.join(folder, 'a\\b'), '');
    const places = { paths: [path.join(folder, 'a\\b')], destination: path.join(folder, 'a.zip') };
    const error = await rejection(shared.toolkit.execute('archive_zip_create', places), 'EXECUTION_FAILED');
    expect(error.message).to.include('a zip archive cannot hold names with a backslash');
    expect(await readdir(folder)).to.deep.equal(['a\\b']);
  });

  it('packs many folders behind a file', async () => {
    const folder = await temporaryFolder({ 'src/0.txt': 'x' });
    const folders = inRound({ whole: 5000, short: 1500 });
    for (let index = 0; index < folders; index++) mkdirSync(path.join(folder, `src/d${index}`));
    const places = { paths: [path.join(folder, 'src')], destination: path.join(folder, 'a.zip') };
    expect(await shared.toolkit.execute('archive_zip_create', places)).to.include({ entries: folders + 2 });
    execFileSync('unzip', ['-tqq', 'a.zip'], { cwd: folder });
  });
});
