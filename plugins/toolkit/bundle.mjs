/** Part of the build: bundles every entry into `dist/`. */
import { rm } from 'node:fs/promises';
import { build } from 'esbuild';
import { glob } from 'tinyglobby';
import { bundleOptions } from './bundle-options.mjs';

const entries = [
  'kernel/index.ts',
  'plugins/*/index.ts',
  'plugins/toolkit/{main,testing,standard,write-manifests}.ts',
  'plugins/executor-function/thread.ts',
  'tools/core/*/**/*.ts',
];

await rm('dist', { recursive: true, force: true });
await build({
  ...(await bundleOptions(process.cwd())),
  entryPoints: await glob(entries),
  outdir: 'dist',
  // One licence text a package, beside the code.
  legalComments: 'linked',
});
