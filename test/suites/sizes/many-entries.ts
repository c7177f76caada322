import { execFileSync } from 'node:child_process';
import { readdir } from 'node:fs/promises';
import { expect } from 'chai';
import { pythonArchive } from '../../tools/core/archive/python-archive.ts';
import { type Ground, listedFiles, manyFiles, nameOf, shown } from './ground.ts';

/** One for each 5,000 files. */
const expectedReports = manyFiles / 5000;

/** Maximum number of entries that `archive_list` returns. */
const maxListed = 10_000;

const names = (from: number, to: number): string[] => Array.from({ length: to - from }, (_, index) => nameOf(from + index));

export function testManyEntries(ground: () => Ground): void {
  it(`lists, draws and finds ${shown(manyFiles)} files`, async () => {
    await ground().run(async (call) => {
      for (const sort of ['name', 'size', 'modified']) {
        const listed = await call<{ entries: { name: string }[] }>('fs_list_directory', { path: 'many', sort, max_entries: listedFiles });
        expect(listed.output).to.include({ total: manyFiles, truncated: true });
        expect(listed.output.entries).to.have.length(listedFiles);
        if (sort === 'name') expect(listed.output.entries.map(({ name }) => name)).to.deep.equal(names(0, listedFiles));
      }
      const drawn = await call('fs_tree', { path: 'many', max_entries: listedFiles });
      expect(drawn.output).to.include({ entries: listedFiles, truncated: true });
      const found = await call('fs_find', { pattern: '*.txt', max_results: listedFiles });
      expect(found.output).to.deep.equal({
        paths: names(0, listedFiles).map((name) => `many/${name}`),
        truncated: true,
        next_offset: listedFiles,
      });
      const few = await call('fs_find', { pattern: `${nameOf(manyFiles - 1).slice(0, -5)}?.txt` });
      expect(few.output['paths']).to.deep.equal(names(manyFiles - 10, manyFiles).map((name) => `many/${name}`));
    });
  });

  it(`measures and searches ${shown(manyFiles)} files`, async () => {
    await ground().run(async (call) => {
      const measured = await call('fs_disk_usage', { path: 'many' });
      const bytes = names(0, manyFiles).reduce((sum, _, index) => sum + Buffer.byteLength(`ä ${index}\nneedle\n`), 0);
      expect(measured.output).to.include({ total_bytes: bytes });
      expect(measured.reports).to.equal(expectedReports);
      const matches = await call<{ matches: { path: string }[] }>('fs_search', { path: 'many', pattern: `^ä (7|${manyFiles - 1})$` });
      expect(matches.output).to.have.property('matches');
      expect(matches.output.matches.map((match) => match.path)).to.deep.equal([nameOf(7), nameOf(manyFiles - 1)]);
      const counted = await call('fs_replace_in_files', { path: 'many', glob: '*.txt', pattern: 'ä 123', replacement: 'x' });
      expect(counted.output['total']).to.equal(names(0, manyFiles).filter((_, index) => String(index).startsWith('123')).length);
    });
  });

  it(`copies and deletes a folder of ${shown(manyFiles)} files`, async () => {
    const { folder } = ground();
    await ground().run(async (call) => {
      const copied = await call('fs_copy', { source: 'many', destination: 'copy', recursive: true });
      execFileSync('diff', ['-rq', 'many', 'copy'], { cwd: folder });
      const deleted = await call('fs_delete', { path: 'copy', recursive: true });
      for (const { output, reports } of [copied, deleted]) {
        expect(output['entries']).to.equal(manyFiles + 1);
        expect(reports).to.equal(expectedReports);
      }
    });
    expect(await readdir(folder)).to.deep.equal(['many']);
  });

  for (const { kind, archive, check } of [
    { kind: 'zip', archive: 'many.zip', check: ['unzip', '-tqq', 'many.zip'] },
    { kind: 'tar', archive: 'many.tar.gz', check: ['tar', '-tzf', 'many.tar.gz'] },
  ] as const) {
    it(`makes, lists and extracts a ${kind} archive of ${shown(manyFiles)} files`, async () => {
      const { folder } = ground();
      await ground().run(async (call) => {
        const made = await call(`archive_${kind}_create`, { paths: ['many'], destination: archive });
        expect(made.output['entries']).to.equal(manyFiles + 1);
        const [program, ...args] = check;
        execFileSync(program, args, { cwd: folder, maxBuffer: 10_000_000 });
        const listed = await call<{ entries: unknown[] }>('archive_list', { path: archive });
        expect(listed.output).to.include({ total: manyFiles + 1, truncated: manyFiles >= maxListed });
        expect(listed.output.entries).to.have.length(Math.min(manyFiles + 1, maxListed));
        const extracted = await call(`archive_${kind}_extract`, { path: archive, destination: 'out' });
        expect(extracted.output['total']).to.equal(manyFiles + 1);
        for (const { reports } of [made, extracted]) expect(reports).to.equal(expectedReports);
      });
      execFileSync('diff', ['-rq', 'many', 'out/many'], { cwd: folder });
    });
  }

  it('refuses a zip archive of more than 100,000 entries, and leaves nothing', async () => {
    const { folder } = ground();
    pythonArchive(folder, 'a.zip', 'with zipfile.ZipFile(target, "w") as z:\n  for i in range(100001): z.writestr(str(i), "")');
    await ground().run(async (call) => {
      const { output } = await call('archive_zip_extract', { path: 'a.zip', destination: 'out' });
      expect(output).to.include({ code: 'OUTPUT_TOO_LARGE' });
      expect(output['message']).to.include('more than 100000 files and folders');
    });
    expect(await readdir(folder)).to.deep.equal(['a.zip', 'many']);
  });
}
