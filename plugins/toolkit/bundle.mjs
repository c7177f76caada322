/**
 * Part of the build: writes all our code as one script to `dist/`, which Node compiles with a code cache. Each module that is imported from outside
 * becomes one that re-exports from the script, so that a process has one copy. Core tools stay modules, with their libraries.
 */
import { mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { build } from 'esbuild';
import { glob } from 'tinyglobby';
import { bundleOptions, scriptOptions } from './bundle-options.mjs';

const root = process.cwd();
const dist = path.join(root, 'dist');
const options = await bundleOptions(root);
/** Modules in the script that are imported from outside. */
const outside = new Set([
  ...(await glob(['kernel/index.ts', 'plugins/*/index.ts'])),
  'plugins/toolkit/standard.ts',
  'plugins/toolkit/testing.ts',
  'plugins/executor-function/thread.ts',
  'plugins/executor-function/children/child.ts',
]);

await rm(dist, { recursive: true, force: true });
await writeModules();
await writeScript();
await writeFacades();

async function writeModules() {
  const mark = 'toolkit-dist:';
  /** Redirects imports of our modules to those that re-export from the script. */
  const fromScript = {
    name: 'from-script',
    setup({ onResolve }) {
      onResolve({ filter: /^\./ }, ({ path: name, resolveDir, kind }) => {
        const file = path.relative(root, path.resolve(resolveDir, name)).replaceAll('\\', '/');
        if (kind === 'entry-point' || !/^(kernel|plugins)\/.*\.ts$/.test(file)) return undefined;
        if (file === 'plugins/toolkit/code/own-code.ts') return { path: `${mark}code.js`, external: true };
        outside.add(file);
        return { path: `${mark}${compiledName(file)}`, external: true };
      });
    },
  };
  const entryPoints = await glob([
    'plugins/toolkit/{main,write-manifests,write-code-cache}.ts',
    'plugins/output-budget/get-output/search-lines.ts',
    'tools/core/*/**/*.ts',
  ]);
  const { outputFiles } = await build({
    ...options,
    plugins: [fromScript, ...options.plugins],
    entryPoints,
    outdir: 'dist',
    // One licence text for each package, next to the code.
    legalComments: 'linked',
    write: false,
  });
  for (const { path: file, text } of outputFiles)
    await write(
      file,
      text.replaceAll(new RegExp(`"${mark}([^"]+)"`, 'g'), (_, name) => `"${relative(path.dirname(file), path.join(dist, name))}"`),
    );
}

async function writeScript() {
  const modules = [...outside].map((file) => `${JSON.stringify(moduleName(file))}: () => require(${JSON.stringify(`./${file}`)})`);
  const { outputFiles } = await build({
    ...scriptOptions(options),
    stdin: { contents: `module.exports = { ${modules.join(',\n')} };`, resolveDir: root, loader: 'js' },
    outfile: 'dist/toolkit.cjs',
    legalComments: 'linked',
    write: false,
  });
  for (const { path: file, text } of outputFiles) {
    // Node 20 has no import() in a script with a code cache: one is passed in. Methods may be named `import` too: skip them.
    const own = text.replaceAll(/(?<![#.\w$])import\((?!(?:[^()]|\([^()]*\))*\)\s*\{)/g, '__import(');
    await write(file, file.endsWith('.cjs') ? own.replaceAll(/[^\0-\x7f]/g, escaped) : text);
  }
  await build({
    ...options,
    splitting: false,
    stdin: {
      contents: `
        import { openCode } from './plugins/toolkit/code/open-code.ts';
        export const code = openCode(import.meta.dirname, { importModule: (name) => import(name) });
        export const { keep: keepCode, compiled: compiledCode } = code;
      `,
      resolveDir: root,
      loader: 'js',
    },
    outfile: 'dist/code.js',
  });
}

async function writeFacades() {
  const files = [...outside];
  const { metafile } = await build({ ...options, entryPoints: files, outdir: 'dist', write: false, metafile: true });
  for (const file of files) {
    const { exports } = metafile.outputs[`dist/${compiledName(file)}`];
    const facade = path.join(dist, compiledName(file));
    const named = exports.filter((name) => name !== 'default');
    const lines = [
      `import { code as __code } from "${relative(path.dirname(facade), path.join(dist, 'code.js'))}";`,
      `const __module = __code.modules[${JSON.stringify(moduleName(file))}]();`,
      `export const { ${named.join(', ')} } = __module;`,
      ...(exports.includes('default') ? ['export default __module.default;'] : []),
    ];
    await write(facade, `${lines.join('\n')}\n`);
  }
}

function moduleName(file) {
  return file.replace(/\.ts$/, '');
}

function compiledName(file) {
  return `${moduleName(file)}.js`;
}

function relative(folder, file) {
  const name = path.relative(folder, file).replaceAll('\\', '/');
  return name.startsWith('.') ? name : `./${name}`;
}

function escaped(character) {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

async function write(file, text) {
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(file, text);
}
