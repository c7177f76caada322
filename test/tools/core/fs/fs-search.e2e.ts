import { execFileSync } from 'node:child_process';
import { chmod, mkdir, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import type { Toolkit } from '../../../../plugins/toolkit/index.ts';
import { coreGroup } from '../../../support/core-group.ts';
import { rejection } from '../../../support/rejection.ts';
import { stopsAlone } from '../../../support/stops-alone.ts';
import { temporaryFolder } from '../../../support/temporary.ts';
import { asNobody } from './as-nobody.ts';
import { sharedToolkit } from './shared-toolkit.ts';

const { coreToolkit } = coreGroup('fs');

interface Match {
  readonly path: string;
  readonly line: number;
  readonly column: number;
  readonly text: string;
  readonly before?: readonly string[];
  readonly after?: readonly string[];
}

interface Found {
  readonly matches: readonly Match[];
  readonly truncated: boolean;
}

const paths = ({ matches }: Found): string[] => matches.map((match) => match.path);

describe('fs_search', () => {
  const shared = sharedToolkit();

  /** Searches a folder; a `path` among the parameters is one inside it. */
  const search = (folder: string, parameters: Record<string, unknown>, toolkit = shared.toolkit): Promise<Found> =>
    toolkit.execute('fs_search', {
      ...parameters,
      path: path.join(folder, String(parameters['path'] ?? '.')),
    }) as unknown as Promise<Found>;

  it('finds what grep finds, by path and line', async () => {
    const folder = await temporaryFolder({
      'b.txt': 'eins\nzwei Grüße\r\ndrei',
      'a/ä.md': 'Grüße\n\nkeine\nGrüße Grüße\n',
      'a/leer.txt': '',
      '.hidden/c.txt': 'Grüße',
    });
    const { matches, truncated } = await search(folder, { pattern: 'Gr.ße' });
    const lines = execFileSync('grep', ['-rn', 'Grüße', '.'], { cwd: folder, encoding: 'utf8' });
    const grep = lines.split('\n').filter((line) => line !== '');
    expect(matches.map(({ path: file, line, text }) => `./${file}:${line}:${text}`)).to.have.members(grep.map((line) => line.trimEnd()));
    expect(truncated).to.equal(false);
    expect(matches.map(({ path: file, line, column }) => [file, line, column])).to.deep.equal([
      ['.hidden/c.txt', 1, 1],
      ['a/ä.md', 1, 1],
      ['a/ä.md', 4, 1],
      ['b.txt', 2, 6],
    ]);
  });

  const patterns = [
    { asks: { pattern: 'a.c' }, lines: ['abc', 'a.c'] },
    { asks: { pattern: 'a.c', regex: false }, lines: ['a.c'] },
    { asks: { pattern: 'x [1] \\ (y)* ^$ {2} -/ | ?+', regex: false }, lines: ['x [1] \\ (y)* ^$ {2} -/ | ?+'] },
    { asks: { pattern: 'ÄRGER' }, lines: [] },
    { asks: { pattern: 'ÄRGER', case_sensitive: false }, lines: ['Ärger'] },
    { asks: { pattern: 'ÄRGER', case_sensitive: false, regex: false }, lines: ['Ärger'] },
    { asks: { pattern: '^.$' }, lines: ['👋'] },
    { asks: { pattern: '\\p{Script=Han}{2}' }, lines: ['世界'] },
    { asks: { pattern: '^\\-\\-' }, lines: ['--flag'] },
    { asks: { pattern: '^erste' }, lines: ['erste'] },
  ];
  for (const { asks, lines } of patterns) {
    it(`finds ${JSON.stringify(lines)} for ${JSON.stringify(asks)}`, async () => {
      const text = '\uFEFFerste\nabc\na.c\nx [1] \\ (y)* ^$ {2} -/ | ?+\nÄrger\n👋\n世界\n--flag\n';
      const folder = await temporaryFolder({ 'a.txt': text });
      const { matches } = await search(folder, asks);
      expect(matches.map((match) => match.text)).to.deep.equal(lines);
    });
  }

  it('counts the column in UTF-16 code units from 1', async () => {
    const folder = await temporaryFolder({ 'a.txt': '👋 ä x' });
    const { matches } = await search(folder, { pattern: 'x' });
    expect(matches[0]).to.include({ column: '👋 ä x'.indexOf('x') + 1 });
  });

  it('shows lines around a match, as far as there are any', async () => {
    const folder = await temporaryFolder({ 'a.txt': '1\n2\n3 x\n4 x\n5\n6\n7\n8 x' });
    const { matches } = await search(folder, { pattern: 'x', context: 2 });
    const of = { path: 'a.txt', column: 3 };
    expect(matches).to.deep.equal([
      { ...of, line: 3, text: '3 x', before: ['1', '2'], after: ['4 x', '5'] },
      { ...of, line: 4, text: '4 x', before: ['2', '3 x'], after: ['5', '6'] },
      { ...of, line: 8, text: '8 x', before: ['6', '7'] },
    ]);
  });

  const limits = [
    { max_results: 2, truncated: true },
    { max_results: 3, truncated: false },
    { max_results: 4, truncated: false },
  ];
  for (const { max_results, truncated } of limits) {
    it(`says truncated: ${truncated} for ${max_results} of 3 matching lines`, async () => {
      const folder = await temporaryFolder({ 'a.txt': 'x\nx\nohne', 'b.txt': 'x' });
      const found = await search(folder, { pattern: 'x', max_results, context: 1, regex: false });
      expect(found.matches).to.have.length(Math.min(max_results, 3));
      expect(found.truncated).to.equal(truncated);
    });
  }

  it('reads files that are longer than its buffer, and characters across its border', async () => {
    const lines = Array.from({ length: 30_000 }, (_, index) => `${index} äöü€👋`);
    const folder = await temporaryFolder({ 'long.txt': lines.join('\n') });
    const found = await search(folder, { pattern: '^\\d+ äöü€👋$', max_results: 1, case_sensitive: false });
    expect(found.truncated).to.equal(true);
    const rest = await search(folder, { pattern: '\uFFFD|^29999 äöü€👋$' });
    expect(rest.matches.map(({ line, text }) => [line, text])).to.deep.equal([[30_000, '29999 äöü€👋']]);
  });

  it('shows of a very long line the part around the match', async () => {
    const folder = await temporaryFolder({ 'min.js': `${'👋'.repeat(100_000)}needle${'y'.repeat(200_000)}\nnext` });
    const { matches } = await search(folder, { pattern: 'needle' });
    const [match] = matches;
    expect(match?.column).to.equal(200_001);
    expect(match?.text)
      .to.match(/^…(👋){49,50}needley+…$/u)
      .and.to.have.length.within(499, 502);
    const next = await search(folder, { pattern: 'next', context: 1 });
    expect(next.matches[0]?.before?.[0])
      .to.match(/^(👋)+…$/u)
      .and.to.have.length.within(499, 502);
  });

  it('leaves out binary files', async () => {
    const folder = await temporaryFolder({ 'a.txt': 'needle' });
    await writeFile(path.join(folder, 'b.bin'), Buffer.from('needle\0needle'));
    await writeFile(path.join(folder, 'utf16.txt'), Buffer.from('\uFEFFneedle', 'utf16le'));
    expect(paths(await search(folder, { pattern: 'needle' }))).to.deep.equal(['a.txt']);
    expect(paths(await search(folder, { pattern: 'needle', path: 'b.bin' }))).to.deep.equal([]);
  });

  const globs = [
    { glob: undefined, found: ['.env.example', '.github/ci.yml', 'a.ts', 'src/b.ts', 'src/c.tsx', 'src/sub/[d] ä.ts'] },
    { glob: '*.ts', found: ['a.ts', 'src/b.ts', 'src/sub/[d] ä.ts'] },
    { glob: 'src/*.ts', found: ['src/b.ts'] },
    { glob: './src/*.ts', found: ['src/b.ts'] },
    { glob: 'src/**/*.{ts,tsx}', found: ['src/b.ts', 'src/c.tsx', 'src/sub/[d] ä.ts'] },
    { glob: '!*.ts', found: ['.env.example', '.github/ci.yml', 'src/c.tsx'] },
    { glob: 'node_modules/**', found: ['node_modules/m/i.js'] },
    { glob: '{.git,src}/*', found: ['.git/config', 'src/b.ts', 'src/c.tsx'] },
    { glob: '*.md', found: [] },
  ];
  for (const { glob, found } of globs) {
    it(`searches ${found.length} files for the glob ${glob}`, async () => {
      const names = [
        '.env.example',
        '.git/config',
        '.github/ci.yml',
        'a.ts',
        'node_modules/m/i.js',
        'src/b.ts',
        'src/c.tsx',
        'src/sub/[d] ä.ts',
      ];
      const folder = await temporaryFolder(Object.fromEntries(names.map((name) => [name, 'needle'])));
      const result = await search(folder, { pattern: 'needle', ...(glob === undefined ? {} : { glob }) });
      expect(paths(result)).to.deep.equal(found);
    });
  }

  it('gives paths relative to the folder that is searched, and for a file its name', async () => {
    const folder = await temporaryFolder({ 'a [b] {c}/ö.txt': 'needle', 'node_modules/m/i.js': 'needle' });
    expect(paths(await search(folder, { pattern: 'needle', path: 'a [b] {c}' }))).to.deep.equal(['ö.txt']);
    expect(paths(await search(folder, { pattern: 'needle', path: 'a [b] {c}/ö.txt' }))).to.deep.equal(['ö.txt']);
    expect(paths(await search(folder, { pattern: 'needle', path: 'node_modules' }))).to.deep.equal(['m/i.js']);
  });

  it('does not follow symbolic links below the folder', async () => {
    const outside = await temporaryFolder({ 'secret.txt': 'needle', 'sub/secret.txt': 'needle' });
    const folder = await temporaryFolder({ 'real/a.txt': 'needle' });
    await symlink(outside, path.join(folder, 'out'));
    await symlink(path.join(outside, 'secret.txt'), path.join(folder, 'secret.txt'));
    await symlink('real', path.join(folder, 'in'));
    await symlink('.', path.join(folder, 'circle'));
    for (const glob of [undefined, 'out/**', 'out/secret.txt', 'secret.txt', '{out,real}/**', 'out/sub/*']) {
      const found = await search(folder, { pattern: 'needle', ...(glob === undefined ? {} : { glob }) });
      expect(paths(found).filter((name) => name !== 'real/a.txt')).to.deep.equal([]);
    }
    expect(paths(await search(folder, { pattern: 'needle', path: 'in' }))).to.deep.equal(['a.txt']);
  });

  it('refuses a folder or a link that leaves the root', async () => {
    const outside = await temporaryFolder({ 'a.txt': 'needle' });
    const folder = await temporaryFolder();
    await symlink(outside, path.join(folder, 'out'));
    const toolkit = await coreToolkit({ roots: [folder] });
    for (const place of ['out', '..', outside, 'out/a.txt']) {
      await rejection(toolkit.execute('fs_search', { pattern: 'needle', path: place }), 'INVALID_PARAMETERS');
    }
  });

  it('searches the root when no path is given, and does what its example says', async () => {
    const folder = await temporaryFolder({ 'package.json': '{\n  "version": "1.0.0"\n}\n' });
    const toolkit = await coreToolkit({ roots: [folder] });
    const [example] = toolkit.kernel.registry.get('fs_search').definition.examples ?? [];
    expect(await toolkit.execute('fs_search', example?.parameters)).to.deep.equal({
      matches: [{ path: 'package.json', line: 2, column: 3, text: '  "version": "1.0.0"', before: ['{'], after: ['}'] }],
      truncated: false,
    });
  });

  for (const leaving of ['../*', 'sub/../../*', '{..,sub}/*', '/etc/host*', '!../*', '!/etc/*']) {
    it(`refuses the glob ${leaving}`, async () => {
      const folder = await temporaryFolder({ 'sub/a.txt': '' });
      const error = await rejection(search(folder, { pattern: '.', path: 'sub', glob: leaving }), 'INVALID_PARAMETERS');
      expect(error.message).to.include('Parameter "glob"').and.to.include(leaving);
    });
  }

  for (const sly of ['@(..)/*', '[.][.]/*', '.?/*', '+(.)/*']) {
    it(`stays in the folder for the glob ${sly}`, async () => {
      const folder = await temporaryFolder({ 'a.txt': 'needle', 'sub/b.txt': 'needle' });
      expect(paths(await search(folder, { pattern: 'needle', path: 'sub', glob: sly }))).to.not.include('../a.txt');
    });
  }

  const invalid = [
    { pattern: '(', says: 'Unterminated group' },
    { pattern: 'a{2,1}', says: 'numbers out of order' },
    { pattern: '\\p{Klingon}', says: 'property name' },
    { pattern: 'two\nlines', says: 'line break' },
    { pattern: '\\Aold', says: 'received \\A, which does not exist there' },
    { pattern: '[[:alpha:]]', says: 'POSIX class' },
    { pattern: '(?P<x>a)', says: '(?<name>…)' },
    { pattern: '(?i)old', says: 'case_sensitive' },
    { pattern: '', says: 'pattern' },
  ];
  for (const { pattern, says } of invalid) {
    it(`refuses the pattern ${JSON.stringify(pattern)}`, async () => {
      const folder = await temporaryFolder();
      const error = await rejection(search(folder, { pattern }), 'INVALID_PARAMETERS');
      expect(error.message).to.include(says);
      expect(error.details.issues?.[0]?.path).to.equal('pattern');
    });
  }

  it('says that a place does not exist, or is neither a file nor a folder', async () => {
    const folder = await temporaryFolder();
    execFileSync('mkfifo', [path.join(folder, 'pipe')]);
    expect((await rejection(search(folder, { pattern: 'x', path: 'fehlt' }), 'NOT_FOUND')).message).to.include('fs_tree');
    const error = await rejection(search(folder, { pattern: 'x', path: 'pipe' }), 'EXECUTION_FAILED');
    expect(error.message).to.include('a pipe, a socket or a device');
    expect(await search(folder, { pattern: 'x' })).to.deep.equal({ matches: [], truncated: false });
  });

  it('names what it may not read and goes on, and fails when it is the only one', async () => {
    const folder = await temporaryFolder({ 'closed.txt': 'needle', 'open.txt': 'needle' });
    await chmod(folder, 0o755);
    await chmod(path.join(folder, 'closed.txt'), 0);
    await mkdir(path.join(folder, 'closed'), { mode: 0 });
    await search(folder, { pattern: 'x' });
    const found = await asNobody(() => search(folder, { pattern: 'needle' }));
    expect(paths(found)).to.deep.equal(['open.txt']);
    expect(found).to.deep.include({ unreadable: { count: 2, paths: ['closed', 'closed.txt'] } });
    const error = await asNobody(() => rejection(search(folder, { pattern: 'needle', path: 'closed.txt' }), 'EXECUTION_FAILED'));
    expect(error.message).to.include('permission is denied');
  });

  it('stops a pattern that would run for years, and answers other calls meanwhile', async () => {
    const folder = await temporaryFolder({ 'a.txt': `${'a'.repeat(60)}!` });
    const calls = {
      harmless: { pattern: '!' },
      endless: { pattern: '^(a+)+$' },
      meanwhile: async (toolkit: Toolkit) => {
        expect(await toolkit.execute('fs_read_file', { path: 'a.txt', max_bytes: 1 })).to.include({ content: 'a' });
        expect(paths(await search(folder, { pattern: '^a+!$' }, toolkit))).to.deep.equal(['a.txt']);
      },
    };
    await stopsAlone(['fs'], 'fs_search', calls, { roots: [folder] });
  });
});
