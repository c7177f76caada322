/** Part of the build: writes the JSON Schemas of `dist/schemas`, generated from our code with its doc comments as descriptions. */
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { bundleOptions } from '../bundle-options.mjs';
import { docComments } from './doc-comments.mjs';

const root = process.cwd();
const { chunkNames: _chunks, splitting: _splitting, plugins, ...options } = await bundleOptions(root);
const folders = (await readdir('plugins')).filter((folder) => !/^(shared|toolkit|python-sdk|adapter-.*|[^.]*\..*)$/.test(folder));
const modules = folders.map((folder) => `${JSON.stringify(folder)}: await import('./plugins/${folder}/index.ts')`);
const outfile = path.join(root, 'dist', 'plugins', 'toolkit', 'schema-files.mjs');
await build({
  ...options,
  plugins: [docComments, ...plugins],
  stdin: {
    contents: `
      import { schemaFiles } from './plugins/toolkit/schemas/schema-files.ts';
      export const files = await schemaFiles({ ${modules.join(', ')} });
    `,
    resolveDir: root,
    loader: 'js',
  },
  outfile,
});
const { files } = await import(pathToFileURL(outfile).href);
await rm(outfile);
const folder = path.join(root, 'dist', 'schemas');
await mkdir(folder, { recursive: true });
for (const [name, schema] of Object.entries(files)) await writeFile(path.join(folder, name), `${JSON.stringify(schema, null, 2)}\n`);
