import { createRequire } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Jiti, JitiOptions, TransformOptions, TransformResult } from 'jiti';
import { HostCache } from '../host-cache/host-cache.ts';

/** Modules compiled before they run, on every Node that we support. */
export interface TypeScriptLoader {
  readonly jiti: Jiti;
  /** Resolves when what was compiled is kept for the next process. */
  kept(): Promise<void>;
}

interface Compiler {
  /** Compiled code follows from it. */
  readonly version: string;
  compile(options: TransformOptions): TransformResult;
}

/** Loads modules as seen from `from`. The compiler is loaded with the first source whose compiled code is not in the cache of the host. */
export async function typescriptLoader(from: string, options: JitiOptions = {}): Promise<TypeScriptLoader> {
  const { createJiti } = await import('jiti');
  const { compile, kept } = keepCompiled(installedCompiler());
  return {
    jiti: createJiti(pathToFileURL(from).href, { ...options, fsCache: false, interopDefault: false, transform: compile }),
    kept,
  };
}

/** Compiles what was not compiled before: by content, with the name of the file and all that the compiler is told. */
export function keepCompiled(
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

/** The one that jiti brings. */
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
