import { readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import { HostCache } from '../../../../plugins/shared/host-cache/host-cache.ts';
import { codeCacheName, type LoadedCode, openCode, scriptName } from '../../../../plugins/toolkit/code/open-code.ts';
import { temporaryFolder } from '../../../support/temporary.ts';

/** A script as the build writes it, with one module. */
const script = (answer: string): string => `(function (require, __import, __url) {
  const work = () => ${answer};
  return { thing: () => ({ work, url: __url, sep: require('node:path').sep, load: (name) => __import(name) }) };
})`;

interface Place {
  readonly folder: string;
  readonly cache: HostCache;
  open(): LoadedCode;
  /** Runs the module that there is. */
  answer(code: LoadedCode): unknown;
}

async function place(answer = "'first'"): Promise<Place> {
  const folder = await temporaryFolder({ [scriptName]: script(answer) });
  const cache = new HostCache(path.join(folder, 'cache'));
  return {
    folder,
    cache,
    open: () => openCode(folder, { importModule: (name) => import(name), cache }),
    answer: (code) => (code.modules['thing'] as () => { work: () => unknown })().work(),
  };
}

async function changeByte(file: string, at: number): Promise<void> {
  const written = await readFile(file);
  const position = at < 0 ? written.length + at : at;
  written[position] = (written[position] ?? 0) ^ 1;
  await writeFile(file, written);
}

describe('the script with our own code', () => {
  it('gives modules that find packages, other modules and themselves as from their file', async () => {
    const { folder, open } = await place();
    const thing = open().modules['thing'] as () => { url: string; sep: string; load: (name: string) => Promise<unknown> };
    const { url, sep, load } = thing();
    expect(new URL(url).pathname).to.equal(path.join(folder, scriptName));
    expect(sep).to.equal(path.sep);
    expect(await load('node:path')).to.have.property('sep', path.sep);
  });

  it('names the file of the package and the line where it throws, wherever it was compiled', async () => {
    const { open, answer } = await place('{ throw new Error("lost"); }');
    expect(() => answer(open()))
      .to.throw('lost')
      .with.property('stack')
      .that.includes('@toolkit/core/dist/toolkit.cjs:2:');
  });

  it('is compiled once: what the build or another process has left is taken', async () => {
    const { folder, open, answer } = await place();
    const first = open();
    answer(first);
    expect(first.from).to.equal(undefined);
    await first.keep('command');
    expect(open().from).to.equal('host');
    await writeFile(path.join(folder, codeCacheName), first.compiled());
    expect(open().from).to.equal('build');
    expect(answer(open())).to.equal('first');
  });

  it('is compiled anew when one byte of it is another, at the same length', async () => {
    const { folder, open, answer } = await place();
    const first = open();
    await first.keep('server');
    await writeFile(path.join(folder, codeCacheName), first.compiled());
    await writeFile(path.join(folder, scriptName), script("'First'"));
    const changed = open();
    expect(changed.from).to.equal(undefined);
    expect(answer(changed)).to.equal('First');
  });

  for (const at of [0, 31, 32, 33, 60, 200, -1])
    it(`is compiled anew when byte ${at} of what was compiled is another`, async () => {
      const { folder, cache, open, answer } = await place();
      const first = open();
      answer(first);
      await first.keep('server');
      await writeFile(path.join(folder, codeCacheName), first.compiled());
      const [entry = ''] = await readdir(cache.folder);
      await changeByte(path.join(cache.folder, entry), at);
      await changeByte(path.join(folder, codeCacheName), at);
      const harmed = open();
      expect(harmed.from).to.equal(undefined);
      expect(answer(harmed)).to.equal('first');
    });

  it('is left by a server in place of what a command left, and by nobody else', async () => {
    const { cache, open, answer } = await place();
    const written = async (): Promise<string> =>
      (await readFile(path.join(cache.folder, (await readdir(cache.folder))[0] ?? ''))).toString('base64');
    await open().keep('command');
    const ofCommand = await written();
    const next = open();
    answer(next);
    await next.keep('command');
    expect(await written()).to.equal(ofCommand);
    await next.keep('server');
    const ofServer = await written();
    expect(ofServer).to.not.equal(ofCommand);
    await open().keep('server');
    expect(await written()).to.equal(ofServer);
  });

  it('runs where nothing can be kept', async () => {
    const { folder, answer } = await place();
    const cache = new HostCache(path.join(folder, scriptName, 'cache'));
    const code = openCode(folder, { importModule: (name) => import(name), cache });
    await code.keep('server');
    expect(answer(code)).to.equal('first');
  });
});
