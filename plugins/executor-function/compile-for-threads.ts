import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from '../shared/project/build.ts';
import { codeRoot } from '../shared/project/layout.ts';

/**
 * Compiles the sources that threads and child processes run, and returns a function from source file to compiled file. Used
 * only where the sources themselves run; not part of the build.
 */
export async function compileForThreads(): Promise<(file: string) => string> {
  const { href } = pathToFileURL(path.join(codeRoot(), 'plugins/executor-function/source-threads.mjs'));
  const { compiledForThreads: compiled } = (await import(href)) as {
    compiledForThreads: (name: string) => Promise<(file: string) => string>;
  };
  return compiled(build ?? '');
}
