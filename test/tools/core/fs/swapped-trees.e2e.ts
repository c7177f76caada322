import { mkdir, readdir, readFile, rm, symlink } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import { apiVersion, definePlugin, ToolkitError } from '../../../../kernel/index.ts';
import { standard } from '../../../../plugins/toolkit/index.ts';
import { temporaryFolder } from '../../../support/temporary.ts';
import { bareKernel } from '../../../support/test-kernel.ts';

const calls = [
  { tool: 'fs_copy', given: { source: 'folder/below', destination: 'copy', recursive: true }, swapped: 'folder' },
  { tool: 'fs_copy', given: { source: 'folder/below', destination: 'copy', recursive: true }, swapped: 'folder/below' },
  { tool: 'fs_copy', given: { source: 'folder/secret.txt', destination: 'copy' }, swapped: 'folder' },
  { tool: 'fs_copy', given: { source: 'file.txt', destination: 'folder/new.txt' }, swapped: 'folder' },
  { tool: 'fs_copy', given: { source: 'file.txt', destination: 'folder/secret.txt', overwrite: true }, swapped: 'folder' },
  { tool: 'fs_copy', given: { source: 'file.txt', destination: 'new/deep/x.txt' }, swapped: 'new' },
  { tool: 'fs_copy', given: { source: 'other', destination: 'folder', recursive: true, overwrite: true }, swapped: 'folder' },
  { tool: 'fs_move', given: { source: 'folder/secret.txt', destination: 'moved.txt' }, swapped: 'folder' },
  { tool: 'fs_move', given: { source: 'folder/below', destination: 'moved' }, swapped: 'folder' },
  { tool: 'fs_move', given: { source: 'file.txt', destination: 'folder/new.txt' }, swapped: 'folder' },
  { tool: 'fs_move', given: { source: 'file.txt', destination: 'folder/secret.txt', overwrite: true }, swapped: 'folder' },
  { tool: 'fs_move', given: { source: 'file.txt', destination: 'new/deep/x.txt' }, swapped: 'new' },
  { tool: 'fs_delete', given: { path: 'folder/secret.txt' }, swapped: 'folder' },
  { tool: 'fs_delete', given: { path: 'folder/below', recursive: true }, swapped: 'folder' },
  { tool: 'fs_make_directory', given: { path: 'folder/new' }, swapped: 'folder' },
  { tool: 'fs_make_directory', given: { path: 'new/deep' }, swapped: 'new' },
  { tool: 'fs_hash_file', given: { path: 'folder/secret.txt' }, swapped: 'folder' },
  { tool: 'fs_hash_file', given: { path: 'folder/secret.txt' }, swapped: 'folder/secret.txt' },
  { tool: 'fs_compare_files', given: { left: 'file.txt', right: 'folder/secret.txt' }, swapped: 'folder' },
  { tool: 'fs_disk_usage', given: { path: 'folder' }, swapped: 'folder' },
  { tool: 'fs_disk_usage', given: { path: 'folder/below' }, swapped: 'folder' },
];

describe('a tool for whole files and folders whose path has become a link at the very moment when it runs', () => {
  for (const { tool, given, swapped } of calls) {
    it(`shows and changes nothing outside: ${tool} ${JSON.stringify(given)}, where ${swapped} is a link`, async () => {
      const base = await temporaryFolder({
        'root/file.txt': 'inside',
        'root/folder/secret.txt': 'inside',
        'root/folder/below/deep.txt': 'inside',
        'root/other/secret.txt': 'inside',
        'outside/secret.txt': 'planted',
        'outside/below/deep.txt': 'planted',
      });
      const place = path.join(base, 'root', swapped);
      const swap = definePlugin({
        name: 'swap',
        apiVersion,
        apply: ({ hooks }) =>
          hooks.execute.for('function').tapPromise({ name: 'swap', stage: -1 }, async () => {
            await rm(place, { recursive: true, force: true });
            await mkdir(path.dirname(place), { recursive: true });
            await symlink(path.join(base, swapped.replace(/^(folder|new)/, 'outside')), place);
            return undefined;
          }),
      });
      const kernel = await bareKernel({ cwd: path.join(base, 'root'), plugins: [standard({ autoDiscover: false }), swap()] });
      const answer: unknown = await kernel.execute(tool, given).catch((error: unknown) => error);
      const seen = ToolkitError.is(answer) ? answer.code : answer;
      // Of a link itself the size is 0, and nothing of what it leads to is seen.
      if (tool === 'fs_disk_usage' && given.path === swapped) expect(seen).to.deep.equal({ total_bytes: 0, entries: [], truncated: false });
      else expect(seen).to.be.oneOf(['EXECUTION_FAILED', 'NOT_FOUND']);
      expect((await readdir(path.join(base, 'outside'), { recursive: true })).sort()).to.deep.equal([
        'below',
        'below/deep.txt',
        'secret.txt',
      ]);
      expect(await readFile(path.join(base, 'outside/secret.txt'), 'utf8')).to.equal('planted');
      const left = await readdir(path.join(base, 'root'), { recursive: true });
      expect(left.filter((name) => /copy|moved|\.tmp/.test(name))).to.deep.equal([]);
    });
  }
});
