import { mkdir, realpath, rm, symlink } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { expect } from 'chai';
import { after, before } from 'mocha';
import { apiVersion, createKernel, definePlugin, type Kernel, ToolkitError } from '../../../../kernel/index.ts';
import { standard } from '../../../../plugins/toolkit/index.ts';
import { memoryLogger } from '../../../../plugins/toolkit/testing.ts';
import { temporaryFolder } from '../../../support/temporary.ts';
import { readTree } from './trees.ts';

interface Swap {
  /** Path in the folder `root` that becomes a link. */
  readonly place: string;
  readonly target: string;
  /** The file of the call. */
  readonly file: string;
}

const swaps: readonly Swap[] = [
  { place: 'file.txt', target: '../outside/secret.txt', file: 'file.txt' },
  { place: 'folder', target: '../outside', file: 'folder/secret.txt' },
  { place: 'folder/below', target: '../../outside/below', file: 'folder/below/deep.txt' },
  { place: 'new', target: '../outside', file: 'new/new.txt' },
];

const change = '@@ -1 +1 @@\n-inside\n+changed\n';
const parent = (file: string): string => path.dirname(file);
const name = (file: string): string => path.basename(file);

const calls: readonly { tool: string; parameters: (file: string) => Record<string, unknown> }[] = [
  { tool: 'fs_read_lines', parameters: (file) => ({ path: file }) },
  { tool: 'fs_read_many', parameters: (file) => ({ paths: [file] }) },
  { tool: 'fs_stat', parameters: (file) => ({ path: file }) },
  { tool: 'fs_list_directory', parameters: (file) => ({ path: parent(file) }) },
  { tool: 'fs_find', parameters: (file) => ({ path: parent(file), pattern: '*' }) },
  { tool: 'fs_append_file', parameters: (file) => ({ path: file, content: 'more' }) },
  { tool: 'fs_edit_file', parameters: (file) => ({ path: file, edits: [{ old_text: 'n', new_text: 'x' }] }) },
  { tool: 'fs_edit_file', parameters: (file) => ({ path: file, edits: [{ old_text: 'n', new_text: 'x' }], dry_run: true }) },
  { tool: 'fs_replace_in_files', parameters: (file) => ({ path: file, glob: '*', pattern: 'n', replacement: 'x', dry_run: false }) },
  {
    tool: 'fs_replace_in_files',
    parameters: (file) => ({ path: parent(file), glob: '*', pattern: 'a', replacement: 'x', dry_run: false }),
  },
  { tool: 'fs_apply_patch', parameters: (file) => ({ root: parent(file), patch: `--- a/${name(file)}\n+++ b/${name(file)}\n${change}` }) },
  {
    tool: 'fs_apply_patch',
    parameters: (file) => ({ root: parent(file), patch: '--- /dev/null\n+++ b/made/x.txt\n@@ -0,0 +1 @@\n+new\n' }),
  },
];

describe('a file tool whose path has become a link when it runs', () => {
  let swap = async (): Promise<void> => {};
  let kernel: Kernel;

  before(async () => {
    const swapping = definePlugin({
      name: 'swap',
      apiVersion,
      apply: ({ hooks }) =>
        hooks.execute.for('function').tapPromise({ name: 'swap', stage: -1 }, async () => {
          await swap();
          return undefined;
        }),
    });
    const tools = standard({ autoDiscover: false, roots: [await realpath(os.tmpdir())] });
    kernel = await createKernel({ logger: memoryLogger(), plugins: [tools, swapping()] });
  });

  after(() => kernel.close());

  for (const { tool, parameters } of calls) {
    for (const { place, target, file } of swaps) {
      const shown = JSON.stringify(parameters(file));
      it(`shows and changes nothing outside: ${tool} ${shown} where ${place} is a link`, async () => {
        const base = await temporaryFolder({
          'root/file.txt': 'inside\n',
          'root/folder/secret.txt': 'inside\n',
          'root/folder/below/deep.txt': 'inside\n',
          'outside/secret.txt': 'planted\n',
          'outside/below/deep.txt': 'planted\n',
        });
        const root = path.join(base, 'root');
        const outside = await readTree(path.join(base, 'outside'));
        swap = async () => {
          await rm(path.join(root, place), { recursive: true, force: true });
          await mkdir(path.dirname(path.join(root, place)), { recursive: true });
          await symlink(target, path.join(root, place));
        };
        const given = parameters(path.join(root, file));
        const answer: unknown = await kernel.execute(tool, given).catch((error: unknown) => error);
        const seen = ToolkitError.is(answer) ? JSON.stringify([answer.message, answer.details]) : JSON.stringify(answer);
        expect(seen).to.not.match(/planted|"deep\.txt"/);
        expect(await readTree(path.join(base, 'outside'))).to.deep.equal(outside);
      });
    }
  }
});
