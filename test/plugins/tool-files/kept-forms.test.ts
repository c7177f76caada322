import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import Type from 'typebox';
import { apiVersion, definePlugin, formatProblem, type Kernel, type Plugin } from '../../../kernel/index.ts';
import { LinkCache } from '../../../plugins/shared/definition-files/link-cache.ts';
import { LinkCaches } from '../../../plugins/shared/definition-files/link-caches.ts';
import { scanDirectory } from '../../../plugins/shared/definition-files/scan-directory.ts';
import { HostCache } from '../../../plugins/shared/host-cache/host-cache.ts';
import { temporaryFolder } from '../../support/temporary.ts';
import { bareKernel } from '../../support/test-kernel.ts';

/** Definitions that were checked, by name. */
const checked: string[] = [];

const saying = definePlugin({
  name: 'saying',
  apiVersion,
  apply: ({ extend }) =>
    void extend.execution('say', {
      schema: Type.Object({ text: Type.String() }),
      check: ({ text }) => {
        checked.push(text);
        return text === 'wrong' ? [{ path: 'text', pointer: '/text', message: 'is wrong' }] : [];
      },
      fingerprint: 'saying 1',
    }),
});

/** Reads the definitions of a folder as tool-files does. */
const reading = (root: string, cache: HostCache, build = 'a build'): Plugin =>
  definePlugin({
    name: 'reading',
    apiVersion,
    apply: ({ hooks }) => {
      const roots = new LinkCaches({ build, cache });
      const owner = { trust: 'operator' } as const;
      hooks.discover.tapPromise('reading', (sink, { logger }) =>
        scanDirectory(root, sink, logger, { ...owner, linkCache: roots.forRoot(root, owner, sink) }),
      );
      hooks.dispose.tapPromise('reading', () => roots.settled());
    },
  })();

const tool = (name: string, more = ''): string =>
  `name: ${name}\ndescription: Says ${name}.\n${more}execution:\n  type: say\n  text: ${name}\n`;

const skill = '---\nname: speaking\ndescription: How to speak.\n---\nSpeak up.\n';

const files = {
  'tools/one.yaml': tool('one'),
  'tools/speech/definition.yaml': 'provider: { name: speech }\nheaders: { Accept: text/plain }\n',
  'tools/speech/two.yaml': tool('two', 'odd_key_of_mine: 1\n'),
  'tools/speech/SKILL.md': skill,
  'tools/other.yaml': 'just: something else\n',
};

interface Place {
  readonly folder: string;
  readonly root: string;
  readonly cache: HostCache;
}

async function place(more: Readonly<Record<string, string>> = {}): Promise<Place> {
  const folder = await temporaryFolder({ ...files, ...more });
  return { folder, root: path.join(folder, 'tools'), cache: new HostCache(path.join(folder, 'cache')) };
}

interface Start {
  /** Names of the definitions that were checked and linked. */
  readonly linked: readonly string[];
  readonly found: unknown;
}

/** Starts, and ends when everything is written. */
async function start({ root, cache }: Place, build?: string): Promise<Start> {
  checked.length = 0;
  const kernel = await bareKernel({ plugins: [saying(), reading(root, cache, build)] });
  const found = told(kernel);
  await kernel.close();
  return { linked: [...checked].sort(), found };
}

function told({ registry }: Kernel): unknown {
  return {
    tools: [...registry.tools.values()].map(({ name, definition, provider, hash }) => [name, definition, provider?.name, hash]),
    skills: [...registry.skills.values()].map(({ name, text }) => [name, text]),
    problems: registry.problems.map(formatProblem),
  };
}

async function entryOf({ folder }: Place): Promise<string> {
  const [name = '', ...others] = await readdir(path.join(folder, 'cache'));
  expect(others).to.deep.equal([]);
  return path.join(folder, 'cache', name);
}

