import { execFileSync } from 'node:child_process';
import { mkdir, readdir, readFile, rm, symlink } from 'node:fs/promises';
import net from 'node:net';
import path from 'node:path';
import { expect } from 'chai';
import { holdsKey } from '../../../../kernel/definition/reports.ts';
import { apiVersion, definePlugin, type Kernel, type Parameter, type Tool } from '../../../../kernel/index.ts';
import { standard } from '../../../../plugins/toolkit/index.ts';
import { landscape } from '../../../plugins/confine-paths/landscape.ts';
import { coreToolkit } from '../../../support/core-toolkit.ts';
import { rejection } from '../../../support/rejection.ts';
import { bareKernel } from '../../../support/test-kernel.ts';

/** What a caller can give. */
const takesPath = (parameter: Parameter): boolean => parameter.fixed !== true && holdsKey(parameter, 'path');

const { kernel: listing } = await coreToolkit();
const tools = [...listing.registry.tools.values()].filter(({ parameters }) => Object.values(parameters).some(takesPath));

/** What a call of the tool needs, with the path in each place that is declared to be one. */
function withPath({ parameters }: Tool, place: string): Record<string, unknown> {
  const entries = Object.entries(parameters).flatMap(([name, parameter]) => {
    if (takesPath(parameter)) return [[name, parameter.type === 'array' ? [place] : place] as const];
    return parameter.required === true ? [[name, parameter.example ?? 'x'] as const] : [];
  });
  return Object.fromEntries(entries);
}

describe('a core tool that takes a path', () => {
  it('is one of these', () => {
    const names = tools.map(({ name }) => name).sort();
    expect(names).to.include.members(['fs_read_file', 'fs_search', 'fs_tree', 'fs_write_file', 'git_log', 'git_status', 'system_execute']);
  });

  const escapes = [
    '..',
    '../outside/secret.txt',
    '/etc/passwd',
    '/',
    'link-file',
    'link-folder',
    'link-folder/secret.txt',
    'chain-1/secret.txt',
    'folder/up',
    'dangling',
    'dangling-through',
    'proc-root/etc/passwd',
    'device-null',
    '/dev/stdin',
    '/proc/self/environ',
    'file.txt\0',
    'loop',
  ];
  for (const tool of tools) {
    it(`refuses every path that leaves the root: ${tool.name}`, async () => {
      const base = await landscape();
      const toolkit = await coreToolkit({ roots: [path.join(base, 'root')] });
      for (const place of escapes) await rejection(toolkit.execute(tool.name, withPath(tool, place)), 'INVALID_PARAMETERS');
      expect(await readdir(path.join(base, 'outside'))).to.deep.equal(['secret.txt']);
      expect(await readFile(path.join(base, 'outside/secret.txt'), 'utf8')).to.equal('');
    });
  }

  const files = ['fs_read_file', 'fs_search', 'fs_write_file'] as const;
  const given = { fs_read_file: {}, fs_search: { pattern: 'x' }, fs_write_file: { content: 'x', if_exists: 'overwrite' } };
  for (const name of files) {
    it(`refuses a pipe and a socket inside the root, and does not wait for them: ${name}`, async () => {
      const root = path.join(await landscape(), 'root');
      execFileSync('mkfifo', [path.join(root, 'pipe')]);
      const server = net.createServer();
      await new Promise<void>((resolve) => server.listen(path.join(root, 'socket'), resolve));
      const toolkit = await coreToolkit({ roots: [root] });
      try {
        for (const place of ['pipe', 'socket']) {
          await rejection(toolkit.execute(name, { ...given[name], path: place }), 'EXECUTION_FAILED');
        }
      } finally {
        await new Promise((resolve) => server.close(resolve));
      }
    });
  }

  for (const name of ['fs_read_file', 'fs_write_file'] as const) {
    it(`refuses a folder in the place of a file, and what is below a file: ${name}`, async () => {
      const toolkit = await coreToolkit({ roots: [path.join(await landscape(), 'root')] });
      for (const place of ['folder', 'inner-link', '.', 'file.txt/below']) {
        await rejection(toolkit.execute(name, { ...given[name], path: place }), 'EXECUTION_FAILED');
      }
    });
  }

  it('takes ~, variables, URLs and encodings for names', async () => {
    const root = path.join(await landscape(), 'root');
    const toolkit = await coreToolkit({ roots: [root] });
    for (const place of ['~/a', '$HOME/a', '%2e%2e/a', 'file:///a', 'C:\\a', '\\\\server\\share', '.. /a', '-rf']) {
      await toolkit.execute('fs_write_file', { path: place, content: 'x' });
      expect(await readFile(path.join(root, place), 'utf8')).to.equal('x');
    }
  });
});

/** The core tools, and a file or folder that becomes a link to `outside` while a person would be asked. */
async function swapping(base: string, place: string, target: string): Promise<Kernel> {
  const root = path.join(base, 'root');
  const swap = definePlugin({
    name: 'swap',
    apiVersion,
    apply: ({ hooks }) =>
      hooks.beforeExecute.tapPromise('swap', async () => {
        await rm(path.join(root, place), { recursive: true, force: true });
        await symlink(target, path.join(root, place));
        return undefined;
      }),
  });
  return bareKernel({ cwd: root, plugins: [standard({ autoDiscover: false }), swap()] });
}

describe('a core tool whose path changes after it was checked', () => {
  const swaps = [
    { place: 'file.txt', target: '../outside/secret.txt', path: 'file.txt' },
    { place: 'folder', target: '../outside', path: 'folder/secret.txt' },
    { place: 'folder', target: '../outside', path: 'folder' },
    { place: 'new.txt', target: '../outside/secret.txt', path: 'new.txt' },
    { place: 'new', target: '../outside', path: 'new/secret.txt' },
    { place: 'new', target: '../outside', path: 'new/made.txt' },
  ];
  for (const { place, target, path: given } of swaps) {
    for (const tool of tools) {
      it(`does not run: ${tool.name} with ${given}, where ${place} becomes a link`, async () => {
        const base = await landscape();
        await mkdir(path.join(base, 'outside/below'));
        const kernel = await swapping(base, place, target);
        const error = await rejection(kernel.execute(tool.name, withPath(tool, given)), 'INVALID_PARAMETERS');
        expect(error.message).to.match(/leads somewhere else now|expected a path inside/);
        expect((await readdir(path.join(base, 'outside'))).sort()).to.deep.equal(['below', 'secret.txt']);
        expect(await readFile(path.join(base, 'outside/secret.txt'), 'utf8')).to.equal('');
      });
    }
  }
});
