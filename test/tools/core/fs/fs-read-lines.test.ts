import { execFileSync } from 'node:child_process';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import type { Toolkit } from '../../../../plugins/toolkit/index.ts';
import { coreGroup } from '../../../support/core-group.ts';
import { rejection } from '../../../support/rejection.ts';
import { temporaryFolder } from '../../../support/temporary.ts';

const { coreToolkit } = coreGroup('fs');

interface Lines {
  readonly lines: readonly string[];
  readonly start: number;
  readonly end: number;
  readonly total_lines: number;
  readonly cut?: readonly number[];
}

const readLines = (toolkit: Toolkit, parameters: Record<string, unknown>): Promise<Lines> =>
  toolkit.execute('fs_read_lines', { path: 'a.txt', ...parameters }) as unknown as Promise<Lines>;

/** A toolkit for a folder with the file a.txt. */
async function withFile(content: string | Buffer): Promise<Toolkit> {
  const folder = await temporaryFolder();
  await writeFile(path.join(folder, 'a.txt'), content);
  return coreToolkit({ roots: [folder] });
}

describe('fs_read_lines', () => {
  const texts = [
    { text: 'Grüße\n世界\n👋\n', lines: ['Grüße', '世界', '👋'] },
    { text: 'a\nb', lines: ['a', 'b'] },
    { text: 'a\r\nb\r\n\r\nc\r', lines: ['a', 'b', '', 'c'] },
    { text: 'a\rb\n', lines: ['a\rb'] },
    { text: '\n\n', lines: ['', ''] },
    { text: '\uFEFFa\n\uFEFFb', lines: ['a', '\uFEFFb'] },
    { text: '', lines: [] },
  ];
  for (const { text, lines } of texts) {
    it(`gives ${JSON.stringify(lines)} for ${JSON.stringify(text)}`, async () => {
      const toolkit = await withFile(text);
      expect(await readLines(toolkit, {})).to.deep.equal({
        lines,
        start: 1,
        end: lines.length,
        total_lines: lines.length,
        truncated: false,
      });
    });
  }

  const ranges = [{ start: 1, end: 1 }, { start: 3, end: 5 }, { start: 9, end: 20 }, { start: 10 }, { end: 2 }];
  for (const range of ranges) {
    it(`gives what sed gives for the lines ${JSON.stringify(range)}`, async () => {
      const text = Array.from({ length: 10 }, (_, index) => `Zeile ${index + 1} ä`).join('\n');
      const folder = await temporaryFolder({ 'a.txt': text });
      const toolkit = await coreToolkit({ roots: [folder] });
      const { lines, start, end, total_lines } = await readLines(toolkit, range);
      const sed = execFileSync('sed', ['-n', `${range.start ?? 1},${range.end ?? '$'}p`, path.join(folder, 'a.txt')], { encoding: 'utf8' });
      expect(lines).to.deep.equal(sed.replace(/\n$/, '').split('\n'));
      expect({ start, end, total_lines }).to.deep.equal({ start: range.start ?? 1, end: Math.min(range.end ?? 10, 10), total_lines: 10 });
    });
  }

  it('gives nothing behind the last line and still tells how many there are', async () => {
    const toolkit = await withFile('a\nb\n');
    expect(await readLines(toolkit, { start: 3 })).to.deep.equal({ lines: [], start: 3, end: 2, total_lines: 2, truncated: false });
  });

  it('finds line ends and characters across the borders of what it reads at once', async () => {
    const lines = Array.from({ length: 60_000 }, (_, index) => `${index} äöü€👋`);
    const toolkit = await withFile(lines.join('\r\n'));
    for (const start of [1, 12_345, 56_000]) {
      const part = await readLines(toolkit, { start, end: start + 4999 });
      expect(part.lines).to.deep.equal(lines.slice(start - 1, start + 4999));
      expect(part.total_lines).to.equal(60_000);
    }
  });

  it('gives 5000 lines at most, and less than a mebibyte', async () => {
    const short = await withFile('x\n'.repeat(6000));
    expect(await readLines(short, {})).to.include({ start: 1, end: 5000, total_lines: 6000 });
    const long = await withFile(`${'ä'.repeat(500)}\n`.repeat(2000));
    const part = await readLines(long, {});
    expect(part.end).to.equal(Math.floor(1_048_576 / 1000));
    expect(part.lines).to.have.length(part.end);
    expect(await readLines(long, { start: part.end + 1 })).to.include({ end: 2000, total_lines: 2000 });
  });

  const longLines = [
    { of: 'ASCII', line: 'x'.repeat(2001), shown: 'x'.repeat(2000) },
    { of: 'characters of three bytes', line: '界'.repeat(5000), shown: '界'.repeat(2000) },
    { of: 'surrogate pairs', line: `a${'👋'.repeat(5000)}`, shown: `a${'👋'.repeat(999)}` },
  ];
  for (const { of, line, shown } of longLines) {
    it(`cuts a long line of ${of} after 2000 characters, none of them in half, and says so`, async () => {
      const toolkit = await withFile(`eins\n${line}\r\n${'y'.repeat(2000)}\r\n`);
      const { lines, cut, total_lines } = await readLines(toolkit, {});
      expect(lines).to.deep.equal(['eins', `${shown}…`, 'y'.repeat(2000)]);
      expect({ cut, total_lines }).to.deep.equal({ cut: [2], total_lines: 3 });
    });
  }

  it('reads a file of which a single line does not fit into the answer', async () => {
    const toolkit = await withFile(`${'x'.repeat(20_000_000)}\nEnde`);
    const { lines, total_lines } = await readLines(toolkit, {});
    expect(lines.map((line) => line.length)).to.deep.equal([2001, 4]);
    expect(total_lines).to.equal(2);
  });

  it('refuses a binary file, and a line that is not UTF-8 by its number', async () => {
    const binary = await rejection(readLines(await withFile(Buffer.from([0x61, 0, 0x62])), {}), 'EXECUTION_FAILED');
    expect(binary.message).to.include('binary file').and.to.include('"base64"');
    const latin1 = await withFile(Buffer.from('eins\nGr\xfc\xdfe\ndrei', 'latin1'));
    const error = await rejection(readLines(latin1, {}), 'EXECUTION_FAILED');
    expect(error.message).to.include('line 2 is not valid UTF-8').and.to.include('"latin1"');
    expect(await readLines(latin1, { start: 3 })).to.deep.include({ lines: ['drei'], total_lines: 3 });
  });

  it('says that a file does not exist, or is none', async () => {
    const folder = await temporaryFolder();
    await mkdir(path.join(folder, 'sub'));
    execFileSync('mkfifo', [path.join(folder, 'pipe')]);
    const toolkit = await coreToolkit({ roots: [folder] });
    expect((await rejection(readLines(toolkit, { path: 'fehlt' }), 'NOT_FOUND')).message).to.include('fs_tree');
    expect((await rejection(readLines(toolkit, { path: 'sub' }), 'EXECUTION_FAILED')).message).to.include('it is a folder');
    expect((await rejection(readLines(toolkit, { path: 'pipe' }), 'EXECUTION_FAILED')).message).to.include('a pipe, a socket or a device');
  });

  it('refuses a link that leaves the root', async () => {
    const outside = await temporaryFolder({ 'a.txt': 'geheim' });
    const folder = await temporaryFolder();
    await symlink(path.join(outside, 'a.txt'), path.join(folder, 'a.txt'));
    await rejection(readLines(await coreToolkit({ roots: [folder] }), {}), 'INVALID_PARAMETERS');
  });

  for (const range of [{ start: 0 }, { end: 0 }, { start: 3, end: 2 }, { start: 1.5 }]) {
    it(`refuses the range ${JSON.stringify(range)}`, async () => {
      await rejection(readLines(await withFile('a\nb\nc\n'), range), 'INVALID_PARAMETERS');
    });
  }
});