describe('what a start keeps of the definitions of a folder', () => {
  it('is all that the next one needs, and gives the same', async () => {
    const here = await place();
    const first = await start(here);
    expect(first.linked).to.deep.equal(['one', 'two']);
    expect(JSON.stringify(first.found)).to.include('odd_key_of_mine').and.to.include('Speak up.');
    expect(await start(here)).to.deep.equal({ linked: [], found: first.found });
  });

  const changes: readonly { what: string; change(here: Place): Promise<unknown>; linked: readonly string[]; build?: string }[] = [
    {
      what: 'a byte of a definition',
      change: ({ root }) => writeFile(path.join(root, 'one.yaml'), tool('one').replace('Says', 'says')),
      linked: ['one'],
    },
    {
      what: 'a byte of a provider file',
      change: ({ root }) =>
        writeFile(path.join(root, 'speech/definition.yaml'), files['tools/speech/definition.yaml'].replace('plain', 'html')),
      linked: ['two'],
    },
    { what: 'the provider file, which is gone', change: ({ root }) => rm(path.join(root, 'speech/definition.yaml')), linked: ['two'] },
    { what: 'a definition more', change: ({ root }) => writeFile(path.join(root, 'more.yaml'), tool('more')), linked: ['more'] },
    { what: 'the program', change: async () => {}, linked: ['one', 'two'], build: 'another build' },
  ];
  for (const { what, change, linked, build } of changes)
    it(`is used again but for what follows from this, which has changed: ${what}`, async () => {
      const here = await place();
      await start(here);
      await change(here);
      const cold = await start({ ...here, cache: new HostCache(path.join(here.folder, 'empty')) }, build);
      expect(await start(here, build)).to.deep.equal({ linked, found: cold.found });
      expect((await start(here, build)).linked).to.deep.equal([]);
    });

  it('does not depend on the time of a file, nor on its name', async () => {
    const here = await place();
    await start(here);
    await rm(path.join(here.root, 'one.yaml'));
    await writeFile(path.join(here.root, 'first.yaml'), tool('one'));
    expect((await start(here)).linked).to.deep.equal([]);
  });

  it('is worked out again when any byte of it is another', async () => {
    const here = await place();
    const first = await start(here);
    const entry = await entryOf(here);
    const whole = await readFile(entry);
    for (const at of [0, 33, 37, Math.floor(whole.length / 2), whole.length - 1]) {
      const broken = Buffer.from(whole);
      broken[at] = (broken[at] ?? 0) ^ 1;
      await writeFile(entry, broken);
      expect(await start(here), `byte ${at}`).to.deep.equal(first);
    }
    for (const broken of [Buffer.alloc(0), whole.subarray(0, whole.length - 9)]) {
      await writeFile(entry, broken);
      expect(await start(here)).to.deep.equal(first);
    }
  });

  it('is not written again when nothing has changed', async () => {
    const here = await place();
    await start(here);
    const entry = await entryOf(here);
    await rm(entry);
    await writeFile(path.join(here.root, 'one.yaml'), tool('one', 'tags: [x]\n'));
    await start(here);
    const written = await readFile(entry);
    await start(here);
    expect((await readFile(entry)).equals(written)).to.equal(true);
  });

  it('is without a definition that has an error, which is told at every start with its line', async () => {
    const here = await place({ 'tools/wrong.yaml': tool('wrong') });
    const first = await start(here);
    const second = await start(here);
    expect(second).to.deep.equal({ linked: ['wrong'], found: first.found });
    expect(JSON.stringify(second.found)).to.include('wrong.yaml:5:3 execution.text: is wrong');
  });

  it('does not hold for the same folder as that of somebody else', async () => {
    const { root, cache } = await place();
    const roots = new LinkCaches({ build: 'a build', cache });
    const listeners: (() => void)[] = [];
    const sink = { schemaVersion: 'one', onLinked: (listener: () => void) => void listeners.push(listener) };
    roots.forRoot(root, { trust: 'operator' }, sink)?.store('text', 'other');
    for (const listener of listeners) listener();
    await roots.settled();
    const kindIn = (owner: 'operator' | 'package', language: string) =>
      new LinkCaches({ build: 'a build', cache }).forRoot(root, { trust: owner }, { ...sink, schemaVersion: language })?.kindOf('text');
    expect([kindIn('operator', 'one'), kindIn('package', 'one'), kindIn('operator', 'two')]).to.deep.equal(['other', undefined, undefined]);
  });

  it('is nothing where the program has no name', async () => {
    const { root, cache } = await place();
    const sink = { schemaVersion: 'one', onLinked: () => {} };
    expect(new LinkCaches({ build: undefined, cache }).forRoot(root, { trust: 'operator' }, sink)).to.equal(undefined);
  });
});

describe('the lines of a definition that was linked before', () => {
  it('are found when somebody asks, and not once its file has changed', async () => {
    const here = await place();
    await start(here);
    const kernel = await bareKernel({ plugins: [saying(), reading(here.root, here.cache)] });
    const { origin } = kernel.registry.get('two');
    expect(origin.locate?.('/execution/text')).to.deep.equal({ line: 6, column: 3 });
    const { origin: other } = kernel.registry.get('one');
    await writeFile(path.join(here.root, 'one.yaml'), `# A line before.\n${tool('one')}`);
    expect(other.locate?.('/execution/text')).to.equal(undefined);
  });
});

describe('kept forms', () => {
  it('forget what is not asked for any more', async () => {
    const forms = new LinkCache();
    for (const text of ['a', 'b']) forms.store(text, 'tool', { head: text, body: () => ({ text }) });
    forms.beginScan();
    expect(forms.read('a')?.body()).to.deep.equal({ text: 'a' });
    const again = new LinkCache(Buffer.concat(await forms.serialize()));
    expect([again.kindOf('a'), again.read('a')?.head, again.read('a')?.body(), again.kindOf('b')]).to.deep.equal([
      'tool',
      'a',
      { text: 'a' },
      undefined,
    ]);
  });

  it('look below for what they do not have, and do not take it over', async () => {
    const below = new LinkCache();
    below.store('a', 'tool', { head: 'below', body: () => 1 }, 'key');
    const forms = new LinkCache(undefined, below);
    expect([forms.kindOf('a'), forms.read('a', 'key')?.head, forms.read('a', 'another')]).to.deep.equal(['tool', 'below', undefined]);
    forms.store('a', 'tool', { head: 'own', body: () => 2 }, 'another');
    expect([forms.read('a', 'key')?.head, forms.read('a', 'another')?.head]).to.deep.equal(['below', 'own']);
    expect(new LinkCache(Buffer.concat(await forms.serialize())).read('a', 'key')).to.equal(undefined);
  });
});

describe('what sources keep of definitions', () => {
  const sink = { schemaVersion: 'a language', onLinked: () => {} };
  const owner = { trust: 'operator' } as const;
  const cases: readonly { readonly root: string; readonly isKept: boolean }[] = [
    { root: path.resolve('tools/slack'), isKept: true },
    { root: path.resolve('..'), isKept: false },
    { root: `${path.resolve('.')}-beside/tools`, isKept: false },
  ];
  for (const { root, isKept } of cases)
    it(`is ${isKept ? 'kept of' : 'nothing of'} ${path.relative('.', root)}`, () => {
      expect(new LinkCaches().forRoot(root, owner, sink) !== undefined).to.equal(isKept);
    });
});
