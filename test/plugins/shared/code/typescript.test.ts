import { readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import type { TransformOptions } from 'jiti';
import { cacheCompiled } from '../../../../plugins/shared/code/typescript.ts';
import { HostCache } from '../../../../plugins/shared/host-cache/host-cache.ts';
import { temporaryFolder } from '../../../support/temporary.ts';

const source = { source: 'export const answer: number = 1;', filename: '/project/toolkit.config.ts', ts: true };

/** A compiler that says what it was given, and how often. */
function compilerOf(version = '1.0.0') {
  const seen: TransformOptions[] = [];
  const compile = (options: TransformOptions) => {
    seen.push(options);
    return options.source.includes('broken')
      ? { code: 'throw 1', error: new Error('broken') }
      : { code: `/* ${version} */ ${options.source}` };
  };
  return { seen, version, compile };
}

/** Compiles in a process of its own, as it were; says whether the compiler had to. */
async function compileWith(cache: HostCache, options: TransformOptions, version?: string): Promise<{ code: string; hadTo: boolean }> {
  const compiler = compilerOf(version);
  const { compile, kept } = cacheCompiled(compiler, cache);
  const { code } = compile(options);
  await kept();
  return { code, hadTo: compiler.seen.length > 0 };
}

async function filled(): Promise<{ cache: HostCache; code: string }> {
  const cache = new HostCache(path.join(await temporaryFolder(), 'cache'));
  const { code } = await compileWith(cache, source);
  return { cache, code };
}

describe('compiled TypeScript', () => {
  it('is kept for the next process, which needs no compiler', async () => {
    const { cache, code } = await filled();
    expect(await compileWith(cache, source)).to.deep.equal({ code, hadTo: false });
  });

  const others: { what: string; options: TransformOptions; version?: string }[] = [
    { what: 'one byte of the source', options: { ...source, source: 'export const answer: number = 2;' } },
    { what: 'the file', options: { ...source, filename: '/other/toolkit.config.ts' } },
    { what: 'what the compiler is told', options: { ...source, async: true } },
    { what: 'the version of the compiler', options: source, version: '1.0.1' },
  ];
  for (const { what, options, version } of others)
    it(`is not taken when ${what} is another`, async () => {
      const { cache } = await filled();
      expect((await compileWith(cache, options, version)).hadTo).to.equal(true);
    });

  it('is not taken when a byte of it was changed', async () => {
    const { cache, code } = await filled();
    const [entry = ''] = await readdir(cache.folder);
    const file = path.join(cache.folder, entry);
    const written = await readFile(file);
    written[written.length - 2] = (written.at(-2) ?? 0) ^ 1;
    await writeFile(file, written);
    expect(await compileWith(cache, source)).to.deep.equal({ code, hadTo: true });
  });

  it('is not kept of a source that has an error, nor where nothing can be written', async () => {
    const { cache } = await filled();
    const broken = { ...source, source: 'broken' };
    await compileWith(cache, broken);
    expect((await compileWith(cache, broken)).hadTo).to.equal(true);
    const taken = path.join(await temporaryFolder({ taken: '' }), 'taken');
    expect((await compileWith(new HostCache(path.join(taken, 'cache')), source)).hadTo).to.equal(true);
  });
});
