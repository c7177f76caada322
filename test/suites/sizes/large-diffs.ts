import { execFileSync } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import { type Ground, manyLines as lineCount, shown } from './ground.ts';

const textOf = (line: (index: number) => string): string => Array.from({ length: lineCount }, (_, index) => `${line(index)}\n`).join('');

const numbered = (index: number): string => `Zeile ${index}`;

/** A letter for each line, in no order that repeats soon. */
const scattered = (factor: number) => (index: number) => 'abcd'[Math.floor(Math.abs(Math.sin(index * factor)) * 4)] ?? '';

const pairs = [
  { name: 'every hundredth line', left: numbered, right: (index: number) => (index % 100 === 0 ? `Zeile ${index}!` : numbered(index)) },
  { name: 'every second line', left: numbered, right: (index: number) => (index % 2 === 0 ? `Zeile ${index}!` : numbered(index)) },
  { name: 'every line', left: numbered, right: (index: number) => `line ${index}` },
  { name: 'lines of a few kinds', left: scattered(12.9898), right: scattered(78.233) },
];

export function testLargeDiffs(ground: () => Ground): void {
  for (const { name, left, right } of pairs) {
    it(`compares texts of ${shown(lineCount)} lines that differ in ${name}`, async () => {
      const folder = path.join(ground().folder, 'compared');
      await mkdir(folder);
      const [before, after] = [textOf(left), textOf(right)];
      await writeFile(path.join(folder, 'left'), before);
      await writeFile(path.join(folder, 'right'), after);
      const check = (diff: unknown): void => {
        execFileSync('patch', ['-s', '-o', 'patched', 'left'], { cwd: folder, input: String(diff) });
        execFileSync('cmp', ['patched', 'right'], { cwd: folder });
      };
      await ground().run(async (call) => {
        check((await call('fs_compare_files', { left: 'compared/left', right: 'compared/right' })).output['diff']);
        check((await call('text_diff', { left: before, right: after })).output['diff']);
      });
    });
  }

  it(`applies a patch of ${shown(lineCount)} lines and makes edits in every line of a text of as many`, async () => {
    const folder = path.join(ground().folder, 'patched');
    const lines = Array.from({ length: lineCount }, (_, index) => `Zeile ${index}\n`);
    const changed = lines.map((line, index) => (index % 5 === 2 ? `neu ${line}` : line));
    await mkdir(folder);
    await writeFile(path.join(folder, 'a.txt'), lines.join(''));
    await writeFile(path.join(folder, 'b.txt'), 'alt und lang\n'.repeat(lineCount));
    const hunks = Array.from({ length: lineCount / 5 }, (_, hunk) => {
      const at = hunk * 5 + 1;
      return `@@ -${at + 1},3 +${at + 1},3 @@\n ${lines[at]}-${lines[at + 1]}+${changed[at + 1]} ${lines[at + 2]}`;
    });
    const patch = `--- a/a.txt\n+++ b/a.txt\n${hunks.join('')}`;
    expect(patch.split('\n').length).to.be.above(lineCount);
    await ground().run(async (call) => {
      const applied = await call('fs_apply_patch', { root: 'patched', patch });
      expect(applied.output['files']).to.deep.equal([{ path: 'a.txt', status: 'modified', hunks: hunks.length }]);
      const edits = [{ old_text: 'l', new_text: 'L', replace_all: true }];
      const edited = await call('fs_edit_file', { path: 'patched/b.txt', edits });
      expect(edited.output).to.include({ replacements: 2 * lineCount, diff_truncated: true });
      expect(String(edited.output['diff']).startsWith(`--- a/b.txt\n+++ b/b.txt\n@@ -1,${lineCount} +1,${lineCount} @@\n-alt`)).to.equal(
        true,
      );
    });
    expect(await readFile(path.join(folder, 'a.txt'), 'utf8')).to.equal(changed.join(''));
    expect(await readFile(path.join(folder, 'b.txt'), 'utf8')).to.equal('aLt und Lang\n'.repeat(lineCount));
  });
}
