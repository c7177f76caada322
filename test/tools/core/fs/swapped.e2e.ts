import { mkdir, readdir, readFile, rm, symlink } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import { apiVersion, definePlugin, ToolkitError } from '../../../../kernel/index.ts';
import { standard } from '../../../../plugins/toolkit/index.ts';
import { temporaryFolder } from '../../../support/temporary.ts';
import { bareKernel } from '../../../support/test-kernel.ts';

const calls = [
  { tool: 'fs_read_file', given: {} },
  { tool: 'fs_read_file', given: { encoding: 'base64' } },
  { tool: 'fs_search', given: { pattern: '.' } },
  { tool: 'fs_tree', given: {} },
  { tool: 'fs_write_file', given: { content: 'written' } },
  { tool: 'fs_write_file', given: { content: 'written', overwrite: true } },
];

const swaps = [
  { place: 'file.txt', target: '../outside/secret.txt', given: 'file.txt' },
  { place: 'folder', target: '../outside', given: 'folder' },
  { place: 'folder', target: '../outside', given: 'folder/secret.txt' },
  { place: 'folder', target: '../outside', given: 'folder/below/deep.txt' },
  { place: 'folder/below', target: '../../outside/below', given: 'folder/below' },
  { place: 'new.txt', target: '../outside/new.txt', given: 'new.txt' },
  { place: 'new', target: '../outside', given: 'new/new.txt' },
];

describe('a file tool whose path has become a link at the very moment when it runs', () => {
  for (const { tool, given } of calls) {
    for (const { place, target, given: file } of swaps) {
      it(`shows and changes nothing outside: ${tool} ${JSON.stringify(given)} of ${file}, where ${place} is a link`, async () => {
        const base = await temporaryFolder({
          'root/file.txt': 'inside',
          'root/folder/secret.txt': 'inside',
          'root/folder/below/deep.txt': 'inside',
          'outside/secret.txt': 'planted',
          'outside/below/deep.txt': 'planted',
        });
        const root = path.join(base, 'root');
        const swap = definePlugin({
          name: 'swap',
          apiVersion,
          apply: ({ hooks }) =>
            hooks.execute.for('function').tapPromise({ name: 'swap', stage: -1 }, async () => {
              await rm(path.join(root, place), { recursive: true, force: true });
              await mkdir(path.dirname(path.join(root, place)), { recursive: true });
              await symlink(target, path.join(root, place));
              return undefined;
            }),
        });
        const kernel = await bareKernel({ cwd: root, plugins: [standard({ autoDiscover: false }), swap()] });
        const answer: unknown = await kernel.execute(tool, { ...given, path: file }).catch((error: unknown) => error);
        expect(ToolkitError.is(answer) ? answer.code : answer).to.be.oneOf(['EXECUTION_FAILED', 'NOT_FOUND']);
        expect(JSON.stringify((answer as ToolkitError).details)).to.not.match(/planted|sha256/);
        expect((await readdir(path.join(base, 'outside'), { recursive: true })).sort()).to.deep.equal([
          'below',
          'below/deep.txt',
          'secret.txt',
        ]);
        expect(await readFile(path.join(base, 'outside/secret.txt'), 'utf8')).to.equal('planted');
      });
    }
  }
});
