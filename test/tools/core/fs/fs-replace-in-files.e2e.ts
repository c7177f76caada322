import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { chmod, readdir, readFile, stat, symlink, truncate, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import type { Toolkit } from '../../../../plugins/toolkit/index.ts';
import { rejection } from '../../../support/rejection.ts';
import { stopsAlone } from '../../../support/stops-alone.ts';
import { temporaryFolder } from '../../../support/temporary.ts';
import { asNobody } from './as-nobody.ts';
import { sharedToolkit } from './shared-toolkit.ts';
import { readTree } from './trees.ts';

interface Replaced {
  readonly files: readonly { readonly path: string; readonly replacements: number }[];
  readonly total: number;
  readonly skipped?: readonly { readonly path: string; readonly reason: string }[];
}

describe('fs_replace_in_files', () => {
  const shared = sharedToolkit();

  const replace = (folder: string, parameters: Record<string, unknown>, toolkit = shared.toolkit): Promise<Replaced> =>
    toolkit.execute('fs_replace_in_files', {
      glob: '*',
      ...parameters,
      path: path.join(folder, String(parameters['path'] ?? '.')),
    }) as unknown as Promise<Replaced>;

  it('only counts unless dry_run is false', async () => {
    const files = { 'a.ts': 'alt alt\n', 'sub/b.ts': 'alt\n', 'c.ts': 'neu\n' };
    const folder = await temporaryFolder(files);
    const request = { pattern: 'alt', replacement: 'neu' };
    const counted = await replace(folder, request);
    expect(counted).to.deep.equal({
      applied: false,
      files: [
        { path: 'a.ts', replacements: 2 },
        { path: 'sub/b.ts', replacements: 1 },
      ],
      total: 3,
    });
    expect(await readTree(folder)).to.deep.equal(files);
    expect(await replace(folder, { ...request, dry_run: false })).to.deep.equal({ ...counted, applied: true });
    expect(await readTree(folder)).to.deep.equal({ 'a.ts': 'neu neu\n', 'sub/b.ts': 'neu\n', 'c.ts': 'neu\n' });
    expect(await replace(folder, { ...request, dry_run: false })).to.deep.equal({ applied: true, files: [], total: 0 });
  });

  it('replaces what sed replaces', async () => {
    const text = 'Grüße an Müller\nviele Grüße\n\tGruß 世界 👋\n';
    const folder = await temporaryFolder({ 'a.txt': text });
    const other = await temporaryFolder({ 'a.txt': text });
    await replace(folder, { pattern: '(Gr)[üu](ß)', replacement: '$2-$1', regex: true, dry_run: false });
    execFileSync('sed', ['-i', '-E', 's/(Gr)(ü|u)(ß)/\\3-\\1/g', 'a.txt'], { cwd: other });
    expect(await readTree(folder)).to.deep.equal(await readTree(other));
  });

  const texts = [
    { of: 'plain text as it is', before: 'a.c abc $1', pattern: 'a.c', replacement: "$1$&$'", after: "$1$&$' abc $1" },
    {
      of: 'an expression with groups',
      before: 'key=value\nx=y\n',
      pattern: '^(?<k>\\w+)=(.*)$',
      replacement: '$2=$<k>',
      regex: true,
      after: 'value=key\ny=x\n',
    },
    { of: 'every line by ^', before: 'a\n\nb', pattern: '^', replacement: '> ', regex: true, after: '> a\n> \n> b' },
    { of: 'text over several lines', before: 'a\nb\nc\n', pattern: 'a\nb', replacement: 'x', after: 'x\nc\n' },
    { of: 'several lines with CR LF', before: 'a\r\nb\r\nc\r\n', pattern: 'a\nb', replacement: 'x\ny', after: 'x\r\ny\r\nc\r\n' },
    { of: 'the end of a line with CR LF', before: 'a\r\nb\r\n', pattern: '$', replacement: ';', regex: true, after: 'a;\r\nb;\r\n;' },
    { of: 'text in mixed line ends', before: 'a\r\nb\nc\r\n', pattern: 'b\nc', replacement: 'x\ny\nz', after: 'a\r\nx\ny\nz\r\n' },
    {
      of: 'matches in mixed line ends, each with its own',
      before: 'k=1\r\nl=2\nm',
      pattern: '^(?<k>\\w)(?:=(.))?$',
      replacement: '$<k>\n$2',
      regex: true,
      after: 'k\r\n1\r\nl\n2\nm\n',
    },
    { of: 'text behind a byte order mark', before: '\uFEFFa\n', pattern: '^a', replacement: 'ä', regex: true, after: '\uFEFFä\n' },
    { of: 'non-ASCII text', before: '👋 世界', pattern: '.', replacement: '<$&>', regex: true, after: '<👋>< ><世><界>' },
    { of: 'what only the older syntax knows', before: 'a-b', pattern: 'a\\-b', replacement: 'x', regex: true, after: 'x' },
    { of: 'nothing by nothing', before: 'a b', pattern: ' ', replacement: '', after: 'ab' },
  ];
  for (const { of, before, after, ...request } of texts) {
    it(`replaces ${of}`, async () => {
      const folder = await temporaryFolder({ 'ä b.txt': before });
      await replace(folder, { ...request, dry_run: false });
      expect(await readFile(path.join(folder, 'ä b.txt'), 'utf8')).to.equal(after);
    });
  }

  it('looks only into the files of the glob, not into node_modules, .git, binary files and links', async () => {
    const outside = await temporaryFolder({ 'a.ts': 'alt' });
    const folder = await temporaryFolder({
      'a.ts': 'alt',
      '.b.ts': 'alt',
      'c.md': 'alt',
      'node_modules/m/a.ts': 'alt',
      '.git/a.ts': 'alt',
      'd.ts': 'alt\0',
    });
    await symlink(path.join(outside, 'a.ts'), path.join(folder, 'link.ts'));
    await symlink(outside, path.join(folder, 'out'));
    const before = await readTree(folder);
    const { files, skipped } = await replace(folder, { pattern: 'alt', replacement: 'neu', glob: '*.ts', dry_run: false });
    expect(files.map(({ path: name }) => name)).to.deep.equal(['.b.ts', 'a.ts']);
    expect(skipped).to.equal(undefined);
    expect(await readTree(folder)).to.deep.equal({ ...before, 'a.ts': 'neu', '.b.ts': 'neu' });
    expect(await readFile(path.join(outside, 'a.ts'), 'utf8')).to.equal('alt');
  });

  it('names the files that it leaves as they are because it cannot read them as text', async () => {
    const folder = await temporaryFolder({ 'a.txt': 'alt' });
    await writeFile(path.join(folder, 'latin1.txt'), Buffer.from('alt ü', 'latin1'));
    await writeFile(path.join(folder, 'large.txt'), 'alt');
    await truncate(path.join(folder, 'large.txt'), 16_777_217);
    const { files, skipped = [] } = await replace(folder, { pattern: 'alt', replacement: 'neu', dry_run: false });
    expect(files.map(({ path: name }) => name)).to.deep.equal(['a.txt']);
    expect(skipped.map(({ path: name }) => name)).to.deep.equal(['large.txt', 'latin1.txt']);
    expect(skipped.map(({ reason }) => reason).join())
      .to.include('at most 16777216 bytes')
      .and.to.include('not valid UTF-8');
    expect((await readFile(path.join(folder, 'latin1.txt'))).toString('latin1')).to.equal('alt ü');
  });

  it('takes a single file, whatever the glob says, and keeps its mode', async () => {
    const folder = await temporaryFolder({ 'run.sh': 'alt', 'b.sh': 'alt' });
    await chmod(path.join(folder, 'run.sh'), 0o751);
    const { files } = await replace(folder, { pattern: 'alt', replacement: 'neu', path: 'run.sh', glob: '*.ts', dry_run: false });
    expect(files).to.deep.equal([{ path: 'run.sh', replacements: 1 }]);
    expect(await readTree(folder)).to.deep.equal({ 'run.sh*': 'neu', 'b.sh': 'alt' });
    expect((await stat(path.join(folder, 'run.sh'))).mode & 0o777).to.equal(0o751);
  });

  it('changes no file when one of them may not be written', async () => {
    const folder = await temporaryFolder({ 'a.txt': 'alt', 'b.txt': 'alt', 'c.txt': 'alt' });
    await chmod(folder, 0o777);
    for (const name of ['a.txt', 'c.txt']) await chmod(path.join(folder, name), 0o666);
    await chmod(path.join(folder, 'b.txt'), 0o444);
    const request = { pattern: 'alt', replacement: 'neu' };
    await replace(folder, request);
    const error = await asNobody(() => rejection(replace(folder, { ...request, dry_run: false }), 'EXECUTION_FAILED'));
    expect(error.message).to.include('b.txt').and.to.include('permission is denied').and.to.include('No file was changed');
    expect(await readTree(folder)).to.deep.equal({ 'a.txt': 'alt', 'b.txt': 'alt', 'c.txt': 'alt' });
    expect(await readdir(folder)).to.have.length(3);
  });

  it('refuses a pattern that cuts a character in half', async () => {
    const folder = await temporaryFolder({ 'a.txt': '👋' });
    // Only the older syntax knows `\-`, and for that a character may be one of two halves.
    const request = { pattern: '^.\\-?', replacement: 'x', regex: true, dry_run: false };
    const error = await rejection(replace(folder, request), 'INVALID_PARAMETERS');
    expect(error.message).to.include('cut a character').and.to.include('a.txt');
    expect(await readTree(folder)).to.deep.equal({ 'a.txt': '👋' });
  });

  const bombs = [
    { pattern: 'a', replacement: 'b'.repeat(100_000) },
    { pattern: 'a+', replacement: '$&'.repeat(50_000), regex: true },
    { pattern: 'a', replacement: "$`$'".repeat(100), regex: true },
  ];
  for (const bomb of bombs) {
    it(`refuses to let a file grow beyond measure: ${bomb.replacement.slice(0, 6)}…`, async () => {
      const folder = await temporaryFolder({ 'a.txt': 'a'.repeat(2000) });
      const error = await rejection(replace(folder, { ...bomb, dry_run: false }), 'INVALID_PARAMETERS');
      expect(error.message).to.include('a.txt').and.to.include('more than 67108864 characters');
      expect(await readTree(folder)).to.deep.equal({ 'a.txt': 'a'.repeat(2000) });
    });
  }

  it('refuses a change of more than 5000 files, and writes nothing', async () => {
    const folder = await temporaryFolder({ 'a.txt': 'x' });
    for (let index = 0; index < 5000; index++) writeFileSync(path.join(folder, `${index}.txt`), 'x');
    const error = await rejection(replace(folder, { pattern: 'x', replacement: 'y', dry_run: false }), 'EXECUTION_FAILED');
    expect(error.message).to.include('5000 files').and.to.include('Narrow path or glob');
    expect(await readFile(path.join(folder, '0.txt'), 'utf8')).to.equal('x');
  });

  it('wants approval from a model exactly when it writes', async () => {
    const { definition } = shared.toolkit.kernel.registry.get('fs_replace_in_files');
    expect(definition).to.deep.include({ risk: 'high', requires_approval: { dry_run: false } });
    expect(definition.parameters?.['dry_run']).to.include({ default: true });
  });

  const refusals = [
    { request: { pattern: '(', regex: true }, says: 'Unterminated group' },
    { request: { pattern: '(', regex: true }, says: 'set "regex" to false' },
    { request: { pattern: 'x\\Z', regex: true }, says: 'received \\Z, which does not exist there' },
    { request: { pattern: '(?i)x', regex: true }, says: 'received flags at its beginning' },
    { request: { pattern: '' }, says: 'pattern' },
    { request: { pattern: 'x', replacement: '\uD83D' }, says: 'surrogate' },
    { request: { pattern: 'x', glob: '../*' }, says: 'below the searched folder' },
    { request: { pattern: 'x', glob: '' }, says: 'glob' },
  ];
  for (const { request, says } of refusals) {
    it(`refuses ${JSON.stringify(request)}, also where there are no files`, async () => {
      const error = await rejection(replace(await temporaryFolder(), { replacement: 'y', ...request }), 'INVALID_PARAMETERS');
      expect(error.message).to.include(says);
    });
  }

  it('says that a place does not exist, and refuses one outside of the root', async () => {
    const folder = await temporaryFolder();
    const request = { pattern: 'x', replacement: 'y' };
    expect((await rejection(replace(folder, { ...request, path: 'fehlt' }), 'NOT_FOUND')).message).to.include('fs_tree');
    await rejection(replace('/', request), 'INVALID_PARAMETERS');
  });

  it('stops a pattern that would run for years, changes nothing, and answers other calls meanwhile', async () => {
    const files = { 'a.txt': 'a', 'b.txt': `${'a'.repeat(60)}!` };
    const folder = await temporaryFolder(files);
    const calls = {
      harmless: { pattern: 'x', replacement: 'y', glob: '*' },
      endless: { pattern: '^(a+)+$', replacement: 'x', glob: '*', regex: true, dry_run: false },
      meanwhile: async (toolkit: Toolkit) => expect(await toolkit.execute('fs_stat', { path: 'a.txt' })).to.include({ exists: true }),
    };
    await stopsAlone(['fs'], 'fs_replace_in_files', calls, { roots: [folder] });
    expect(await readTree(folder)).to.deep.equal(files);
  });
});
