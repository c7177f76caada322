import { readFile } from 'node:fs/promises';
import path from 'node:path';

/** Bundled with what they depend on: reading their hundreds of files is what a start would mostly do. */
const inlined = ['@modelcontextprotocol/sdk', 'canonicalize', 'fastest-levenshtein', 'ipaddr.js', 'typebox'];

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
    logLevel: 'warning',
  };
}
