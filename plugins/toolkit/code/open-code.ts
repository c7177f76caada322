import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { cachedDataVersionTag } from 'node:v8';
import { Script } from 'node:vm';
import { addChecksum, verifyChecksum } from '../../shared/host-cache/checksum.ts';
import { HostCache } from '../../shared/host-cache/host-cache.ts';

/** All of our code as the build writes it: a script whose value takes what a module has and gives the modules by name, each run when it is asked for. */
export const scriptName = 'toolkit.cjs';

/** What the build's Node had compiled of it. */
export const codeCacheName = 'toolkit.cache';

type Modules = Readonly<Record<string, () => Readonly<Record<string, unknown>>>>;
type Run = (require: NodeJS.Require, importModule: (name: string) => Promise<unknown>, url: string) => Modules;

/** What a process did that leaves its compiled code to the next ones. The code of a server is of use to commands, but not the reverse. */
export type Work = 'command' | 'server';

export interface OwnCode {
  readonly modules: Modules;
  /** Where it was read from, if the compiled code was there. */
  readonly from: 'build' | 'host' | undefined;
  /** Writes what is compiled by now into the cache of the host, where neither the build nor work of this kind left it. */
  keep(by: Work): Promise<void>;
  /** The same, for the build. */
  compiled(): Buffer;
}

interface OpenCodeOptions {
  /** `import()` as the module has it for which the script stands: with a code cache, Node 20 finds none of its own for a script. */
  readonly importModule: (name: string) => Promise<unknown>;
  readonly cache?: HostCache;
}

/**
 * Runs the script in this folder, compiled as it was before where that was kept. V8 takes what it is given by its own version and the
 * length of the source, so both texts are compared by their hash here: a changed byte of either means compiling as always.
 */
export function openCode(folder: string, { importModule, cache = new HostCache() }: OpenCodeOptions): OwnCode {
  const file = path.join(folder, scriptName);
  const source = readFileSync(file);
  const hash = createHash('sha256').update(source).digest('hex');
  const key = [hash, process.version, process.arch, cachedDataVersionTag()].join(' ');
  const kept = keptCode(path.join(folder, codeCacheName), key, cache);
  // The build leaves ASCII alone in it. The name is in what was compiled, and so in the stacks of every machine.
  const script = new Script(source.toString('latin1'), {
    filename: `@toolkit/core/dist/${scriptName}`,
    ...(kept === undefined ? {} : { cachedData: kept.data }),
  });
  const from = script.cachedDataRejected === false ? kept?.from : undefined;
  // Not `kept` itself: what was compiled, some megabytes, is not needed any more.
  const by = kept?.by;
  const run = script.runInThisContext() as Run;
  const { href } = pathToFileURL(file);
  return {
    modules: run(createRequire(href), importModule, href),
    from,
    async keep(work) {
      if (from === 'build' || (from === 'host' && (work === 'command' || by === 'server'))) return;
      await cache.write('code', key, () => Buffer.concat([Buffer.from([works.indexOf(work)]), script.createCachedData()]));
    },
    compiled: () => addChecksum(key, script.createCachedData()),
  };
}

const works: readonly Work[] = ['command', 'server'];

interface KeptCode {
  readonly data: Buffer;
  readonly from: 'build' | 'host';
  readonly by?: Work | undefined;
}

function keptCode(file: string, key: string, cache: HostCache): KeptCode | undefined {
  const ofBuild = existsSync(file) ? verifyChecksum(key, readFileSync(file)) : undefined;
  if (ofBuild !== undefined) return { data: ofBuild, from: 'build' };
  const ofHost = cache.read('code', key);
  return ofHost === undefined ? undefined : { data: ofHost.subarray(1), from: 'host', by: works[ofHost[0] ?? 0] };
}
