import { execFileSync, spawnSync } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { rgPath } from '@vscode/ripgrep';
import { expect } from 'chai';
import { candidatePattern } from '../../../../../tools/core/fs/searching/candidate-pattern.ts';
import { linePattern } from '../../../../../tools/core/fs/searching/line-pattern.ts';
import { ripgrepArguments } from '../../../../../tools/core/fs/searching/ripgrep-candidates.ts';
import { FileSearch } from '../../../../../tools/core/fs/searching/search-file.ts';
import { seeded } from '../../../../bench/native/seeded-tree.ts';
import { temporaryFolder } from '../../../../support/temporary.ts';

const rounds = process.env['TOOLKIT_ROUNDS'] === 'whole' ? 1500 : 60;

/** Characters that patterns and texts are made of: few, so that they often meet. Among them those with cases beyond ASCII. */
const characters = ['a', 'b', 'K', 's', '1', '_', ' ', '-', '.', 'é', 'ß', 'ſ', 'K', 'İ', '世', '👋', '\uFFFD', '\uFEFF'];

/** Bytes that are not UTF-8, a byte order mark, line ends and null bytes. */
const oddBytes = [[0xff], [0xc3], [0xe4, 0xb8], [0xef, 0xbb, 0xbf], [0x0d, 0x0a], [0x0a], [0x00], [0xf0, 0x9f, 0x91], [0xed, 0xa0, 0x80]];

const escapes = [
  '\\d',
  '\\w',
  '\\s',
  '\\D',
  '\\W',
  '\\S',
  '\\b',
  '\\B',
  '\\.',
  '\\t',
  '\\x61',
  '\\u0073',
  '\\u{1F44B}',
  '\\p{L}',
  '\\P{L}',
  '\\-',
];
const classes = ['[ab]', '[^a]', '[a-c1]', '[\\w-]', '[K世]', '[s👋]', '[^\\s]', '[\\s\\S]', '[é-ſ]', '[\\]\\\\]', '[.-9]', '[]', '[^]'];
const repeats = ['*', '+', '?', '{2}', '{1,3}', '{0,}', '+?', '{0}'];
const groups: readonly (readonly [string, string])[] = [
  ['(', ')'],
  ['(?:', ')'],
  ['(?<n>', ')'],
  ['(?=', ')'],
  ['(?!', ')'],
  ['(?<=', ')'],
  ['(?<!', ')'],
];

function randomly(random: () => number): <T>(list: readonly T[]) => T {
  return (list) => list[Math.floor(random() * list.length)] as (typeof list)[number];
}

function randomPattern(random: () => number, depth = 0): string {
  const one = randomly(random);
  const atom = (): string => {
    const kind = random();
    if (kind < 0.5) return one(characters).replace(/[.]/, '\\.');
    if (kind < 0.65) return one(escapes);
    if (kind < 0.75) return one(classes);
    if (kind < 0.8) return one(['.', '^', '$']);
    if (kind < 0.82) return '\\1';
    if (depth > 2) return 'a';
    const [open, close] = one(groups);
    return `${open}${randomPattern(random, depth + 1)}${close}`;
  };
  const sequence = (): string =>
    Array.from({ length: 1 + Math.floor(random() * 3) }, () => atom() + (random() < 0.25 ? one(repeats) : '')).join('');
  return Array.from({ length: random() < 0.25 ? 2 : 1 }, sequence).join('|');
}

function randomBytes(random: () => number): Buffer {
  const one = randomly(random);
  const parts = Array.from({ length: Math.floor(random() * 14) }, () =>
    random() < 0.85 ? Buffer.from(one(characters)) : Buffer.from(one(oddBytes)),
  );
  return Buffer.concat(parts);
}

function namedIn(folder: string, pattern: string): readonly string[] {
  const { stdout, stderr, status } = spawnSync(rgPath, ripgrepArguments(pattern, []), { cwd: folder });
  expect(stderr.toString(), pattern).to.equal('');
  expect(status, pattern).to.be.oneOf([0, 1]);
  return stdout
    .toString()
    .split('\0')
    .filter((name) => name !== '')
    .map((name) => path.basename(name));
}

