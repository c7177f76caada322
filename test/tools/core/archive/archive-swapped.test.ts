import { execFileSync } from 'node:child_process';
import { mkdir, readdir, realpath, rm, symlink } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { expect } from 'chai';
import { apiVersion, definePlugin, ToolkitError } from '../../../../kernel/index.ts';
import { Toolkit } from '../../../../plugins/toolkit/index.ts';
import { memoryLogger } from '../../../../plugins/toolkit/testing.ts';
import { temporaryFolder } from '../../../support/temporary.ts';

const calls = [
  { tool: 'archive_zip_create', given: { paths: ['folder'], destination: 'new.zip' }, swapped: 'folder' },
  { tool: 'archive_zip_create', given: { paths: ['folder/secret.txt'], destination: 'new.zip' }, swapped: 'folder' },
  { tool: 'archive_zip_create', given: { paths: ['file.txt'], destination: 'folder/new.zip' }, swapped: 'folder' },
  { tool: 'archive_tar_create', given: { paths: ['folder/secret.txt'], destination: 'new.tar' }, swapped: 'folder' },
  { tool: 'archive_tar_create', given: { paths: ['file.txt'], destination: 'new/deep/new.tar' }, swapped: 'new' },
  { tool: 'archive_zip_extract', given: { path: 'a.zip', destination: 'folder' }, swapped: 'folder' },
  { tool: 'archive_zip_extract', given: { path: 'a.zip', destination: 'new/out' }, swapped: 'new' },
  { tool: 'archive_zip_extract', given: { path: 'folder/a.zip', destination: 'out' }, swapped: 'folder' },
  { tool: 'archive_tar_extract', given: { path: 'a.tar', destination: 'folder/out' }, swapped: 'folder' },
  { tool: 'archive_tar_extract', given: { path: 'folder/a.tar', destination: 'out' }, swapped: 'folder' },
  { tool: 'archive_list', given: { path: 'folder/a.zip' }, swapped: 'folder' },
];

describe('an archive tool whose path has become a link at the very moment when it runs', () => {
  let swapNow = async (): Promise<void> => {};
  let toolkit: Toolkit;
  before(async () => {
    const swap = definePlugin({
      name: 'swap',
      apiVersion,
      apply: ({ hooks }) =>
        hooks.execute.for('function').tapPromise({ name: 'swap', stage: -1 }, async () => {
          await swapNow();
          return undefined;
        }),
    });
    toolkit = await Toolkit.init({ logger: memoryLogger(), roots: [await realpath(os.tmpdir())], plugins: [swap()] });
  });
  after(() => toolkit.close());

  for (const { tool, given, swapped } of calls) {
    it(`shows and changes nothing outside: ${tool} ${JSON.stringify(given)}, where ${swapped} is a link`, async () => {
      const base = await temporaryFolder({ 'root/file.txt': '', 'root/folder/secret.txt': '', 'outside/secret.txt': 'planted' });
      for (const place of ['root', 'root/folder', 'outside']) {
        execFileSync('zip', ['-q', path.join(base, place, 'a.zip'), 'file.txt'], { cwd: path.join(base, 'root') });
        execFileSync('tar', ['-cf', path.join(base, place, 'a.tar'), 'file.txt'], { cwd: path.join(base, 'root') });
      }
      const place = path.join(base, 'root', swapped);
      swapNow = async () => {
        await rm(place, { recursive: true, force: true });
        await mkdir(path.dirname(place), { recursive: true });
        await symlink(path.join(base, 'outside'), place);
      };
      const inRoot = (value: string | string[]): string | string[] =>
        typeof value === 'string' ? path.join(base, 'root', value) : value.map((each) => path.join(base, 'root', each));
      const parameters = Object.fromEntries(Object.entries(given).map(([name, value]) => [name, inRoot(value)]));
      const answer: unknown = await toolkit.execute(tool, parameters).catch((error: unknown) => error);
      expect(ToolkitError.is(answer) ? answer.code : answer).to.equal('EXECUTION_FAILED');
      expect(await readdir(path.join(base, 'outside'))).to.deep.equal(['a.tar', 'a.zip', 'secret.txt']);
      expect((await readdir(path.join(base, 'root'))).filter((name) => /out|new\.|\.tmp/.test(name))).to.deep.equal([]);
    });
  }
});
