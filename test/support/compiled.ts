import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { build } from 'esbuild';
import { bundleOptions } from '../../plugins/toolkit/bundle-options.mjs';
import { afterFile } from './after-each.ts';

const made: string[] = [];

/**
 * A module of TypeScript as one file of JavaScript, until the end of the test file: a process that compiles the sources itself takes two
 * seconds to start. In node_modules, where it finds packages. Worker threads do not start in it.
 */
export async function compiled(file: string): Promise<string> {
  const outfile = path.resolve('node_modules/.cache/toolkit-tests', `${randomUUID()}.mjs`);
  made.push(outfile);
  const { splitting: _splitting, chunkNames: _chunkNames, outbase: _outbase, ...options } = await bundleOptions(path.resolve('.'));
  await build({ ...options, entryPoints: [file], outfile });
  return outfile;
}

afterFile(async () => {
  await Promise.all(made.splice(0).map((file) => rm(file, { force: true })));
});
