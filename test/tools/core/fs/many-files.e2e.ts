import { execFileSync } from 'node:child_process';
import { symlink } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import type { Toolkit } from '../../../../plugins/toolkit/index.ts';
import { coreGroup } from '../../../support/core-group.ts';
import { rejection } from '../../../support/rejection.ts';
import { temporaryFolder } from '../../../support/temporary.ts';

const { coreToolkit } = coreGroup('fs');

const contents = {
  'a.txt': 'one',
  'b.txt': 'two',
  'sub/c.txt': 'one',
  'sub/d.log': 'one',
  'sub/.env': 'TOKEN=x',
  'node_modules/m.txt': 'one',
};

interface Many {
  readonly files: readonly { readonly path: string; readonly error?: string; readonly digest?: string; readonly size?: number }[];
  readonly total: number;
  readonly truncated: boolean;
  readonly same?: readonly (readonly string[])[];
}

const call = (toolkit: Toolkit, tool: string, given: Readonly<Record<string, unknown>>): Promise<Many> =>
  toolkit.execute(tool, given) as unknown as Promise<Many>;

describe('many files in one call', () => {
  for (const tool of ['fs_hash_file', 'fs_stat']) {
    it(`takes paths in their order, each with its own error: ${tool}`, async () => {
      const folder = await temporaryFolder(contents);
      const toolkit = await coreToolkit({ roots: [folder] });
      const { files, total, truncated } = await call(toolkit, tool, { paths: ['b.txt', 'none.txt', 'sub/c.txt'] });
      expect(files.map((file) => path.relative(folder, file.path))).to.deep.equal(['b.txt', 'none.txt', 'sub/c.txt']);
      expect({ total, truncated }).to.deep.equal({ total: 3, truncated: false });
      expect(files.map(({ size }) => size)).to.deep.equal([3, undefined, 3]);
      if (tool === 'fs_hash_file') expect(files[1]?.error).to.include('none.txt');
      else expect(files[1]).to.deep.equal({ path: path.join(folder, 'none.txt'), exists: false });
    });

    const globs = [
      { given: { glob: '*.txt' }, names: ['a.txt', 'b.txt', 'sub/c.txt'] },
      { given: { glob: '*.txt', path: 'sub' }, names: ['c.txt'] },
      { given: { glob: 'sub/*' }, names: ['sub/c.txt', 'sub/d.log'] },
      { given: { glob: '*.iso' }, names: [] },
    ];
    for (const { given, names } of globs)
      it(`takes what ${JSON.stringify(given)} finds, without secrets, by name: ${tool}`, async () => {
        const toolkit = await coreToolkit({ roots: [await temporaryFolder(contents)] });
        const { files, total } = await call(toolkit, tool, given);
        expect(files.map((file) => file.path)).to.deep.equal(names);
        expect(total).to.equal(names.length);
      });

    const refused: readonly (readonly [Readonly<Record<string, unknown>>, string])[] = [
      [{}, 'expected one of path, paths and glob, received none'],
      [{ path: 'a.txt', paths: ['b.txt'] }, 'received path and paths'],
      [{ glob: '*', paths: ['b.txt'] }, 'received paths and glob'],
      [{ glob: '*', path: 'a.txt' }, 'expected a folder'],
      [{ glob: '../*' }, 'below the searched folder'],
    ];
    for (const [given, says] of refused)
      it(`refuses ${JSON.stringify(given)}: ${tool}`, async () => {
        const toolkit = await coreToolkit({ roots: [await temporaryFolder(contents)] });
        expect((await rejection(call(toolkit, tool, given), 'INVALID_PARAMETERS')).message).to.include(says);
      });

    it(`gives 1,000 of more and says how many there are: ${tool}`, async () => {
      const many = Object.fromEntries(Array.from({ length: 1_003 }, (_, index) => [`f${index}`, '']));
      const toolkit = await coreToolkit({ roots: [await temporaryFolder(many)] });
      const { files, total, truncated } = await call(toolkit, tool, { glob: 'f*' });
      expect({ files: files.length, total, truncated }).to.deep.equal({ files: 1_000, total: 1_003, truncated: true });
    });

    it(`does not leave the roots by one of paths: ${tool}`, async () => {
      const toolkit = await coreToolkit({ roots: [await temporaryFolder(contents)] });
      await rejection(call(toolkit, tool, { paths: ['a.txt', '/etc/hostname'] }), 'INVALID_PARAMETERS');
    });
  }

  it('hashes as sha256sum does, and names the files with the same content', async () => {
    const folder = await temporaryFolder(contents);
    const toolkit = await coreToolkit({ roots: [folder] });
    const { files, same } = await call(toolkit, 'fs_hash_file', { glob: '*.{txt,log}' });
    for (const { path: name, digest } of files)
      expect(digest).to.equal(execFileSync('sha256sum', [path.join(folder, name)], { encoding: 'utf8' }).split(' ')[0]);
    expect(same).to.deep.equal([['a.txt', 'sub/c.txt', 'sub/d.log']]);
  });

  it('says of links, which a pattern finds as themselves, where they lead', async () => {
    const folder = await temporaryFolder({ 'a.txt': 'one' });
    await symlink('a.txt', path.join(folder, 'link'));
    const toolkit = await coreToolkit({ roots: [folder] });
    const { files } = await call(toolkit, 'fs_stat', { glob: '*' });
    expect(files[1]).to.include({ path: 'link', type: 'symlink', target: 'a.txt' });
    expect((await call(toolkit, 'fs_hash_file', { glob: '*' })).files.map((file) => file.path)).to.deep.equal(['a.txt']);
  });
});

describe('a tool that can make its change as a trial', () => {
  const patch = '--- a/a.txt\n+++ b/a.txt\n@@ -1 +1 @@\n-one\n+two\n';
  const cases: readonly (readonly [string, Readonly<Record<string, unknown>>])[] = [
    ['fs_replace_in_files', { pattern: 'one', replacement: 'two', glob: '*.txt' }],
    ['fs_edit_file', { path: 'a.txt', edits: [{ old_text: 'one', new_text: 'two' }] }],
    ['fs_apply_patch', { patch }],
  ];
  for (const [tool, given] of cases)
    for (const dry_run of [true, false])
      it(`says whether it has: ${tool}, dry_run ${dry_run}`, async () => {
        const toolkit = await coreToolkit({ roots: [await temporaryFolder({ 'a.txt': 'one\n' })] });
        expect(await toolkit.execute(tool, { ...given, dry_run })).to.have.property('applied', !dry_run);
      });
});
