/** Part of the build: bundles every entry into `dist/`, with code that several entries share in chunks, so that there is one kernel in a process. */
import { readFile, rm } from 'node:fs/promises';
import { build } from 'esbuild';
import { glob } from 'tinyglobby';

const entries = [
  'kernel/index.ts',
  'plugins/*/index.ts',
  'plugins/toolkit/{main,testing,standard,write-manifests}.ts',
  'plugins/executor-function/thread.ts',
  'tools/core/*/**/*.ts',
];

/** Bundled with what they depend on: reading their hundreds of files is what a start would mostly do. */
const inlined = ['@modelcontextprotocol/sdk', 'canonicalize', 'fastest-levenshtein', 'ipaddr.js', 'typebox'];

const { dependencies, peerDependencies } = JSON.parse(await readFile('package.json', 'utf8'));
const external = Object.keys({ ...dependencies, ...peerDependencies, typescript: '' }).filter((name) => !inlined.includes(name));

await rm('dist', { recursive: true, force: true });
await build({
  entryPoints: await glob(entries),
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node20',
  outdir: 'dist',
  outbase: '.',
  chunkNames: 'chunks/[name]-[hash]',
  external: external.flatMap((name) => [name, `${name}/*`]),
  // One licence text a package, beside the code.
  legalComments: 'linked',
  logLevel: 'warning',
});
