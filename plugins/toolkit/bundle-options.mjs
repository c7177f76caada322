import { readFile } from 'node:fs/promises';
import path from 'node:path';

/**
 * Bundled with what they depend on: reading their hundreds of files is what a start would mostly do, of the program or of a thread.
 */
const inlined = [
  '@modelcontextprotocol/sdk',
  'canonicalize',
  'cheerio',
  'entities',
  'fast-xml-parser',
  'fastest-levenshtein',
  'feedsmith',
  'html-to-text',
  'ipaddr.js',
  'libphonenumber-js',
  'linkedom',
  'mathjs',
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
