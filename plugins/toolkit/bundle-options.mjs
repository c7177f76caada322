import { readFile } from 'node:fs/promises';
import path from 'node:path';

/**
 * Packages bundled with their dependencies: reading their hundreds of files would take most of a start, of the program or of a thread. Those whose
 * types no published declaration names are development dependencies, because an installed program does not need them.
 */
export const inlined = [
  '@modelcontextprotocol/sdk',
  '@rgrove/parse-xml',
  'canonicalize',
  'cheerio',
  'entities',
  'fastest-levenshtein',
  'html-to-text',
  'htmlparser2',
  'ipaddr.js',
  'libphonenumber-js',
  'linkedom',
  'mathjs',
  'typebox',
];

/** Node modules that bundled CommonJS modules require: an ES module has no `require`. */
const requiredBuiltins = {
  name: 'required-builtins',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^(node:)?(buffer|crypto|stream|string_decoder)$/ }, ({ path: name, kind }) =>
      kind === 'require-call' ? { path: name.replace('node:', ''), namespace: 'required-builtin' } : undefined,
    );
    onLoad({ filter: /.*/, namespace: 'required-builtin' }, ({ path: name }) => ({ contents: `export * from 'node:${name}';` }));
  },
};

/**
 * Returns the options of the bundler. Code that several entries share goes into chunks, so that a process has one kernel.
 * @param {string} root The folder of package.json.
 */
export async function bundleOptions(root) {
  // Own text: package.json.
  const { dependencies, peerDependencies } = JSON.parse(await readFile(path.join(root, 'package.json'), 'utf8'));
  const external = Object.keys({ ...dependencies, ...peerDependencies, typescript: '' }).filter((name) => !inlined.includes(name));
  return {
    absWorkingDir: root,
    outbase: root,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    chunkNames: 'chunks/[name]-[hash]',
    external: external.flatMap((name) => [name, `${name}/*`]),
    plugins: [requiredBuiltins],
    logLevel: 'warning',
  };
}

/** Packages that starts and first calls need: reading their many files takes longer than all the rest. In the script, each runs on first use. */
const startLibraries = ['change-case', 'commander', 'consola', 'cosmiconfig', 'execa', 'jiti', 'ky', 'tapable', 'yaml'];

/** Loads the library synchronously and only when needed. Only the script can, because an ES module has no `require`. */
const yamlOfScript = {
  name: 'yaml-of-script',
  setup({ onLoad }) {
    onLoad({ filter: /definition-files[/\\]yaml-library\.ts$/ }, ({ path: file }) => ({
      contents: "export const yaml = () => require('yaml');",
      resolveDir: path.dirname(file),
    }));
  },
};

/**
 * Returns the options for one script, in which each module runs on first use: a function of `require`, `import()` and the URL of its modules, which
 * returns the exports of the entry.
 */
export function scriptOptions({ splitting, chunkNames, outbase, plugins, external, ...options }) {
  return {
    ...options,
    plugins: [...plugins, yamlOfScript],
    external: external.filter((name) => !startLibraries.includes(name.split('/')[0])),
    format: 'cjs',
    banner: { js: '(function (require, __import, __url) { const module = { exports: {} };' },
    footer: { js: 'return module.exports; })' },
    define: { 'import.meta.url': '__url' },
  };
}
