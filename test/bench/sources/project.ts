import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { build } from 'esbuild';
import { benchFolder } from '../bench-folder.ts';
import type { Operations } from './operations.d.mts';

const kernel = path.resolve('dist/kernel/index.js');

/** A project whose tools come from sources, one for each document. */
export async function projectWith(documents: Readonly<Record<string, Operations>>): Promise<Awaited<ReturnType<typeof benchFolder>>> {
  const files = Object.entries(documents).map(([name, document]) => [`${name}.json`, JSON.stringify(document)] as const);
  const sources = Object.keys(documents).map((name) => `${name}: { document: ${name}.json }`);
  const plugins = `
  - [toolkit/standard, {}]
  - [toolkit/plugins/mcp, { expose: search }]
  - [./operations.mjs, { sources: { ${sources.join(', ')} } }]
`;
  const folder = await benchFolder({ ...Object.fromEntries(files), 'toolkit.config.yaml': `plugins:${plugins}` });
  await writeFile(path.join(folder.cwd, 'operations.mjs'), await operationsPlugin());
  return folder;
}

/** Returns the plugin as one module that takes the kernel of the built program. */
async function operationsPlugin(): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [path.join(import.meta.dirname, 'operations-plugin.ts')],
    ...{ bundle: true, write: false, format: 'esm', platform: 'node' },
    plugins: [
      {
        name: 'built-kernel',
        setup: ({ onResolve, onLoad }) => {
          onResolve({ filter: /\/kernel\/index\.ts$/ }, () => ({ path: kernel, external: true }));
          // The benchmark names its build itself.
          onLoad({ filter: /shared\/project\/build\.ts$/ }, () => ({ contents: 'export const build = undefined;' }));
        },
      },
    ],
  });
  return outputFiles?.[0]?.text ?? '';
}