describe('the files that ripgrep names as candidates', () => {
  it(`are at least those that hold a match: ${rounds} patterns on 300 texts, from a seed`, async () => {
    const random = seeded(44);
    const folder = await temporaryFolder();
    const names = Array.from({ length: 300 }, (_, index) => `text-${index}`);
    const contents = new Map(names.map((name) => [name, randomBytes(random)]));
    for (const [name, bytes] of contents) await writeFile(path.join(folder, name), bytes);
    let [tried, matched, spared] = [0, 0, 0];
    while (tried < rounds) {
      const parameters = { pattern: randomPattern(random), regex: random() < 0.9, case_sensitive: random() < 0.6 };
      const expression = compiled(parameters);
      const pattern = expression === undefined ? undefined : candidatePattern(parameters);
      if (expression === undefined || pattern === undefined) continue;
      tried += 1;
      const named = new Set(namedIn(folder, pattern));
      const search = new FileSearch(expression);
      for (const name of names) {
        const count = search.countOf(path.join(folder, name));
        expect(count, `${JSON.stringify(parameters)} in ${name}`).to.equal(lineCount(contents.get(name), expression));
        const isMatch = count > 0;
        if (isMatch) expect(named.has(name), `${JSON.stringify(parameters)} as ${pattern} in ${name}`).to.equal(true);
        matched += isMatch ? 1 : 0;
        spared += named.has(name) ? 0 : 1;
      }
    }
    // The patterns are such that both happen often.
    expect(matched).to.be.above(10 * rounds);
    expect(spared).to.be.above(10 * rounds);
  }).timeout(rounds * 2000);

  const binary: readonly { readonly what: string; readonly bytes: Buffer; readonly pattern: string; readonly isMatch: boolean }[] = [
    {
      what: 'a null byte behind the first 8000 bytes, and a match behind it',
      bytes: text(9000, '\0', 'needle'),
      pattern: 'needle',
      isMatch: true,
    },
    { what: 'a null byte in a match', bytes: text(9000, 'x\0y'), pattern: 'x.y', isMatch: true },
    { what: 'a null byte among the first 8000', bytes: text(10, '\0', 'needle'), pattern: 'needle', isMatch: false },
    { what: 'UTF-16', bytes: Buffer.from('\uFEFFneedle', 'utf16le'), pattern: 'needle', isMatch: false },
    { what: 'the mark of UTF-16 before ASCII', bytes: Buffer.from('\xff\xfeneedle', 'latin1'), pattern: 'needle', isMatch: true },
    { what: 'a byte order mark before an anchor', bytes: Buffer.from('\uFEFFneedle'), pattern: '^needle', isMatch: true },
    { what: 'CR LF before an anchor', bytes: Buffer.from('needle\r\n'), pattern: 'needle$', isMatch: true },
    { what: 'bytes that are not UTF-8 where any character may be', bytes: Buffer.from('a\xffb', 'latin1'), pattern: 'a.b', isMatch: true },
    { what: 'bytes that are not UTF-8 for U+FFFD', bytes: Buffer.from('a\xffb', 'latin1'), pattern: 'a\uFFFDb', isMatch: true },
    { what: 'a name that is ignored', bytes: Buffer.from('needle'), pattern: 'needle', isMatch: true },
  ];
  for (const { what, bytes, pattern, isMatch } of binary)
    it(`have ${what}, which our reader ${isMatch ? 'finds' : 'leaves out'}`, async () => {
      const folder = await temporaryFolder({ '.ignore': '*\n', '.gitignore': '*\n', '.hidden/.ripgreprc': '' });
      await writeFile(path.join(folder, '.hidden/file'), bytes);
      const written = candidatePattern({ pattern, regex: true, case_sensitive: true }) ?? '';
      expect(namedIn(folder, written)).to.include('file');
      const parameters = { pattern, regex: true, case_sensitive: true };
      expect(new FileSearch(linePattern(parameters)).countOf(path.join(folder, '.hidden/file')) > 0).to.equal(isMatch);
    });

  it('are none of a link, and none for a pipe', async () => {
    const outside = await temporaryFolder({ 'a.txt': 'needle' });
    const folder = await temporaryFolder();
    await mkdir(path.join(folder, 'sub'));
    execFileSync('ln', ['-s', outside, path.join(folder, 'out')]);
    execFileSync('ln', ['-s', path.join(outside, 'a.txt'), path.join(folder, 'a.txt')]);
    execFileSync('mkfifo', [path.join(folder, 'sub/pipe')]);
    expect(namedIn(folder, candidatePattern({ pattern: 'needle', regex: false, case_sensitive: true }) ?? '')).to.deep.equal([]);
  });

  const unknown = [
    'a*',
    'a|',
    '^',
    '(?:)',
    '\\d{0,3}',
    '(?=a)',
    'a\\01',
    '\uD83D',
    '(?-i:a)',
    `${'('.repeat(60)}a${')'.repeat(60)}`,
    '\\k<n>',
  ];
  for (const pattern of unknown)
    it(`are all files for ${JSON.stringify(pattern).slice(0, 40)}`, () => {
      expect(candidatePattern({ pattern, regex: true, case_sensitive: true })).to.equal(undefined);
    });

  it('come from a pattern in time that grows with its length', () => {
    for (const pattern of ['('.repeat(10_000), '[a-z'.repeat(2500), 'a{1,2}'.repeat(1600), '\\'.repeat(10_000)])
      expect(candidatePattern({ pattern, regex: true, case_sensitive: false })?.length ?? 0).to.be.below(100_100);
  });
});

/** Counts matching lines as plainly as it can be done. */
function lineCount(bytes: Uint8Array | undefined, expression: RegExp): number {
  if (bytes === undefined || bytes.includes(0) || bytes.length === 0) return 0;
  const lines = new TextDecoder().decode(bytes).split('\n');
  if (bytes.at(-1) === 0x0a) lines.pop();
  return lines.filter((line) => expression.test(line.replace(/\r$/, ''))).length;
}

function compiled(parameters: Parameters<typeof linePattern>[0]): RegExp | undefined {
  try {
    return linePattern(parameters);
  } catch {
    return undefined;
  }
}

function text(before: number, ...parts: readonly string[]): Buffer {
  return Buffer.from(`${'-'.repeat(before)}\n${parts.join('')}`);
}
