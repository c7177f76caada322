import { execFileSync } from 'node:child_process';
import { chmod, mkdir, readdir, readFile, readlink, stat, symlink, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { expect } from 'chai';
import { coreGroup } from '../../../support/core-group.ts';
import { rejection } from '../../../support/rejection.ts';
import { temporaryFolder } from '../../../support/temporary.ts';
import { asNobody } from './as-nobody.ts';
import { sharedToolkit } from './shared-toolkit.ts';

const { coreToolkit } = coreGroup('fs');

interface Edited {
  readonly path: string;
  readonly replacements: number;
  readonly diff: string;
  readonly diff_truncated: boolean;
}

type Edit = Record<string, unknown>;

describe('fs_edit_file', () => {
  const shared = sharedToolkit();

  const edit = (file: string, edits: readonly Edit[], more: Edit = {}, toolkit = shared.toolkit): Promise<Edited> =>
    toolkit.execute('fs_edit_file', { path: file, edits, ...more }) as unknown as Promise<Edited>;

  async function fileWith(content: string): Promise<string> {
    const folder = await temporaryFolder({ 'Datei ä.txt': content });
    return path.join(folder, 'Datei ä.txt');
  }

  const changes = [
    { of: 'one place', before: 'a\nb\nc\n', edits: [{ old_text: 'b', new_text: 'B' }], after: 'a\nB\nc\n', replacements: 1 },
    { of: 'lines', before: 'a\nb\nc\n', edits: [{ old_text: 'a\nb\n', new_text: 'x\n' }], after: 'x\nc\n', replacements: 1 },
    { of: 'text that is deleted', before: 'a b c', edits: [{ old_text: ' b', new_text: '' }], after: 'a c', replacements: 1 },
    {
      of: 'non-ASCII text',
      before: 'Grüße 世界 👋',
      edits: [{ old_text: '世界 👋', new_text: 'Welt 👋🏽' }],
      after: 'Grüße Welt 👋🏽',
      replacements: 1,
    },
    {
      of: 'every place',
      before: 'aaaa b aa',
      edits: [{ old_text: 'aa', new_text: 'a', replace_all: true }],
      after: 'aa b a',
      replacements: 3,
    },
    {
      of: 'special characters',
      before: 'x $& y',
      edits: [{ old_text: '$&', new_text: "$1$$$`$'" }],
      after: "x $1$$$`$' y",
      replacements: 1,
    },
    {
      of: 'edits that build on each other',
      before: 'eins zwei',
      edits: [
        { old_text: 'eins', new_text: 'zwei drei' },
        { old_text: 'drei zwei', new_text: 'vier' },
      ],
      after: 'zwei vier',
      replacements: 2,
    },
    { of: 'CR LF', before: 'a\r\nb\r\nc', edits: [{ old_text: 'a\nb', new_text: 'x\ny\nz' }], after: 'x\r\ny\r\nz\r\nc', replacements: 1 },
    {
      of: 'CR LF in both',
      before: 'a\r\nb\r\n',
      edits: [{ old_text: 'a\r\nb', new_text: 'x\r\ny' }],
      after: 'x\r\ny\r\n',
      replacements: 1,
    },
    { of: 'CR LF for LF', before: 'a\nb\n', edits: [{ old_text: 'a\r\nb', new_text: 'x\r\ny' }], after: 'x\ny\n', replacements: 1 },
    {
      of: 'mixed line ends',
      before: 'a\r\nb\nc\n',
      edits: [{ old_text: 'b\nc', new_text: 'x\ny' }],
      after: 'a\r\nx\ny\n',
      replacements: 1,
    },
    {
      of: 'a line between CR LF, in a file that has LF as well',
      before: 'a\r\nb\r\nc\r\nd\r\ne\nf\r\n',
      edits: [{ old_text: 'b', new_text: 'B1\nB2' }],
      after: 'a\r\nB1\r\nB2\r\nc\r\nd\r\ne\nf\r\n',
      replacements: 1,
    },
    {
      of: 'a line that ends with LF, by a text with CR LF',
      before: 'a\r\nb\r\ne\nf\r\n',
      edits: [{ old_text: 'e', new_text: 'E1\r\nE2' }],
      after: 'a\r\nb\r\nE1\nE2\nf\r\n',
      replacements: 1,
    },
    {
      of: 'lines whose ends differ, by the end of the first',
      before: 'a\r\nb\nc\r\nd\n',
      edits: [{ old_text: 'b\nc\n', new_text: 'x\ny\nz\n' }],
      after: 'a\r\nx\ny\nz\nd\n',
      replacements: 1,
    },
    {
      of: 'the last line without an end, by the end of the line before',
      before: 'a\nb\r\nc',
      edits: [{ old_text: 'c', new_text: 'x\ny' }],
      after: 'a\nb\r\nx\r\ny',
      replacements: 1,
    },
    {
      of: 'lines of which some stay, with their own ends',
      before: 'a\r\nb\nc\r\nd\n',
      edits: [{ old_text: 'a\nb\nc\nd', new_text: 'a\nb\nx\ny\nd' }],
      after: 'a\r\nb\nx\r\ny\r\nd\n',
      replacements: 1,
    },
    {
      of: 'the end of a line, which is written otherwise in the edit',
      before: 'a\r\nb\nc\r\n',
      edits: [{ old_text: '\nb', new_text: '\nB\nB' }],
      after: 'a\r\nB\nB\nc\r\n',
      replacements: 1,
    },
    {
      of: 'every place, each with its own ends, and then one that this has made',
      before: 'x\r\nx\ny\n',
      edits: [
        { old_text: 'x', new_text: 'p\nq', replace_all: true },
        { old_text: 'q\np', new_text: '1\n2\n3' },
      ],
      after: 'p\r\n1\r\n2\r\n3\nq\ny\n',
      replacements: 3,
    },
    {
      of: 'a byte order mark',
      before: '\uFEFFa\r\nb\r\n',
      edits: [{ old_text: 'a\nb', new_text: 'ä\nb' }],
      after: '\uFEFFä\r\nb\r\n',
      replacements: 1,
    },
    { of: 'no final newline', before: 'a\nb', edits: [{ old_text: 'b', new_text: 'c' }], after: 'a\nc', replacements: 1 },
    { of: 'a single CR', before: 'a\r\r\nb\r\n', edits: [{ old_text: 'b', new_text: 'c' }], after: 'a\r\r\nc\r\n', replacements: 1 },
  ];
  for (const { of, before, edits, after, replacements } of changes) {
    it(`replaces ${of}, and shows a diff from which git makes the same`, async () => {
      const file = await fileWith(before);
      const dry = await edit(file, edits, { dry_run: true });
      expect(await readFile(file, 'utf8')).to.equal(before);
      expect(await edit(file, edits)).to.deep.equal({ ...dry, applied: true, path: file, replacements });
      expect(await readFile(file, 'utf8')).to.equal(after);
      expect(await readdir(path.dirname(file))).to.deep.equal(['Datei ä.txt']);
      const plain = (text: string): string => {
        const bare = text.replace(/^\uFEFF/, '');
        return /(^|[^\r])\n/.test(bare) ? bare : bare.replaceAll('\r\n', '\n');
      };
      await writeFile(file, plain(before));
      execFileSync('git', ['apply', '--whitespace=nowarn', '-'], {
        cwd: path.dirname(file),
        input: dry.diff,
        env: { ...process.env, GIT_CEILING_DIRECTORIES: os.tmpdir() },
      });
      expect(await readFile(file, 'utf8')).to.equal(plain(after));
    });
  }

  it('shows distant changes in a long file as separate hunks, like git does', async () => {
    const lines = Array.from({ length: 5000 }, (_, index) => `Zeile ${index}`);
    const file = await fileWith(`${lines.join('\n')}\n`);
    const edits = [
      { old_text: 'Zeile 2000\n', new_text: 'neu\nund neu\n' },
      { old_text: 'Zeile 4000\n', new_text: '' },
      { old_text: 'Zeile 4999\n', new_text: 'Ende' },
    ];
    const { diff } = await edit(file, edits, { dry_run: true });
    const before = await readFile(file, 'utf8');
    await edit(file, edits);
    const folder = await temporaryFolder({ 'a/x': before, 'b/x': await readFile(file, 'utf8') });
    let expected = '';
    try {
      execFileSync('diff', ['-u', 'a/x', 'b/x'], { cwd: folder });
    } catch (error) {
      expected = String((error as { stdout: Buffer }).stdout);
    }
    const body = (text: string): string => text.slice(text.indexOf('@@')).replace(/,1(?= )/g, '');
    expect(body(diff)).to.equal(body(expected));
  });

  it('cuts a very long diff at the end of a line and says so', async () => {
    const file = await fileWith('x'.repeat(499).concat('\n').repeat(600));
    const { diff, diff_truncated } = await edit(file, [{ old_text: 'x\n', new_text: 'y\n', replace_all: true }], { dry_run: true });
    expect(diff_truncated).to.equal(true);
    expect(diff.length).to.be.within(261_600, 262_144);
    expect(diff.endsWith('x\n')).to.equal(true);
    expect((await edit(await fileWith('x'), [{ old_text: 'x', new_text: 'y' }])).diff_truncated).to.equal(false);
  });

  it('shows a change that takes long to compare as a whole', async () => {
    const file = await fileWith(Array.from({ length: 60_000 }, (_, index) => `${index}\n`).join(''));
    const { replacements, diff } = await edit(file, [{ old_text: '\n', new_text: ' \n', replace_all: true }]);
    expect(replacements).to.equal(60_000);
    expect(diff).to.match(/^--- .*\n\+\+\+ .*\n@@ -1,60000 \+1,60000 @@\n-0\n-1\n/);
    expect((await readFile(file, 'utf8')).startsWith('0 \n1 \n')).to.equal(true);
  });

  const unfit = [
    { of: 'a text that is not there', edits: [{ old_text: 'sieben', new_text: 'x' }], says: /edits\[0\].*not in it.*fs_read_lines/ },
    { of: 'an empty file', before: '', edits: [{ old_text: 'a', new_text: 'x' }], says: /not in it/ },
    { of: 'other white space', edits: [{ old_text: 'eins zwei\ndrei', new_text: 'x' }], says: /from line 1 .*white space/ },
    { of: 'what follows a line', edits: [{ old_text: 'drei\nfünf', new_text: 'x' }], says: /line "drei" is there at line 2/ },
    { of: 'a text that is there twice', edits: [{ old_text: 'vier', new_text: 'x' }], says: /3 times \(lines 3, 3, 4\).*replace_all/ },
    { of: 'a text that overlaps itself', before: 'aaa', edits: [{ old_text: 'aa', new_text: 'x' }], says: /2 times/ },
    {
      of: 'a bomb',
      before: 'a'.repeat(1000),
      edits: [{ old_text: 'a', new_text: 'b'.repeat(100_000), replace_all: true }],
      says: /at most 67108864 characters/,
    },
    { of: 'the same text', edits: [{ old_text: 'eins', new_text: 'eins' }], says: /differs from new_text/ },
    { of: 'half of a surrogate pair', before: '👋', edits: [{ old_text: '\uD83D', new_text: 'x' }], says: /surrogate/ },
    {
      of: 'a text that an edit before it has changed',
      edits: [
        { old_text: 'drei', new_text: '3' },
        { old_text: 'drei', new_text: 'x' },
      ],
      says: /edits\[1\].*an edit before this one has changed it/,
    },
  ];
  for (const { of, before = 'eins  zwei\ndrei\nvier vier\nvier', edits, says } of unfit) {
    it(`refuses ${of} and writes nothing`, async () => {
      const file = await fileWith(before);
      const error = await rejection(edit(file, edits), 'INVALID_PARAMETERS');
      expect(error.message).to.match(says).and.to.include('Nothing was written');
      expect(error.details.issues?.[0]?.path).to.match(/^edits\[\d\]\.old_text$/);
      expect(await readFile(file, 'utf8')).to.equal(before);
    });
  }

  it('writes nothing when the edits cancel each other out', async () => {
    const file = await fileWith('a b');
    const before = await stat(file);
    const there = { old_text: 'a', new_text: 'c' };
    const back = { old_text: 'c', new_text: 'a' };
    expect(await edit(file, [there, back])).to.deep.include({ replacements: 2, diff: '' });
    expect((await stat(file)).ino).to.equal(before.ino);
  });

  it('does every one of many edits of a file that come at the same time', async () => {
    const file = await fileWith(Array.from({ length: 12 }, (_, index) => `<${index}>\n`).join(''));
    await Promise.all(Array.from({ length: 12 }, (_, index) => edit(file, [{ old_text: `<${index}>`, new_text: `[${index}]` }])));
    expect(await readFile(file, 'utf8')).to.equal(Array.from({ length: 12 }, (_, index) => `[${index}]\n`).join(''));
  });

  it('keeps mode and owner, and a symbolic link', async () => {
    const folder = await temporaryFolder({ 'sub/run.sh': 'alt\n' });
    await symlink('sub/run.sh', path.join(folder, 'link'));
    await chmod(path.join(folder, 'sub/run.sh'), 0o751);
    const before = await stat(path.join(folder, 'sub/run.sh'));
    expect(await edit(path.join(folder, 'link'), [{ old_text: 'alt', new_text: 'neu' }])).to.include({
      path: path.join(folder, 'sub/run.sh'),
    });
    const { mode, uid, gid } = await stat(path.join(folder, 'sub/run.sh'));
    expect({ mode, uid, gid }).to.deep.equal({ mode: before.mode, uid: before.uid, gid: before.gid });
    expect(await readlink(path.join(folder, 'link'))).to.equal('sub/run.sh');
  });

  it('refuses what is no text file, and says what it is', async () => {
    const folder = await temporaryFolder();
    await mkdir(path.join(folder, 'sub'));
    execFileSync('mkfifo', [path.join(folder, 'pipe')]);
    await writeFile(path.join(folder, 'b.bin'), Buffer.from([0x61, 0]));
    await writeFile(path.join(folder, 'latin1'), Buffer.from('aü', 'latin1'));
    await writeFile(path.join(folder, 'large'), 'x'.repeat(16_777_217));
    const change = [{ old_text: 'a', new_text: 'b' }];
    const cases = [
      { name: 'fehlt', code: 'NOT_FOUND', says: 'fs_tree' },
      { name: 'sub', code: 'EXECUTION_FAILED', says: 'it is a folder' },
      { name: 'pipe', code: 'EXECUTION_FAILED', says: 'a pipe, a socket or a device' },
      { name: 'b.bin', code: 'EXECUTION_FAILED', says: 'binary file' },
      { name: 'latin1', code: 'EXECUTION_FAILED', says: 'not valid UTF-8' },
      { name: 'large', code: 'EXECUTION_FAILED', says: 'at most 16777216 bytes, found 16777217' },
    ] as const;
    for (const { name, code, says } of cases) {
      expect((await rejection(edit(path.join(folder, name), change), code)).message).to.include(says);
    }
  });

  it('says when permission is denied, for a read-only file in a folder that is open too', async () => {
    const folder = await temporaryFolder({ 'closed/a.txt': 'alt', 'open/read-only.txt': 'alt' });
    await chmod(folder, 0o755);
    await chmod(path.join(folder, 'closed'), 0o555);
    await chmod(path.join(folder, 'open'), 0o777);
    await chmod(path.join(folder, 'open/read-only.txt'), 0o444);
    const change = [{ old_text: 'alt', new_text: 'neu' }];
    for (const name of ['closed/a.txt', 'open/read-only.txt']) {
      await edit(path.join(folder, name), change, { dry_run: true });
      const error = await asNobody(() => rejection(edit(path.join(folder, name), change), 'EXECUTION_FAILED'));
      expect(error.message).to.include('permission is denied').and.to.include('No file was changed');
      expect(await readFile(path.join(folder, name), 'utf8')).to.equal('alt');
    }
    await chmod(path.join(folder, 'closed'), 0o755);
  });

  it('refuses a link that leaves the root', async () => {
    const outside = await temporaryFolder({ 'a.txt': 'a' });
    const folder = await temporaryFolder();
    await symlink(path.join(outside, 'a.txt'), path.join(folder, 'link'));
    const toolkit = await coreToolkit({ roots: [folder] });
    await rejection(edit('link', [{ old_text: 'a', new_text: 'b' }], {}, toolkit), 'INVALID_PARAMETERS');
    expect(await readFile(path.join(outside, 'a.txt'), 'utf8')).to.equal('a');
  });

  for (const edits of [[], [{ old_text: '', new_text: 'x' }], [{ old_text: 'a' }], [{ old_text: 'a', new_text: 'b', all: true }], 'a']) {
    it(`refuses the edits ${JSON.stringify(edits)}`, async () => {
      await rejection(edit(await fileWith('a'), edits as Edit[]), 'INVALID_PARAMETERS');
    });
  }
});
