/**
 * Compiles the sources for worker threads and child processes. Without it each thread would compile hundreds of files, which
 * takes two seconds.
 */
import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { build } from 'esbuild';
import { glob } from 'tinyglobby';
import { bundleOptions } from '../toolkit/bundle-options.mjs';

const root = path.resolve(import.meta.dirname, '../..');
const cache = path.join(root, 'node_modules/.cache/toolkit-threads');
const dayMs = 24 * 60 * 60 * 1000;
let compiling;

/**
 * Compiles the code of threads, once for all processes that run these sources. The result maps a source file to its compiled
 * file; a foreign file stays as it is.
 * @param {string} name Names the sources.
 * @returns {Promise<(file: string) => string>}
 */
export async function compiledForThreads(name) {
  const folder = path.join(cache, name);
  compiling ??= compile(folder);
  await compiling;
  return (file) => {
    const compiled = path.join(folder, path.relative(root, file)).replace(/\.ts$/, '.js');
    return file.startsWith(root + path.sep) && existsSync(compiled) ? compiled : file;
  };
}

/** Returns the names of the packages that tool packages import. */
async function packageDependencies() {
  const files = await glob('tools/*/package.json', { cwd: root, absolute: true });
  // Own text: package.json.
  const packages = await Promise.all(files.map(async (file) => JSON.parse(await readFile(file, 'utf8'))));
  return packages.flatMap(({ dependencies = {} }) => Object.keys(dependencies)).flatMap((name) => [name, `${name}/*`]);
}

/**
 * Compiles into a temporary folder, then renames it: other processes may do the same at the same time, and the folder exists
 * only when it is complete.
 */
async function compile(folder) {
  if (existsSync(folder)) return;
  await removeOld();
  const unfinished = path.join(cache, randomUUID());
  const options = await bundleOptions(root);
  await build({
    ...options,
    external: [...options.external, ...(await packageDependencies())],
    entryPoints: [
      'plugins/executor-function/thread.ts',
      'plugins/executor-function/children/child.ts',
      'plugins/output-budget/get-output/search-lines.ts',
      ...(await glob(['tools/core/*/**/*.ts', 'tools/*/*.ts'], { cwd: root })),
    ],
    outdir: unfinished,
  });
  try {
    await rename(unfinished, folder);
  } catch (error) {
    await rm(unfinished, { recursive: true, force: true });
    if (!existsSync(folder)) throw error;
  }
}

/** Removes compiled code of other sources after a day, because a process may still run yesterday's. */
async function removeOld() {
  await mkdir(cache, { recursive: true });
  for (const name of await readdir(cache)) {
    const old = path.join(cache, name);
    const { mtimeMs = Date.now() } = await stat(old).catch(() => ({}));
    if (Date.now() - mtimeMs > dayMs) await rm(old, { recursive: true, force: true });
  }
}
