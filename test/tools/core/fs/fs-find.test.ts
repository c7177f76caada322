import { execFileSync } from 'node:child_process';
import { chmod, symlink } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import type { Toolkit } from '../../../../plugins/toolkit/index.ts';
import { rejection } from '../../../support/rejection.ts';
import { stopsAlone } from '../../../support/stops-alone.ts';
import { temporaryFolder } from '../../../support/temporary.ts';
import { asNobody } from './as-nobody.ts';
import { sharedToolkit } from './shared-toolkit.ts';

interface Found {
  readonly paths: readonly string[];
  readonly truncated: boolean;
}

const files = [
  '.env',
  '.git/config',
  '.github/ci.yml',
  'a.ts',
  'lib/a.ts/deep.md',
  'node_modules/m/i.ts',
  'src/[b] ä.tsx',
  'src/世界/c.ts',
];

const project = (): Promise<string> => temporaryFolder(Object.fromEntries(files.map((name) => [name, ''])));

describe('fs_find', () => {
  const shared = sharedToolkit();

  const find = (folder: string, parameters: Record<string, unknown>, toolkit = shared.toolkit): Promise<Found> =>
    toolkit.execute('fs_find', { ...parameters, path: path.join(folder, String(parameters['path'] ?? '.')) }) as unknown as Promise<Found>;

  const patterns = [
    { pattern: '*', paths: ['.env', '.github/ci.yml', 'a.ts', 'lib/a.ts/deep.md', 'src/[b] ä.tsx', 'src/世界/c.ts'] },
    { pattern: '*.ts', paths: ['a.ts', 'src/世界/c.ts'] },
    { pattern: '*.TS', paths: [] },
    { pattern: 'src/*', paths: ['src/[b] ä.tsx'] },
    { pattern: 'src/**/*.{ts,tsx}', paths: ['src/[b] ä.tsx', 'src/世界/c.ts'] },
    { pattern: '.*', paths: ['.env'] },
    { pattern: '{.git,.github}/*', paths: ['.git/config', '.github/ci.yml'] },
    { pattern: 'node_modules/**/*.ts', paths: ['node_modules/m/i.ts'] },
    { pattern: '!*.ts', paths: ['.env', '.github/ci.yml', 'src/[b] ä.tsx'] },
    { pattern: '*.ts/', paths: ['lib/a.ts/'] },
    { pattern: '世界/', paths: ['src/世界/'] },
    { pattern: 'src/*/', paths: ['src/世界/'] },
  ];
  for (const { pattern, paths } of patterns) {
    it(`finds ${paths.length} paths for ${pattern}`, async () => {
      // Where the pattern begins with a folder, nothing else is looked at.
      const isLeftOut = !/^(src|node_modules)\/|\.git,/.test(pattern);
      const leftOut = isLeftOut ? { left_out: ['.git'] } : {};
      expect(await find(await project(), { pattern })).to.deep.equal({ paths, truncated: false, ...leftOut });
    });
  }

  it('finds the files that find finds', async () => {
    const folder = await temporaryFolder({ 'b/x.log': '', 'a/ä/y.log': '', '.c/z.log': '', 'a.log': '', 'log.txt': '' });
    await symlink('../log.txt', path.join(folder, 'a/link.log'));
    const found = execFileSync('find', ['.', '-name', '*.log'], { cwd: folder, encoding: 'utf8' }).trim().split('\n');
    const { paths } = await find(folder, { pattern: '*.log' });
    expect(paths).to.deep.equal(found.map((name) => name.slice(2)).sort());
  });

  const ignored = [
    { ignore: ['lib'], paths: ['a.ts', 'src/c.ts', 'src/old/d.ts'] },
    { ignore: ['src/old', 'a.ts'], paths: ['src/c.ts'] },
    { ignore: ['/a.ts', '*old*/'], paths: ['lib/a.ts', 'src/c.ts'] },
    { ignore: ['*'], paths: [] },
  ];
  for (const { ignore, paths } of ignored) {
    it(`leaves out ${ignore.join(' and ')}`, async () => {
      const folder = await temporaryFolder({ 'a.ts': '', 'lib/a.ts': '', 'src/c.ts': '', 'src/old/d.ts': '' });
      expect((await find(folder, { pattern: '*.ts', ignore })).paths).to.deep.equal(paths);
    });
  }

  it('lists links and does not follow them', async () => {
    const outside = await temporaryFolder({ 'secret.txt': '' });
    const folder = await temporaryFolder({ 'real/a.txt': '' });
    await symlink(outside, path.join(folder, 'out.txt'));
    await symlink('.', path.join(folder, 'circle'));
    await symlink('real', path.join(folder, 'in'));
    expect((await find(folder, { pattern: '*.txt' })).paths).to.deep.equal(['out.txt', 'real/a.txt']);
    expect((await find(folder, { pattern: '{out.txt,in,circle}/*' })).paths).to.deep.equal([]);
    expect((await find(folder, { pattern: '*/' })).paths).to.deep.equal(['real/']);
    expect((await find(folder, { pattern: '*.txt', path: 'in' })).paths).to.deep.equal(['a.txt']);
  });

  for (const { max_results, truncated } of [
    { max_results: 2, truncated: true },
    { max_results: 3, truncated: false },
  ]) {
    it(`says truncated: ${truncated} for ${max_results} of 3 files`, async () => {
      const folder = await temporaryFolder({ c: '', a: '', b: '' });
      const paths = ['a', 'b', 'c'].slice(0, max_results);
      const next = truncated ? { next_offset: max_results } : {};
      expect(await find(folder, { pattern: '*', max_results })).to.deep.equal({ paths, truncated, ...next });
    });
  }

  it('finds nothing in an empty folder', async () => {
    expect(await find(await temporaryFolder(), { pattern: '*' })).to.deep.equal({ paths: [], truncated: false });
  });

  for (const leaving of ['../*', 'sub/../../*', '{..,sub}/*', '/etc/host*', '!../*']) {
    it(`refuses the pattern ${leaving}`, async () => {
      const folder = await temporaryFolder({ 'sub/a.txt': '' });
      const error = await rejection(find(folder, { pattern: leaving, path: 'sub' }), 'INVALID_PARAMETERS');
      expect(error.message).to.include('Parameter "pattern"').and.to.include(leaving);
    });
  }

  for (const leaving of ['../x', '/..', 'a/../../x']) {
    it(`refuses to leave out ${leaving}`, async () => {
      const error = await rejection(find(await temporaryFolder(), { pattern: '*', ignore: ['x', leaving] }), 'INVALID_PARAMETERS');
      expect(error.message).to.include('Parameter "ignore[1]"').and.to.include(leaving);
    });
  }

  it('says that a folder does not exist, is a file, or may not be read', async () => {
    const folder = await temporaryFolder({ 'a.txt': '', 'closed/b.txt': '' });
    await chmod(folder, 0o755);
    await chmod(path.join(folder, 'closed'), 0);
    expect((await rejection(find(folder, { pattern: '*', path: 'fehlt' }), 'NOT_FOUND')).message).to.include('fs_tree');
    expect((await rejection(find(folder, { pattern: '*', path: 'a.txt' }), 'EXECUTION_FAILED')).message).to.include('expected a folder');
    const error = await asNobody(() => rejection(find(folder, { pattern: '*', path: 'closed' }), 'EXECUTION_FAILED'));
    expect(error.message).to.include('permission is denied');
    expect(await asNobody(() => find(folder, { pattern: '*' }))).to.deep.include({ paths: ['a.txt'] });
    await chmod(path.join(folder, 'closed'), 0o755);
  });

  it('stops a pattern that would run for years, and answers other calls meanwhile', async () => {
    const folder = await temporaryFolder({ 'a.txt': '', ['a'.repeat(60)]: '' });
    const calls = {
      harmless: { pattern: '*.txt' },
      endless: { pattern: `${'*a'.repeat(20)}b` },
      meanwhile: async (toolkit: Toolkit) => expect(await toolkit.execute('fs_stat', { path: 'a.txt' })).to.include({ exists: true }),
    };
    await stopsAlone(['fs'], 'fs_find', calls, { roots: [folder] });
  });

  for (const parameters of [{ pattern: '' }, { max_results: 0 }, { max_results: 10_001 }, { ignore: [''] }]) {
    it(`refuses ${JSON.stringify(parameters)}`, async () => {
      await rejection(find(await temporaryFolder(), { pattern: '*', ...parameters }), 'INVALID_PARAMETERS');
    });
  }
});
