import { symlink } from 'node:fs/promises';
import path from 'node:path';
import { apiVersion, definePlugin, type Kernel, type PluginEntry } from '../../../kernel/index.ts';
import { confinePaths } from '../../../plugins/confine-paths/index.ts';
import { executorFunction } from '../../../plugins/executor-function/index.ts';
import { temporaryFolder } from '../../support/temporary.ts';
import { bareKernel } from '../../support/test-kernel.ts';

/** Gives its parameters back, as the tool would see them. */
const seeTool = {
  name: 'see',
  description: 'Gives its parameters back.',
  parameters: {
    read: { type: 'string', path: 'read' },
    write: { type: 'string', path: 'write' },
    reads: { type: 'array', items: { type: 'string' }, path: 'read' },
    writes: { type: 'array', items: { type: 'string' }, path: 'write' },
    items: { type: 'array', items: { type: 'string', path: 'write' } },
    nullable: { type: ['string', 'null'], required: true, path: 'read' },
    nested: {
      type: 'object',
      properties: { file: { type: 'string', path: 'read' }, text: { type: 'string' } },
      additionalProperties: { type: 'array', items: { type: 'string', path: 'write' } },
    },
    any: { path: 'read' },
    link: { type: 'string', path: 'read', follow: false },
    links: { type: 'array', items: { type: 'string' }, path: 'write', follow: false },
    text: { type: 'string' },
  },
  execution: { type: 'function', handler: (parameters: unknown) => parameters },
  risk: 'low',
};

/** A kernel with the tool `see`; `more` plugins come after the confinement. */
export function seeing(
  cwd: string,
  options: Parameters<typeof confinePaths>[0] = {},
  parameters: Readonly<Record<string, unknown>> = seeTool.parameters,
  more: readonly PluginEntry[] = [],
): Promise<Kernel> {
  const tools = definePlugin({
    name: 'test-tools',
    apiVersion,
    apply: ({ hooks }) => hooks.discover.tap('test-tools', (sink) => sink.addTool({ ...seeTool, parameters }, { trust: 'operator' })),
  });
  return bareKernel({ cwd, plugins: [executorFunction(), confinePaths(options), tools(), ...more] });
}

/** Calls the tool, and returns the parameters that it received. `nullable`, which is required, defaults to null. */
export async function see(kernel: Kernel, parameters: Readonly<Record<string, unknown>>): Promise<Record<string, unknown>> {
  const required = kernel.registry.get('see').parameters['nullable'] === undefined ? {} : { nullable: null };
  const { nullable, ...seen } = (await kernel.execute('see', { ...required, ...parameters })) as Record<string, unknown>;
  return parameters['nullable'] === undefined ? seen : { ...seen, nullable };
}

/** `root` (may be written), `reading` (may be read) and `outside`, with links from the first into the others. */
export async function landscape(): Promise<string> {
  const base = await temporaryFolder({
    'root/file.txt': '',
    'root/folder/inner.txt': '',
    'root-sibling/file.txt': '',
    'reading/data.txt': '',
    'outside/secret.txt': '',
  });
  const links: Readonly<Record<string, string>> = {
    'link-file': '../outside/secret.txt',
    'link-folder': '../outside',
    'link-absolute': path.join(base, 'outside'),
    'link-dot-dot': '..',
    'chain-1': 'chain-2',
    'chain-2': 'folder/../link-folder',
    'folder/up': '../..',
    dangling: '../outside/new.txt',
    'dangling-chain': 'folder/../dangling',
    'dangling-folder': '../outside/not-yet',
    'dangling-loop': 'loop/x',
    loop: 'loop-back',
    'loop-back': 'loop',
    'link-to-reading': '../reading',
    'link-to-root': '/',
    'inner-link': 'folder',
    'inner-dangling': 'folder/new.txt',
    '..hidden': 'file.txt',
    // The way of a link is walked: `up` leads above the root, and `..` from there leads further.
    'folder/deep': '../../outside',
    'dangling-through': 'folder/deep/../new.txt',
    'dangling-through-folder': 'folder/deep/../not-yet',
    'dangling-back': 'nothing/../folder/deep/new.txt',
    'dangling-circle': 'nothing/../dangling-circle',
    'dangling-absolute': path.join(base, 'outside/new.txt'),
    '../root-sibling/back': '../root/file.txt',
    'dangling-through-nothing': 'nothing/../../outside/new.txt',
    'proc-root': '/proc/self/root',
    'proc-file': '/proc/self/root/etc/passwd',
    'proc-descriptor': '/proc/self/fd/0',
    'device-null': '/dev/null',
    'device-input': '/dev/stdin',
    'absolute-inner': path.join(base, 'root/folder'),
  };
  for (const [name, target] of Object.entries(links)) await symlink(target, path.join(base, 'root', name));
  return base;
}
