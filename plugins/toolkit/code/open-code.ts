import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { cachedDataVersionTag } from 'node:v8';
import { Script } from 'node:vm';
import { addChecksum, verifyChecksum } from '../../shared/host-cache/checksum.ts';
import { HostCache } from '../../shared/host-cache/host-cache.ts';

/**
 * Name of the script that the build writes: all our code. Its value is a function that takes the `Run` arguments and returns the modules by name; each
 * module runs on first use.
 */
export const scriptName = 'toolkit.cjs';

/** Name of the script's code cache, compiled by the Node of the build. */
export const codeCacheName = 'toolkit.cache';

type Modules = Readonly<Record<string, () => Readonly<Record<string, unknown>>>>;
type Run = (require: NodeJS.Require, importModule: (name: string) => Promise<unknown>, url: string) => Modules;

/** Kind of process that writes compiled code for later ones. Commands can use the code of a server, but not the reverse. */
export type ProcessKind = 'command' | 'server';

export interface LoadedCode {
  readonly modules: Modules;
  /** Source of the compiled code; undefined when the script was compiled anew. */
  readonly from: 'build' | 'host' | undefined;
  /** Writes the code compiled so far to the cache of the host, unless the build or the same kind of process has done so. */
  keep(by: ProcessKind): Promise<void>;
  /** Returns the code compiled so far, for the build. */
  compiled(): Buffer;
}

interface OpenCodeOptions {
  /** `import()` of the module that the script replaces: with a code cache, a script has none of its own in Node 20. */
  readonly importModule: (name: string) => Promise<unknown>;
  readonly cache?: HostCache;
}

/**
 * Runs the script in this folder, with its compiled code where that is cached. V8 checks only its own version and the length of the source. So
 * both files are compared by hash here: when a byte of either has changed, the script is compiled anew.
 */
export function openCode(folder: string, { importModule, cache = new HostCache() }: OpenCodeOptions): LoadedCode {
  const file = path.join(folder, scriptName);
  const source = readFileSync(file);
  const hash = createHash('sha256').update(source).digest('hex');
  const key = [hash, process.version, process.arch, cachedDataVersionTag()].join(' ');
  const cached = readCachedCode(path.join(folder, codeCacheName), key, cache);
  // The script is ASCII. Its name is part of the compiled code, and so of stack traces on every machine.
  const script = new Script(source.toString('latin1'), {
    filename: `@toolkit/core/dist/${scriptName}`,
    ...(cached === undefined ? {} : { cachedData: cached.data }),
  });
  const from = script.cachedDataRejected === false ? cached?.from : undefined;
  // Not the whole entry: the compiled code has some megabytes and is no longer needed.
  const by = cached?.by;
  const run = script.runInThisContext() as Run;
  const { href } = pathToFileURL(file);
  return {
    modules: run(createRequire(href), importModule, href),
    from,
    async keep(work) {
      if (from === 'build' || (from === 'host' && (work === 'command' || by === 'server'))) return;
      await cache.write('code', key, () => Buffer.concat([Buffer.from([processKinds.indexOf(work)]), script.createCachedData()]));
    },
    compiled: () => addChecksum(key, script.createCachedData()),
  };
}

const processKinds: readonly ProcessKind[] = ['command', 'server'];

interface CachedCode {
  readonly data: Buffer;
  readonly from: 'build' | 'host';
  readonly by?: ProcessKind | undefined;
}

function readCachedCode(file: string, key: string, cache: HostCache): CachedCode | undefined {
  const ofBuild = existsSync(file) ? verifyChecksum(key, readFileSync(file)) : undefined;
  if (ofBuild !== undefined) return { data: ofBuild, from: 'build' };
  const ofHost = cache.read('code', key);
  return ofHost === undefined ? undefined : { data: ofHost.subarray(1), from: 'host', by: processKinds[ofHost[0] ?? 0] };
}
