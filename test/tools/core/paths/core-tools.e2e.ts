import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp, mkdir, readdir, readFile, rm, symlink } from 'node:fs/promises';
import net from 'node:net';
import path from 'node:path';
import { expect } from 'chai';
import { after, afterEach, before } from 'mocha';
import { holdsKey } from '../../../../kernel/definition/check/reports.ts';
import { apiVersion, createKernel, definePlugin, type Kernel, type Parameter, type Tool } from '../../../../kernel/index.ts';
import { secretsEnv, standard, type Toolkit } from '../../../../plugins/toolkit/index.ts';
import { memoryLogger } from '../../../../plugins/toolkit/testing.ts';
import { landscape } from '../../../plugins/confine-paths/landscape.ts';
import { coreToolkit, sharedCoreToolkit } from '../../../support/core-toolkit.ts';
import { rejection } from '../../../support/rejection.ts';
import { foldersForFile } from '../../../support/temporary.ts';

/** Returns true for a path parameter that a caller can give. */
const takesPath = (parameter: Parameter): boolean => parameter.fixed !== true && holdsKey(parameter, 'path');

const { kernel: listing } = await coreToolkit();
const tools = [...listing.registry.tools.values()].filter(({ parameters }) => Object.values(parameters).some(takesPath));

const secretName = 'WEBHOOK_SECRET';

/** Returns parameters of the tool with the path in each path parameter. */
function withPath({ parameters }: Tool, place: string): Record<string, unknown> {
  const entries = Object.entries(parameters).flatMap(([name, parameter]) => {
    if (takesPath(parameter)) return [[name, parameter.type === 'array' ? [place] : place] as const];
    return parameter.required === true
      ? [
          [
            name,
            parameter.example ??
              (parameter.enum as readonly unknown[] | undefined)?.[0] ??
              (parameter.names_secret === true ? secretName : 'x'),
          ] as const,
        ]
      : [];
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
  let base: string;
  let toolkit: Toolkit;
  before(async () => {
    base = await foldersForFile(landscape);
    toolkit = await sharedCoreToolkit({ roots: [path.join(base, 'root')] });
  });
  for (const tool of tools) {
    it(`refuses every path that leaves the root: ${tool.name}`, async () => {
      for (const place of escapes) await rejection(toolkit.execute(tool.name, withPath(tool, place)), 'INVALID_PARAMETERS');
      expect(await readdir(path.join(base, 'outside'))).to.deep.equal(['secret.txt']);
      expect(await readFile(path.join(base, 'outside/secret.txt'), 'utf8')).to.equal('');
    });
  }

  const files = ['fs_read_file', 'fs_search', 'fs_write_file'] as const;
  const given = { fs_read_file: {}, fs_search: { pattern: 'x' }, fs_write_file: { content: 'x', overwrite: true } };
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

/** Where a file or folder becomes a link while a person would be asked. */
interface Swap {
  readonly base: string;
  readonly place: string;
  readonly target: string;
}

/** The core tools, in a landscape of which they change nothing. */
async function swapping({ base, place, target }: Swap): Promise<Kernel> {
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
  return createKernel({
    cwd: root,
    logger: memoryLogger(),
    plugins: [
      standard({ autoDiscover: false, namedSecrets: [secretName] }),
      secretsEnv({ env: { [secretName]: 'a value of the tests' } }),
      swap(),
    ],
  });
}

/** As it was before the link. */
async function putBack({ base, place }: Swap, untouched: string): Promise<void> {
  const [from, to] = [path.join(untouched, 'root', place), path.join(base, 'root', place)];
  await rm(to, { recursive: true, force: true });
  if (existsSync(from)) await cp(from, to, { recursive: true, verbatimSymlinks: true });
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
  for (const { place, target, path: given } of swaps)
    describe(`with ${given}, where ${place} becomes a link`, () => {
      let swap: Swap;
      let untouched: string;
      let kernel: Kernel;
      before(async () => {
        const [base, other] = await foldersForFile(async () => [await landscape(), await landscape()] as const);
        untouched = other;
        await mkdir(path.join(base, 'outside/below'));
        swap = { base, place, target };
        kernel = await swapping(swap);
      });
      afterEach(() => putBack(swap, untouched));
      after(() => kernel.close());

      for (const tool of tools)
        it(`does not run: ${tool.name}`, async () => {
          const error = await rejection(kernel.execute(tool.name, withPath(tool, given)), 'INVALID_PARAMETERS');
          expect(error.message).to.match(/leads somewhere else now|expected a path inside/);
          expect((await readdir(path.join(swap.base, 'outside'))).sort()).to.deep.equal(['below', 'secret.txt']);
          expect(await readFile(path.join(swap.base, 'outside/secret.txt'), 'utf8')).to.equal('');
        });
    });
});
