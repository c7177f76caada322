import { readFile } from 'node:fs/promises';
import path from 'node:path';

/**
 * Bundled with what they depend on: reading their hundreds of files is what a start would mostly do, of the program or of a thread. Those
 * whose types no published declaration names are development dependencies: who installs the program has no use for them.
 */
export const inlined = [
  '@modelcontextprotocol/sdk',
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
  'saxes',
  'typebox',
];

/** What CommonJS modules that are bundled require of Node: in a module there is no `require`. */
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
 * How our code is bundled: code that several entries share goes into chunks, so that there is one kernel in a process.
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

/** What starts and first calls need: reading their many files takes longer than all the rest. They run when they are first asked for. */
const startLibraries = ['change-case', 'commander', 'consola', 'cosmiconfig', 'execa', 'jiti', 'ky', 'tapable', 'yaml'];

/** A module has no `require` with which it gets the library at once and only when it is needed; the script has. */
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
 * How the same code becomes one script, in which a module runs when it is first asked for: a function of `require`, `import()` and the
 * address that its modules have, which gives what the entry exports.
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
