import { createRequire } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Jiti, JitiOptions, TransformOptions, TransformResult } from 'jiti';
import { HostCache } from '../host-cache/host-cache.ts';

/** Loads modules compiled, on every supported version of Node. */
export interface TypeScriptLoader {
  readonly jiti: Jiti;
  /** Resolves when the compiled code is stored for the next process. */
  kept(): Promise<void>;
}

interface Compiler {
  /** Version of the compiler, part of the cache key. */
  readonly version: string;
  compile(options: TransformOptions): TransformResult;
}

/** Returns a loader that resolves modules from `from`. The compiler itself is loaded with the first source that is not in the host cache. */
export async function typescriptLoader(from: string, options: JitiOptions = {}): Promise<TypeScriptLoader> {
  const { createJiti } = await import('jiti');
  const { compile, kept } = cacheCompiled(installedCompiler());
  return {
    jiti: createJiti(pathToFileURL(from).href, { ...options, fsCache: false, interopDefault: false, transform: compile }),
    kept,
  };
}

/** Wraps a compiler with a cache, keyed by content, file name and all compiler options. */
export function cacheCompiled(
  { version, compile }: Compiler,
  cache = new HostCache(),
): { compile(options: TransformOptions): TransformResult; kept(): Promise<void> } {
  const writing: Promise<void>[] = [];
  return {
    compile(options) {
      const key = JSON.stringify([version, process.version, options]);
      const known = cache.read('typescript', key);
      if (known !== undefined) return { code: known.toString() };
      const result = compile(options);
      if (result.error === undefined) writing.push(cache.write('typescript', key, Buffer.from(result.code)));
      return result;
    },
    async kept() {
      await Promise.all(writing.splice(0));
    },
  };
}

/** Returns the compiler that jiti includes. */
export function installedCompiler(): Compiler {
  const require = createRequire(import.meta.url);
  const description = require.resolve('jiti/package.json');
  const { version } = require(description) as { version: string };
  return {
    version,
    compile: (options) =>
      (require(path.join(path.dirname(description), 'dist', 'babel.cjs')) as (options: TransformOptions) => TransformResult)(options),
  };
}
