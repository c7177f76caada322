import { execFileSync, spawnSync } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import { rejection } from '../../../support/rejection.ts';
import { temporaryFolder } from '../../../support/temporary.ts';
import { sharedToolkit } from './shared-toolkit.ts';

interface Comparison {
  readonly equal: boolean;
  readonly method: string;
  readonly diff: string;
  readonly added: number;
  readonly removed: number;
  readonly first_difference?: number;
}

const numbers = (count: number, line: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => `${line(index)}\n`).join('');

describe('fs_compare_files', () => {
  const shared = sharedToolkit();
  const compare = async (folder: string, context = 3): Promise<Comparison> => {
    const files = { left: path.join(folder, 'left'), right: path.join(folder, 'right') };
    return (await shared.toolkit.execute('fs_compare_files', { ...files, context })) as unknown as Comparison;
  };
  const lines = numbers(40, (index) => `Zeile ${index}`);

  const pairs = [
    { name: 'a changed line', left: lines, right: lines.replace('Zeile 20\n', 'Ünïcode 世界\n') },
    { name: 'changes that are far apart', left: lines, right: lines.replace('Zeile 2\n', '').replace('Zeile 35\n', 'x\ny\n') },
    { name: 'changes whose context touches', left: lines, right: lines.replace('Zeile 10\n', '').replace('Zeile 17\n', '') },
    { name: 'a new file', left: '', right: 'eins\nzwei\n' },
    { name: 'an emptied file', left: 'eins\nzwei', right: '' },
    { name: 'a missing line end in the left file', left: 'a\nb', right: 'a\nb\n' },
    { name: 'a missing line end in both files', left: 'a\nb', right: 'a\nc' },
    { name: 'other line ends', left: 'a\r\nb\r\n', right: 'a\nb\n' },
    { name: 'a byte order mark', left: 'a\n', right: '\uFEFFa\n' },
    { name: 'changes at both ends', left: lines, right: `first\n${lines}last` },
    { name: 'repeated lines', left: 'a\na\nb\na\nb\nb\na\n', right: 'b\na\na\na\nb\na\nb\n' },
  ];
  for (const context of [0, 1, 3]) {
    for (const { name, left, right } of pairs) {
      it(`shows ${name} with ${context} lines of context, as patch accepts it and as short as diff does`, async () => {
        const folder = await temporaryFolder({ left, right });
        const output = await compare(folder, context);
        expect(output).to.include({ equal: false, method: 'lines' });
        execFileSync('patch', ['-s', 'left'], { cwd: folder, input: output.diff });
        expect(await readFile(path.join(folder, 'left'), 'utf8')).to.equal(right);
        await writeFile(path.join(folder, 'left'), left);
        const { stdout } = spawnSync('diff', ['-d', '-U', String(context), 'left', 'right'], { cwd: folder, encoding: 'utf8' });
        const marked = (mark: string): number => stdout.split('\n').filter((line) => line.startsWith(mark)).length - 1;
        expect({ added: output.added, removed: output.removed }).to.deep.equal({ added: marked('+'), removed: marked('-') });
      });
    }
  }

  it('names the files and gives the place of the first byte that differs', async () => {
    const folder = await temporaryFolder({ left: 'eins\nzwei\n', right: 'eins\ndrei\n' });
    expect(await compare(folder)).to.deep.equal({
      equal: false,
      method: 'lines',
      diff: '--- left\n+++ right\n@@ -1,2 +1,2 @@\n eins\n-zwei\n+drei\n',
      added: 1,
      removed: 1,
      first_difference: 5,
    });
  });

  const bytes = [
    { name: 'equal texts', left: 'gleich', right: 'gleich', says: { equal: true } },
    { name: 'empty files', left: '', right: '', says: { equal: true } },
    { name: 'binary files', left: 'a\0b', right: 'a\0c', says: { equal: false, first_difference: 2 } },
    { name: 'a binary file and its beginning', left: 'a\0b', right: 'a\0', says: { equal: false, first_difference: 2 } },
    { name: 'a text and a binary file', left: 'a', right: 'a\0', says: { equal: false, first_difference: 1 } },
    { name: 'other encodings', left: Buffer.from('Gr\xfc\xdfe', 'latin1'), right: 'Grüße', says: { equal: false, first_difference: 2 } },
    {
      name: 'texts of over 16 MiB',
      left: 'x'.repeat(17_000_000),
      right: `${'x'.repeat(16_999_999)}y`,
      says: { equal: false, first_difference: 16_999_999 },
    },
    {
      name: 'texts of over a million lines',
      left: '\n'.repeat(1_000_001),
      right: '\n'.repeat(1_000_002),
      says: { equal: false, first_difference: 1_000_001 },
    },
  ];
  for (const { name, left, right, says } of bytes) {
    it(`compares ${name} by bytes`, async () => {
      const folder = await temporaryFolder();
      await writeFile(path.join(folder, 'left'), left);
      await writeFile(path.join(folder, 'right'), right);
      expect(await compare(folder)).to.deep.equal({ method: 'bytes', diff: '', added: 0, removed: 0, ...says });
    });
  }

  const large = [
    {
      name: 'with another end of every second line',
      right: (index: number) => (index % 2 === 0 ? `Zeile ${index}` : `Zeile ${index}!`),
      changed: 50_000,
    },
    { name: 'that have nothing in common', right: (index: number) => `line ${index}`, changed: 100_000 },
    { name: 'with lines in another order', right: (index: number) => `Zeile ${(index * 7) % 100_000}`, changed: undefined },
  ];
  for (const { name, right, changed } of large) {
    it(`shows the changes of 100,000 lines ${name}`, async () => {
      const after = numbers(100_000, right);
      const folder = await temporaryFolder({ left: numbers(100_000, (index) => `Zeile ${index}`), right: after });
      const output = await compare(folder);
      if (changed !== undefined) expect(output).to.include({ added: changed, removed: changed });
      execFileSync('patch', ['-s', 'left'], { cwd: folder, input: output.diff });
      expect(await readFile(path.join(folder, 'left'), 'utf8')).to.equal(after);
    });
  }

  it('says when the diff would be too long', async () => {
    const folder = await temporaryFolder({ left: `${'a'.repeat(9_000_000)}\n`, right: `${'b'.repeat(9_000_000)}\n` });
    const error = await rejection(compare(folder), 'OUTPUT_TOO_LARGE');
    expect(error.message).to.include('1 added and 1 removed lines');
  });

  it('refuses a folder and a file that does not exist, on either side', async () => {
    const folder = await temporaryFolder({ left: '' });
    for (const [left, right, code] of [
      ['left', 'nothing', 'NOT_FOUND'],
      ['nothing', 'left', 'NOT_FOUND'],
      ['left', '.', 'EXECUTION_FAILED'],
    ] as const) {
      const places = { left: path.join(folder, left), right: path.join(folder, right) };
      await rejection(shared.toolkit.execute('fs_compare_files', places), code);
    }
  });
});
