/**
 * `npm run build`: makes the program, `dist/`, and the code and manifests of the provider packages. `node plugins/toolkit/build.mjs program` leaves
 * out the type declarations; other arguments name single steps. Stops at the first step that fails.
 */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { build } from 'esbuild';

/** In their order: each one reads what those before it wrote. */
const steps = {
  code: () => run('plugins/toolkit/bundle.mjs'),
  packs: buildPacks,
  assets: () => run('plugins/toolkit/copy-assets.mjs'),
  console: () => run('plugins/toolkit/build-console.mjs'),
  schemas: () => run('plugins/toolkit/schemas/write-schemas.mjs'),
  manifests: writeManifests,
  'code-cache': () => run('plugins/toolkit/write-code-cache.mjs'),
  types: () =>
    run(
      'node_modules/typescript/bin/tsc',
      '--checkers',
      '2',
      '--noEmit',
      'false',
      '--emitDeclarationOnly',
      '--declaration',
      '--rootDir',
      '.',
      '--outDir',
      'dist',
    ),
};
const groups = {
  all: Object.keys(steps),
  program: Object.keys(steps).filter((name) => name !== 'types'),
};

const [first = 'all', ...more] = process.argv.slice(2);
for (const name of groups[first] ?? [first, ...more]) {
  if (steps[name] === undefined)
    throw new Error(`The build has no step "${name}". Expected ${[...Object.keys(groups), ...Object.keys(steps)].join(', ')}.`);
  await steps[name]();
}

function run(...args) {
  const { status } = spawnSync(process.execPath, args, { stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
}

/** Compiles the handlers of provider packages beside their sources: npm publishes them from there. */
async function buildPacks() {
  const options = { format: 'esm', platform: 'node', target: 'node20', logLevel: 'warning' };
  await build({ ...options, entryPoints: ['tools/postgres/*.ts'], outdir: 'tools/postgres' });
  await build({ ...options, entryPoints: ['tools/data/*.ts'], outdir: 'tools/data', bundle: true, packages: 'external' });
}

function writeManifests() {
  const writer = 'dist/plugins/toolkit/write-manifests.js';
  // Own text: package.json.
  const { workspaces } = JSON.parse(readFileSync('package.json', 'utf8'));
  run(writer, 'code');
  run(writer, 'core', 'dist/tools/core');
  run(writer, 'packages', ...workspaces);
}
