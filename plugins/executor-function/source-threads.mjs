/** For worker threads where the sources themselves run: compiling hundreds of files in each thread would take it two seconds. */
import { existsSync, rmSync } from 'node:fs';
import path from 'node:path';
import { build } from 'esbuild';
import { glob } from 'tinyglobby';
import { bundleOptions } from '../toolkit/bundle-options.mjs';

const root = path.resolve(import.meta.dirname, '../..');
const folder = path.join(root, 'node_modules/.cache/toolkit-threads', String(process.pid));
let compiling;

/**
 * Compiles what threads run, once a process. Gives what stands for a source file there: the file itself where it is not ours.
 * @returns {Promise<(file: string) => string>}
 */
export async function compiledForThreads() {
  compiling ??= compile();
  await compiling;
  return (file) => {
    const compiled = path.join(folder, path.relative(root, file)).replace(/\.ts$/, '.js');
    return file.startsWith(root + path.sep) && existsSync(compiled) ? compiled : file;
  };
}

async function compile() {
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  await build({
    ...(await bundleOptions(root)),
    entryPoints: ['plugins/executor-function/thread.ts', ...(await glob('tools/core/*/**/*.ts', { cwd: root }))],
    outdir: folder,
  });
}
