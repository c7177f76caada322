import { execFileSync } from 'node:child_process';
import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import { temporaryFolder } from '../../../support/temporary.ts';
import { sharedToolkit } from './shared-toolkit.ts';
import { gitDiff, readTree, type Tree, writeTree } from './trees.ts';

interface Patched {
  readonly files: readonly { readonly path: string; readonly status: string; readonly hunks: number; readonly from?: string }[];
}

/** Lines from 1 to `count`, with some in the place of others. */
const numbered = (count: number, other: Readonly<Record<number, string>> = {}, end = '\n'): string =>
  Array.from({ length: count }, (_, index) => `${other[index + 1] ?? `Zeile ${index + 1}`}${end}`).join('');

describe('fs_apply_patch', () => {
  const shared = sharedToolkit();

  const apply = (root: string, patch: string, more: Record<string, unknown> = {}): Promise<Patched> =>
    shared.toolkit.execute('fs_apply_patch', { root, patch, ...more }) as unknown as Promise<Patched>;

  const cases: readonly { of: string; before: Tree; after: Tree; flags?: readonly string[]; statuses: readonly string[] }[] = [
    {
      of: 'changes far from each other',
      before: { 'a.txt': numbered(100) },
      after: { 'a.txt': numbered(100, { 1: 'neu', 50: 'neu\nund neu', 100: 'Ende' }) },
      statuses: ['modified a.txt 3'],
    },
    {
      of: 'a new, a deleted, a changed and an empty file',
      before: { 'alt.txt': 'a\nb\n', 'x/y/z.txt': 'eins\n', 'leer.txt': '' },
      after: { 'neu/tief.txt': 'neu\n', 'x/y/z.txt': 'zwei\n', 'auch leer': '' },
      flags: ['--no-renames'],
      statuses: ['deleted alt.txt 1', 'created auch leer 0', 'deleted leer.txt 0', 'created neu/tief.txt 1', 'modified x/y/z.txt 1'],
    },
    {
      of: 'renames, with and without changes',
      before: { 'a.txt': numbered(20), 'b.txt': numbered(30, { 1: 'b' }) },
      after: { 'c d.txt': numbered(20), 'sub/e.txt': numbered(30, { 1: 'b', 15: 'neu' }) },
      flags: ['-M'],
      statuses: ['renamed c d.txt 0', 'renamed sub/e.txt 1'],
    },
    {
      of: 'a copy',
      before: { 'a.txt': numbered(20) },
      after: { 'a.txt': numbered(20), 'b.txt': numbered(20, { 3: 'neu' }) },
      flags: ['-C', '--find-copies-harder'],
      statuses: ['copied b.txt 1'],
    },
    {
      of: 'permissions',
      before: { 'a.sh': 'a\n', 'b.sh*': 'b\n' },
      after: { 'a.sh*': 'a\n', 'b.sh': 'B\n', 'c.sh*': 'c\n' },
      statuses: ['modified a.sh 0', 'modified b.sh 1', 'created c.sh 1'],
    },
    {
      of: 'names with spaces, quotes, tabs, backslashes and non-ASCII characters',
      before: { 'Größe 世界 👋.txt': 'a\n', 'a "b" \\c\t.txt': 'a\n', 'x b/y b/z.txt': 'a\n' },
      after: { 'Größe 世界 👋.txt': 'ä\n', 'a "b" \\c\t.txt': 'b\n', 'x b/y b/z.txt': 'b\n' },
      statuses: ['modified Größe 世界 👋.txt 1', 'modified a "b" \\c\t.txt 1', 'modified x b/y b/z.txt 1'],
    },
    {
      of: 'final newlines that come, go and stay away',
      before: { a: 'x\ny', b: 'x\ny\n', c: 'x\ny', d: 'x' },
      after: { a: 'x\ny\n', b: 'x\ny', c: 'X\ny', d: 'neu\nx' },
      statuses: ['modified a 1', 'modified b 1', 'modified c 1', 'modified d 1'],
    },
    {
      of: 'CR LF, mixed line ends, and one kind for the other',
      before: { a: numbered(9, {}, '\r\n'), b: 'a\r\nb\nc\r\n', c: 'a\r\nb\r\n', d: 'a\nb\n' },
      after: { a: numbered(9, { 5: 'neu' }, '\r\n'), b: 'a\r\nB\nc\r\n', c: 'a\nb\n', d: 'a\r\nb\r\n' },
      statuses: ['modified a 1', 'modified b 1', 'modified c 1', 'modified d 1'],
    },
    {
      of: 'byte order marks that stay, come and go',
      before: { a: `\uFEFF${numbered(20)}`, b: 'a\n', c: '\uFEFFa\n' },
      after: { a: `\uFEFF${numbered(20, { 15: 'neu' })}`, b: '\uFEFFa\n', c: 'a\n' },
      statuses: ['modified a 1', 'modified b 1', 'modified c 1'],
    },
    {
      of: 'no context, with insertions at both ends',
      before: { a: numbered(10), b: 'a\n' },
      after: { a: `vorn\n${numbered(10, { 5: 'neu\nneu' })}hinten\n`, b: '' },
      flags: ['-U0'],
      statuses: ['modified a 3', 'modified b 1'],
    },
    {
      of: 'names without prefixes',
      before: { 'b/c': 'a\n' },
      after: { 'b/c': 'b\n', 'd/e': 'c\n' },
      flags: ['--no-prefix'],
      statuses: ['modified b/c 1', 'created d/e 1'],
    },
    {
      of: 'names with the prefixes of diff.mnemonicPrefix',
      before: { 'x/a': 'a\n' },
      after: { 'x/a': 'b\n' },
      flags: ['--src-prefix=i/', '--dst-prefix=w/'],
      statuses: ['modified x/a 1'],
    },
    {
      of: 'lines that look like headers',
      before: { a: '-- a\n++ b\n@@ -1 +1 @@\n' },
      after: { a: '-- b\n++ c\n@@ -2 +2 @@\n-- \n' },
      statuses: ['modified a 1'],
    },
  ];
  for (const { of, before, after, flags, statuses } of cases) {
    it(`does what git says: ${of}`, async () => {
      const patch = await gitDiff(await temporaryFolder(), before, after, flags);
      const folder = await temporaryFolder();
      await writeTree(folder, before);
      const dry = await apply(folder, patch, { dry_run: true });
      expect(await readTree(folder)).to.deep.equal(before);
      expect(await apply(folder, patch)).to.deep.equal({ ...dry, applied: true });
      expect(dry.files.map(({ status, path: name, hunks }) => `${status} ${name} ${hunks}`)).to.have.members(statuses);
      expect(await readTree(folder)).to.deep.equal(after);
    });
  }

  it('tells the old name of a file that is renamed, and keeps its permissions', async () => {
    const folder = await temporaryFolder();
    await writeTree(folder, { 'run*': 'a\n' });
    const patch = 'diff --git a/run b/go\nsimilarity index 100%\nrename from run\nrename to go\n';
    expect(await apply(folder, patch)).to.deep.equal({ applied: true, files: [{ path: 'go', status: 'renamed', from: 'run', hunks: 0 }] });
    expect(await readTree(folder)).to.deep.equal({ 'go*': 'a\n' });
  });

  it('does what diff -r says of two folders', async () => {
    const [before, after] = [numbered(40), numbered(40, { 2: 'ä', 30: '' })];
    const folder = await temporaryFolder({ 'old/a b.txt': before, 'new/a b.txt': after });
    let patch = '';
    try {
      execFileSync('diff', ['-ru', 'old', 'new'], { cwd: folder });
    } catch (error) {
      patch = String((error as { stdout: Buffer }).stdout);
    }
    const target = await temporaryFolder({ 'a b.txt': before });
    await apply(target, patch);
    expect(await readTree(target)).to.deep.equal({ 'a b.txt': after });
  });

  it('applies two patches of a file in a row, and the mail of git format-patch', async () => {
    const folder = await temporaryFolder({ 'a.txt': 'a\nb\n' });
    const first =
      'From 0123 Mon Sep 17 00:00:00 2001\nSubject: eins\n---\n a.txt | 2 +-\n\n--- a/a.txt\n+++ b/a.txt\n@@ -1,2 +1,2 @@\n-a\n+c\n b\n';
    const second = '--- a/a.txt\n+++ b/a.txt\n@@ -1,2 +1,2 @@\n c\n-b\n+d\n-- \n2.39.5\n\n';
    expect((await apply(folder, first + second)).files).to.have.length(2);
    expect(await readTree(folder)).to.deep.equal({ 'a.txt': 'c\nd\n' });
  });

  it('finds the place when lines have come before it, and the nearest of several', async () => {
    const folder = await temporaryFolder({ 'a.txt': `${'x\n'.repeat(50)}${numbered(10)}`, 'b.txt': 'a\nb\n'.repeat(20) });
    await apply(
      folder,
      '--- a/a.txt\n+++ b/a.txt\n@@ -4,3 +4,3 @@\n Zeile 4\n-Zeile 5\n+neu\n Zeile 6\n--- a/b.txt\n+++ b/b.txt\n@@ -20,2 +20,2 @@\n a\n-b\n+neu\n',
    );
    const tree = await readTree(folder);
    expect(tree['a.txt']).to.equal(`${'x\n'.repeat(50)}${numbered(10, { 5: 'neu' })}`);
    expect(tree['b.txt']?.split('\n').indexOf('neu')).to.be.oneOf([19, 21]);
  });

  it('fits a patch with LF to a file with CR LF, and the other way round', async () => {
    const folder = await temporaryFolder({ crlf: 'a\r\nb\r\n', lf: 'a\nb\n' });
    const patch = (name: string): string => `--- a/${name}\n+++ b/${name}\n@@ -1,2 +1,3 @@\n a\n+neu\n b\n`;
    await apply(folder, patch('crlf'));
    await apply(folder, patch('lf').replaceAll('\n', '\r\n'));
    expect(await readTree(folder)).to.deep.equal({ crlf: 'a\r\nneu\r\nb\r\n', lf: 'a\nneu\nb\n' });
  });

  const mixed = [
    { of: 'a line that is replaced', hunk: '@@ -2,2 +2,3 @@\n-b\n+x\n+y\n c\n', after: 'a\r\nx\r\ny\r\nc\nd\r\n' },
    { of: 'a line behind another', hunk: '@@ -2,3 +2,4 @@\n b\n c\n+x\n d\n', after: 'a\r\nb\r\nc\nx\nd\r\n' },
    { of: 'lines that go', hunk: '@@ -1,3 +1,1 @@\n a\n-b\n-c\n', after: 'a\r\nd\r\n' },
  ];
  for (const { of, hunk, after } of mixed) {
    it(`fits a patch with LF to a file with both line ends: ${of}`, async () => {
      const folder = await temporaryFolder({ 'a.txt': 'a\r\nb\r\nc\nd\r\n' });
      await apply(folder, `--- a/a.txt\n+++ b/a.txt\n${hunk}`);
      expect(await readTree(folder)).to.deep.equal({ 'a.txt': after });
    });
  }

  it('keeps a byte order mark that the patch does not know of', async () => {
    const folder = await temporaryFolder({ 'a.txt': '\uFEFFa\nb\n', 'b.txt': '\uFEFFa\n' });
    await apply(folder, '--- a/a.txt\n+++ b/a.txt\n@@ -1,2 +1,2 @@\n-a\n+ä\n b\n--- a/b.txt\n+++ /dev/null\n@@ -1 +0,0 @@\n-a\n');
    expect(await readTree(folder)).to.deep.equal({ 'a.txt': '\uFEFFä\nb\n' });
  });

  it('goes through a link to a folder that stays inside the root', async () => {
    const folder = await temporaryFolder({ 'real/a.txt': 'a\n' });
    execFileSync('ln', ['-s', 'real', 'link'], { cwd: folder });
    await apply(
      folder,
      '--- a/link/a.txt\n+++ b/link/a.txt\n@@ -1 +1 @@\n-a\n+b\n--- /dev/null\n+++ b/link/sub/b.txt\n@@ -0,0 +1 @@\n+neu\n',
    );
    expect(await readTree(path.join(folder, 'real'))).to.deep.equal({ 'a.txt': 'b\n', 'sub/b.txt': 'neu\n' });
  });

  it('leaves nothing beside the files, and does not touch a file that stays the same', async () => {
    const folder = await temporaryFolder({ 'a.txt': 'a\n', 'b.txt': 'a\n' });
    const { ino } = await stat(path.join(folder, 'a.txt'));
    const change = (name: string, from: string, to: string): string => `--- a/${name}\n+++ b/${name}\n@@ -1 +1 @@\n-${from}\n+${to}\n`;
    await apply(folder, change('a.txt', 'a', 'b') + change('a.txt', 'b', 'a') + change('b.txt', 'a', 'b'));
    expect(await readdir(folder)).to.deep.equal(['a.txt', 'b.txt']);
    expect((await stat(path.join(folder, 'a.txt'))).ino).to.equal(ino);
  });
});
