import fs from 'node:fs';
import { chmod, mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import path from 'node:path';
import { expect } from 'chai';
import sinon from 'sinon';
import type { ErrorCode, ToolkitError } from '../../../../kernel/index.ts';
import type { Toolkit } from '../../../../plugins/toolkit/index.ts';
import { rejection } from '../../../support/rejection.ts';
import { stopsAlone } from '../../../support/stops-alone.ts';
import { temporaryFolder } from '../../../support/temporary.ts';
import { asNobody } from './as-nobody.ts';
import { sharedToolkit } from './shared-toolkit.ts';
import { readTree, type Tree } from './trees.ts';

const change = (name: string, from = 'a', to = 'b'): string => `--- a/${name}\n+++ b/${name}\n@@ -1 +1 @@\n-${from}\n+${to}\n`;
const creation = (name: string): string => `--- /dev/null\n+++ b/${name}\n@@ -0,0 +1 @@\n+neu\n`;
const deletion = (name: string, line = 'a'): string => `--- a/${name}\n+++ /dev/null\n@@ -1 +0,0 @@\n-${line}\n`;
const rename = (from: string, to: string): string =>
  `diff --git a/${from} b/${to}\nsimilarity index 100%\nrename from ${from}\nrename to ${to}\n`;

describe('fs_apply_patch refuses', () => {
  const shared = sharedToolkit();

  const refused = (root: string, patch: string, code: ErrorCode): Promise<ToolkitError> =>
    rejection(shared.toolkit.execute('fs_apply_patch', { root, patch }), code);

  afterEach(() => {
    sinon.restore();
    syncBuiltinESMExports();
  });

  const files = { 'a.txt': 'a\n', 'b.txt': 'a\nb\nc\nd\ne\n', 'sub/c.txt': 'a\n' };

  const malformed = [
    {
      of: 'a hunk header that is none',
      patch: '--- a/b.txt\n+++ b/b.txt\n@@ -1 +1 @@\n-a\n+A\n@@-3 +3@@\n-c\n+C\n',
      says: /line 6 of the patch, file b\/b.txt/,
    },
    { of: 'a combined diff', patch: 'diff --cc a.txt\n--- a/a.txt\n+++ b/a.txt\n@@@ -1,1 -1,1 +1,1 @@@\n--a\n++b\n', says: /"@@@ -1,1/ },
    { of: 'a hunk without a file', patch: '@@ -1 +1 @@\n-a\n+b\n', says: /line --- and a line \+\+\+.*@@ -1,1 \+1,1 @@/ },
    { of: 'one of two names', patch: '--- a/a.txt\n@@ -1 +1 @@\n-a\n+b\n', says: /Missing "\+\+\+/ },
    { of: 'a file without hunks', patch: '--- a/a.txt\n+++ b/a.txt\n', says: /"a.txt", found no hunk/ },
    {
      of: 'a wrong number of lines',
      patch: `${change('a.txt')}--- a/b.txt\n+++ b/b.txt\n@@ -1,3 +1,2 @@\n-a\n+b\n`,
      says: /line 8 of the patch, file b\/b.txt/,
    },
    {
      of: 'a line without a mark',
      patch: '--- a/a.txt\n+++ b/a.txt\n@@ -1,2 +1,2 @@\n-a\nb\n+b\n',
      says: /invalid line b.*begin with a space/,
    },
    { of: 'hunks without numbers', patch: '--- a/a.txt\n+++ b/a.txt\n@@ ... @@\n-a\n+b\n', says: /line numbers.*"a.txt"/ },
    { of: 'two different names', patch: '--- a/a.txt\n+++ b/b.txt\n@@ -1 +1 @@\n-a\n+b\n', says: /"a.txt" and "b.txt".*rename from/ },
    { of: 'no name at all', patch: '--- /dev/null\n+++ /dev/null\n@@ -1 +1 @@\n-a\n+b\n', says: /\/dev\/null twice/ },
    {
      of: 'a binary file',
      patch: 'diff --git a/x.png b/x.png\nindex 1..2\nBinary files a/x.png and b/x.png differ\n',
      says: /Binary files.*line 3.*a\/x.png/,
    },
    {
      of: 'a binary patch',
      patch: 'diff --git a/x b/x\nnew file mode 100644\nGIT binary patch\nliteral 1\nIcmZQz\n\n',
      says: /GIT binary patch.*line 3/,
    },
    {
      of: 'a symbolic link',
      patch: 'diff --git a/l b/l\nnew file mode 120000\n--- /dev/null\n+++ b/l\n@@ -0,0 +1 @@\n+/etc\n\\ No newline at end of file\n',
      says: /symbolic link \("l"\)/,
    },
    {
      of: 'a submodule',
      patch: 'diff --git a/m b/m\nnew file mode 160000\n--- /dev/null\n+++ b/m\n@@ -0,0 +1 @@\n+Subproject commit 1\n',
      says: /received 160000/,
    },
    { of: 'half of a surrogate pair', patch: creation('x').replace('neu', '\uD83D'), says: /surrogate/ },
  ];
  const misfits = [
    {
      of: 'a line that is another one',
      patch: change('a.txt', 'x'),
      says: /hunk 1 of 1 \(@@ -1,1 \+1,1 @@\) of "a.txt".*expected line 1 to be "x", found "a"/,
    },
    {
      of: 'the second of three hunks',
      patch: '--- a/b.txt\n+++ b/b.txt\n@@ -1 +1 @@\n-a\n+A\n@@ -3 +3 @@\n-x\n+X\n@@ -5 +5 @@\n-e\n+E\n',
      says: /hunk 2 of 3 \(@@ -3,1 \+3,1 @@\) of "b.txt".*expected line 3 to be "x", found "c"/,
    },
    {
      of: 'context with other white space',
      patch: '--- a/b.txt\n+++ b/b.txt\n@@ -1,2 +1,2 @@\n a \n-b\n+x\n',
      says: /expected line 1 to be "a", found "a"|does not fit/,
    },
    { of: 'lines behind the end', patch: '--- a/b.txt\n+++ b/b.txt\n@@ -5,2 +5,2 @@\n e\n-f\n+F\n', says: /found ""|up to/ },
    { of: 'an insertion behind the end', patch: '--- a/b.txt\n+++ b/b.txt\n@@ -90,0 +91 @@\n+x\n', says: /the file has/ },
    { of: 'hunks in the wrong order', patch: '--- a/b.txt\n+++ b/b.txt\n@@ -4 +4 @@\n-d\n+D\n@@ -1 +1 @@\n-a\n+A\n', says: /hunk 2 of 2/ },
    {
      of: 'a final newline that is there already',
      patch: '--- a/a.txt\n+++ b/a.txt\n@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+a\n',
      says: /line end at the end of the file/,
    },
    { of: 'a new file that exists', patch: creation('a.txt'), says: /creates "a.txt", which exists already/ },
    { of: 'a new file where a folder is', patch: creation('sub'), says: /creates "sub", which exists already/ },
    { of: 'a rename to a file that exists', patch: rename('a.txt', 'b.txt'), says: /creates "b.txt"/ },
    { of: 'a deletion that leaves lines', patch: deletion('b.txt'), says: /does not all remove: "b c d e" would be left/ },
    {
      of: 'a deletion of a file that the patch has deleted',
      code: 'NOT_FOUND',
      patch: deletion('a.txt') + deletion('a.txt'),
      says: /"a.txt", and there is no such file/,
    },
    { of: 'a file that is missing', code: 'NOT_FOUND', patch: change('fehlt/ä.txt'), says: /"fehlt\/ä.txt".*\/dev\/null after ---/ },
    { of: 'a folder', code: 'EXECUTION_FAILED', patch: change('sub'), says: /it is a folder/ },
    {
      of: 'a file in the place of a folder',
      code: 'EXECUTION_FAILED',
      patch: creation('a.txt/b'),
      says: /a part of the path is a file|in the way/,
    },
  ] as const;
  const leaving = ['../x', 'sub/../../x', '/etc/x', 'C:/x', 'out/x', 'out/new/x', 'up/x', 'dangling/x', 'circle/x', 'sub/..', '.'];
  const all: readonly { of: string; patch: string; says: RegExp; code?: ErrorCode }[] = [
    ...malformed,
    ...misfits,
    ...leaving.map((name) => ({ of: `a new file ${name}`, patch: creation(name), says: /below root|leads outside/ })),
    ...['link-file', 'link-inside'].map((name) => ({ of: `a change of ${name}`, patch: change(name), says: /found a symbolic link/ })),
    { of: 'a rename out of the root', patch: rename('a.txt', '../x'), says: /below root/ },
    { of: 'a rename into the root', patch: rename('out/secret.txt', 'x'), says: /leads outside/ },
  ];
  for (const { of, patch, says, code = 'INVALID_PARAMETERS' } of all) {
    it(`${of}, also after a change that fits, and changes nothing`, async () => {
      const outside = await temporaryFolder({ 'secret.txt': 'a\n' });
      const folder = await temporaryFolder(files);
      const links = {
        out: outside,
        up: '..',
        dangling: 'nothing',
        circle: 'circle',
        'link-file': path.join(outside, 'secret.txt'),
        'link-inside': 'a.txt',
      };
      for (const [name, target] of Object.entries(links)) await symlink(target, path.join(folder, name));
      const before = await snapshot(folder);
      for (const first of ['', change('sub/c.txt')]) {
        const error = await refused(folder, `${first}${patch}`, code);
        if (first === '') expect(error.message).to.match(says);
        expect(await snapshot(folder)).to.deep.equal(before);
      }
      expect(await readTree(outside)).to.deep.equal({ 'secret.txt': 'a\n' });
    });
  }

  it('a text that is no patch', async () => {
    const error = await refused(await temporaryFolder(files), 'hallo', 'INVALID_PARAMETERS');
    expect(error.message).to.include('expected a unified diff with lines ---').and.to.include('Nothing was written');
  });

  async function snapshot(folder: string): Promise<{ names: string[]; contents: string[] }> {
    const names = (await readdir(folder)).sort();
    return { names, contents: await Promise.all(Object.keys(files).map((name) => readFile(path.join(folder, name), 'utf8'))) };
  }

  it('binary files, files in other encodings and files that are too large', async () => {
    const folder = await temporaryFolder();
    await writeFile(path.join(folder, 'binary'), 'a\n\0');
    await writeFile(path.join(folder, 'latin1'), Buffer.from('a\nü', 'latin1'));
    await writeFile(path.join(folder, 'large'), `a\n${'x'.repeat(16_777_216)}`);
    for (const [name, says] of [
      ['binary', 'binary file'],
      ['latin1', 'not valid UTF-8'],
      ['large', 'at most 16777216 bytes'],
    ] as const) {
      expect((await refused(folder, change(name), 'EXECUTION_FAILED')).message).to.include(says);
    }
  });

  it('a root that is a file, that does not exist, or that lies outside', async () => {
    const folder = await temporaryFolder(files);
    expect((await refused(path.join(folder, 'a.txt'), change('a.txt'), 'EXECUTION_FAILED')).message).to.include('expected a folder');
    await refused(path.join(folder, 'fehlt'), change('a.txt'), 'NOT_FOUND');
    await refused('/', change('a.txt'), 'INVALID_PARAMETERS');
  });

  const steps = [
    {
      of: 'the rename over a file',
      name: 'renameSync',
      isFailing: (from: string, to: string) => from.endsWith('.tmp') && to.endsWith('c.txt'),
    },
    { of: 'the backup of a file', name: 'linkSync', isFailing: (from: string) => from.endsWith('c.txt') },
    { of: 'the removal of a file', name: 'renameSync', isFailing: (from: string) => from.endsWith('d.txt') },
  ] as const;
  for (const { of, name, isFailing } of steps) {
    it(`a patch when ${of} fails, and takes back what was done`, async () => {
      const before: Tree = { 'a.txt': 'a\n', 'sub/c.txt': 'a\n', 'd.txt': 'a\n', 'run*': 'a\n' };
      const folder = await temporaryFolder({ 'a.txt': 'a\n', 'sub/c.txt': 'a\n', 'd.txt': 'a\n', run: 'a\n' });
      await chmod(path.join(folder, 'run'), 0o755);
      const original = fs[name];
      sinon.stub(fs, name).callsFake((...paths: [fs.PathLike, fs.PathLike]) => {
        if (isFailing(String(paths[0]), String(paths[1]))) throw Object.assign(new Error('EIO: simulated'), { code: 'EIO' });
        original(...paths);
      });
      syncBuiltinESMExports();
      const patch =
        change('a.txt') + change('run') + creation('neu/tief/e.txt') + rename('a.txt', 'f.txt') + change('sub/c.txt') + deletion('d.txt');
      const error = await refused(folder, patch, 'EXECUTION_FAILED');
      expect(error.message).to.include('simulated').and.to.include('No file was changed');
      expect(await readTree(folder)).to.deep.equal(before);
      expect((await readdir(folder, { recursive: true })).sort()).to.deep.equal(['a.txt', 'd.txt', 'run', 'sub', 'sub/c.txt']);
    });
  }

  it('a patch that it cannot take back either, and says where the old files are', async () => {
    const folder = await temporaryFolder({ 'a.txt': 'a\n', 'c.txt': 'a\n' });
    const { renameSync } = fs;
    let renames = 0;
    sinon.stub(fs, 'renameSync').callsFake((from, to) => {
      renames += 1;
      if (renames > 1) throw Object.assign(new Error('EIO: simulated'), { code: 'EIO' });
      renameSync(from, to);
    });
    syncBuiltinESMExports();
    const error = await refused(folder, change('a.txt') + change('c.txt'), 'EXECUTION_FAILED');
    expect(error.message).to.include('1 steps could not be taken back').and.to.include('.toolkit-');
    const [backup = '', ...others] = (await readdir(folder)).sort();
    expect(others).to.deep.equal(['a.txt', 'c.txt']);
    expect(await readFile(path.join(folder, backup), 'utf8')).to.equal('a\n');
    expect(await readFile(path.join(folder, 'a.txt'), 'utf8')).to.equal('b\n');
    expect(await readFile(path.join(folder, 'c.txt'), 'utf8')).to.equal('a\n');
  });

  it('a patch when a new file cannot be written, before the first file is changed', async () => {
    const folder = await temporaryFolder(files);
    const closed = path.join(folder, 'sub');
    await chmod(folder, 0o777);
    await chmod(path.join(folder, 'a.txt'), 0o666);
    await chmod(closed, 0o555);
    const error = await asNobody(() => refused(folder, change('a.txt') + creation('sub/new.txt'), 'EXECUTION_FAILED'));
    expect(error.message).to.include('permission is denied').and.to.include('No file was changed');
    expect((await readdir(folder)).sort()).to.deep.equal(['a.txt', 'b.txt', 'sub']);
    expect(await readFile(path.join(folder, 'a.txt'), 'utf8')).to.equal('a\n');
    await chmod(closed, 0o755);
  });

  it('nothing when it works on file systems without hard links', async () => {
    const folder = await temporaryFolder(files);
    sinon.stub(fs, 'linkSync').throws(Object.assign(new Error('EPERM'), { code: 'EPERM' }));
    syncBuiltinESMExports();
    await shared.toolkit.execute('fs_apply_patch', { root: folder, patch: change('a.txt') + deletion('sub/c.txt') });
    expect(await readTree(folder)).to.deep.equal({ 'a.txt': 'b\n', 'b.txt': files['b.txt'] });
  });

  it('a patch whose hunks would be looked for too long, and answers other calls meanwhile', async () => {
    const files = { 'a.txt': 'x\n'.repeat(200_000) };
    const folder = await temporaryFolder(files);
    const calls = {
      harmless: { patch: creation('new.txt'), dry_run: true },
      endless: { patch: `--- a/a.txt\n+++ b/a.txt\n@@ -1,100000 +1,99999 @@\n${' x\n'.repeat(99_999)}-y\n` },
      meanwhile: async (toolkit: Toolkit) => expect(await toolkit.execute('fs_stat', { path: 'a.txt' })).to.include({ exists: true }),
    };
    await stopsAlone(['fs'], 'fs_apply_patch', calls, { roots: [folder] });
    expect(await readTree(folder)).to.deep.equal(files);
  });

  for (const parameters of [{ patch: '' }, { patch: 5 }, { patch: creation('x'), dry: true }, { patch: 'x'.repeat(10_000_001) }]) {
    it(`the parameters ${JSON.stringify(parameters).slice(0, 60)}`, async () => {
      const root = await temporaryFolder();
      await mkdir(path.join(root, 'sub'));
      await rejection(shared.toolkit.execute('fs_apply_patch', { root, ...parameters }), 'INVALID_PARAMETERS');
    });
  }
});
