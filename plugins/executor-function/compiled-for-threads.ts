import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from '../shared/project/build.ts';
import { codeRoot } from '../shared/project/layout.ts';

/** Where the sources themselves run: compiles what threads and child processes run of them. Not part of what is built. */
export async function compiledForThreads(): Promise<(file: string) => string> {
  const { href } = pathToFileURL(path.join(codeRoot(), 'plugins/executor-function/source-threads.mjs'));
  const { compiledForThreads: compiled } = (await import(href)) as {
    compiledForThreads: (name: string) => Promise<(file: string) => string>;
  };
  return compiled(build ?? '');
}
