import { execFileSync } from 'node:child_process';
import { open, readFile, stat, truncate, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import { type Ground, largeBytes, mebibyte } from './ground.ts';

const blockLines = 8192;

/** Mebibytes of the largest files. */
const large = largeBytes / mebibyte;

/** Lines of 128 bytes with their line end, a mebibyte of them. */
const block = Buffer.from(Array.from({ length: blockLines }, (_, index) => `${String(index).padStart(126, '.')}\r\n`).join(''));

const lastLine = 'Ende 世界';

const content = (index: number): string => String(index).padStart(126, '.');

export function testLargeFiles(ground: () => Ground): void {
  it(`reads, searches, hashes, copies, compares and extends a text file of ${large} MiB`, async () => {
    const place = path.join(ground().folder, 'large.log');
    const file = await open(place, 'w');
    for (let index = 0; index < large; index++) await file.write(block);
    await file.write(lastLine);
    await file.close();
    const size = largeBytes + Buffer.byteLength(lastLine);
    await ground().run(async (call) => {
      const part = await call('fs_read_file', { path: place, offset: largeBytes - 128 });
      expect(part.output).to.include({ content: `${content(8191)}\r\n${lastLine}`, size, truncated: false });
      const middle = await call('fs_read_lines', { path: place, start: (large / 2) * blockLines, end: (large / 2) * blockLines + 1 });
      expect(middle.output).to.deep.include({ lines: [content(8191), content(0)], total_lines: large * blockLines + 1 });
      const end = await call('fs_read_lines', { path: place, start: large * blockLines });
      expect(end.output).to.deep.include({ lines: [content(8191), lastLine] });
      const found = await call<{ matches: unknown[] }>('fs_search', { path: place, pattern: '^Ende' });
      expect(found.output.matches).to.have.length(1);
      expect(found.output.matches[0]).to.include({ line: large * blockLines + 1, text: lastLine });
      const hashed = await call('fs_hash_file', { path: place });
      const [digest] = execFileSync('sha256sum', [place], { encoding: 'utf8' }).split(' ');
      expect(hashed.output).to.include({ digest, size });
      const copied = await call('fs_copy', { source: place, destination: 'copy.log' });
      const compared = await call('fs_compare_files', { left: place, right: 'copy.log' });
      expect(compared.output).to.include({ equal: true });
      for (const { reports } of [hashed, copied, compared]) expect(reports).to.equal(large / 32);
      expect((await call('fs_append_file', { path: 'copy.log', content: '\nmehr' })).output).to.include({ size: size + 5 });
      const different = await call('fs_compare_files', { left: place, right: 'copy.log' });
      expect(different.output).to.include({ equal: false, method: 'bytes', first_difference: size });
      const replaced = await call('fs_replace_in_files', { path: place, glob: '*', pattern: 'Ende', replacement: 'Anfang' });
      expect(replaced.output).to.deep.include({ total: 0 });
      expect(JSON.stringify(replaced.output['skipped'])).to.include('expected at most 16777216 bytes');
      const edited = await call('fs_edit_file', { path: place, edits: [{ old_text: 'Ende', new_text: 'Anfang' }] });
      expect(edited.output['message']).to.include('expected at most 16777216 bytes');
      await call('fs_delete', { path: 'copy.log' });
    });
    expect((await stat(place)).size).to.equal(size);
  });

  it(`gets past a line of ${large} MiB`, async () => {
    const place = path.join(ground().folder, 'line.log');
    await writeFile(place, `Anfang\n${'x'.repeat(10_000)}`);
    await truncate(place, largeBytes);
    await writeFile(place, '\nneedle\n', { flag: 'a' });
    await ground().run(async (call) => {
      const { output } = await call('fs_read_lines', { path: place });
      expect(output).to.deep.include({ lines: ['Anfang', `${'x'.repeat(2000)}…`, 'needle'], total_lines: 3, cut: [2] });
      const found = await call<{ matches: { line: number }[] }>('fs_search', { path: place, pattern: 'needle' });
      expect(found.output.matches.map(({ line }) => line)).to.deep.equal([3]);
    });
  });

  for (const { kind, archive } of [
    { kind: 'zip', archive: 'zeros.zip' },
    { kind: 'tar', archive: 'zeros.tar.gz' },
  ]) {
    it(`makes and extracts a ${kind} archive of a file of ${large / 2} MiB`, async () => {
      const { folder } = ground();
      const size = largeBytes / 2;
      await writeFile(path.join(folder, 'zeros'), '');
      await truncate(path.join(folder, 'zeros'), size);
      await ground().run(async (call) => {
        const made = await call(`archive_${kind}_create`, { paths: ['zeros'], destination: archive });
        expect(made).to.deep.include({ reports: large / 64 });
        const listed = await call('archive_list', { path: archive });
        expect(listed.output).to.include({ total: 1, total_bytes: size });
        const extracted = await call(`archive_${kind}_extract`, { path: archive, destination: 'out' });
        expect(extracted.output).to.include({ total: 1, bytes: size });
        expect(extracted.reports).to.be.within(large / 64 - 1, large / 64);
      });
      expect((await stat(path.join(folder, 'out/zeros'))).size).to.equal(size);
      expect((await readFile(path.join(folder, archive))).length).to.be.below(2 * mebibyte);
    });
  }
}
