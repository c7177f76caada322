import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Kernel, PluginEntry } from '../../../kernel/index.ts';
import { confinePaths } from '../../../plugins/confine-paths/index.ts';
import { temporaryFolder } from '../../support/temporary.ts';
import { echoTool, testKernel } from '../../support/test-kernel.ts';

/** Parameters of each kind that may come by path. */
export const parameters = {
  text: { type: 'string', from: 'path', maxLength: 100_000 },
  list: { type: 'array', from: 'path', items: { type: 'number' }, maxItems: 1000 },
  object: { type: 'object', from: 'path', properties: { id: { type: 'integer' } } },
  any: { from: 'path' },
};

export interface ByPath {
  readonly kernel: Kernel;
  readonly folder: string;
  /** The parameters that the tool `echo` was called with. */
  seen(given: Readonly<Record<string, unknown>>): Promise<Record<string, unknown>>;
}

/** A kernel whose only root has these files, and whose tool `echo` gives back what it gets. */
export async function byPath(
  files: Readonly<Record<string, string | Buffer>> = {},
  { tool = {}, plugins = [] }: { readonly tool?: Readonly<Record<string, unknown>>; readonly plugins?: readonly PluginEntry[] } = {},
): Promise<ByPath> {
  const folder = await temporaryFolder();
  for (const [name, content] of Object.entries(files)) await writeFile(path.join(folder, name), content);
  const kernel = await testKernel({ cwd: folder, tools: [echoTool({ parameters, ...tool })], plugins: [confinePaths(), ...plugins] });
  return { kernel, folder, seen: async (given) => (await kernel.execute('echo', given)) as Record<string, unknown> };
}
