import { expect } from 'chai';
import { apiVersion, createKernel, type DiscoverSink, definePlugin, type Origin, type Plugin } from '../../../kernel/index.ts';
import { memoryLogger } from '../../../plugins/toolkit/testing.ts';
import { rejection } from '../../support/rejection.ts';
import { echoTool, testKernel } from '../../support/test-kernel.ts';
import { find, problemsOf, shelfPlugin, shelfWorld } from './shelf.ts';

function adding(name: string, add: (sink: DiscoverSink) => void): Plugin {
  return definePlugin({ name, apiVersion, apply: ({ hooks }) => hooks.discover.tap(name, add) })();
}

const owners: readonly { readonly of: string; readonly origin: Partial<Origin>; readonly shown: string }[] = [
  { of: 'this program', origin: { isBuiltIn: true }, shown: 'this program' },
  { of: 'a package', origin: { package: { name: '@toolkit/shop', secrets: [] } }, shown: 'the package "@toolkit/shop"' },
  { of: 'the operator', origin: { trust: 'operator', file: '/tools/a.yaml' }, shown: '/tools/a.yaml' },
];

describe('the names of a source', () => {
  it('begin with its own, those of tools, providers and prompts', async () => {
    const { kernel, call } = await shelfWorld({
      shelf: {
        tools: [find, { name: 'shelf_put', description: 'Puts.', provider: 'other' }],
        providers: [{ provider: { name: 'shelf', description: 'd' } }, { provider: { name: 'other', description: 'd' } }],
        prompts: [{ name: 'tidy' }],
        resources: [{ uri: 'shelf://one' }],
      },
    });
    expect([...kernel.registry.tools.keys()]).to.deep.equal(['shelf_find', 'shelf_put']);
    expect([...kernel.registry.providers.keys()]).to.deep.equal(['shelf', 'shelf_other']);
    expect([...kernel.registry.prompts.keys()]).to.deep.equal(['shelf_tidy']);
    expect([...kernel.registry.resources.keys()]).to.deep.equal(['shelf://one']);
    expect(kernel.registry.tools.get('shelf_find')?.provider?.name).to.equal('shelf');
    expect(kernel.registry.tools.get('shelf_put')?.provider?.name).to.equal('shelf_other');
    expect(kernel.registry.tools.get('shelf_find')?.origin).to.include({ plugin: 'shelf', trust: 'package' });
    expect(await call('shelf_find')).to.equal('Finds a thing.');
  });

  for (const [what, name] of [
    ['of core', 'math_evaluate'],
    ['of another source', 'crate_find'],
    ['with what no name may hold', 'a/b'],
  ])
    it(`are its own, whatever it calls a tool: a name ${what}`, async () => {
      const own = echoTool({ name: 'math_evaluate', description: 'Own.' });
      const { kernel, names } = await shelfWorld({ shelf: { tools: [{ ...find, name }] }, tools: [own] });
      expect(names().filter((each) => each !== 'math_evaluate' && !each.startsWith('shelf_'))).to.deep.equal([]);
      expect(kernel.registry.tools.get('math_evaluate')?.description).to.equal('Own.');
    });

  for (const { of, origin, shown } of owners)
    for (const order of ['before', 'behind'])
      for (const kind of ['tool', 'provider'] as const)
        it(`are refused at the start, both named, where ${of} has a ${kind} there, ${order} it`, async () => {
          const add = (sink: DiscoverSink): void =>
            kind === 'tool'
              ? sink.addTool(echoTool({ name: 'Shelf_find' }), origin)
              : sink.addProvider({ provider: { name: 'shelf', description: 'd' } }, origin);
          const source = shelfPlugin({ sources: { shelf: { document: '/nowhere.json' } } });
          const owner = adding('owner', add);
          const starting = testKernel({ plugins: order === 'before' ? [owner, source] : [source, owner] });
          const { message } = await rejection(starting, 'PLUGIN_INVALID');
          expect(message).to.include('Plugin "shelf" adds the source "shelf"').and.include(shown);
        });

  for (const { of, origin } of owners)
    it(`are not taken at a reload by ${of}, or by the source from it`, async () => {
      let isLate = false;
      const owner = adding('owner', (sink) => {
        if (isLate) sink.addTool(echoTool({ name: 'shelf_find', description: 'Own.' }), origin);
      });
      const { kernel } = await shelfWorld({ plugins: [owner] });
      isLate = true;
      await kernel.reload();
      const wins = origin.package === undefined;
      expect(kernel.registry.tools.get('shelf_find')?.description).to.equal(wins ? 'Own.' : 'Finds a thing.');
      expect(problemsOf(kernel)[0]).to.include('"shelf_find"').and.include('the source "shelf" of plugin "shelf"');
    });

  it('are taken by no plugin that adds a tool by itself, also while the source is down', async () => {
    const taker = adding('taker', (sink) => sink.addTool(echoTool({ name: 'shelf_find' })));
    const { kernel, names } = await shelfWorld({ shelf: { fail: 'down' }, plugins: [taker] });
    expect(names()).to.deep.equal([]);
    expect(problemsOf(kernel).join()).to.include('"shelf_find" of plugin "taker" has a name that only the source "shelf"');
  });

  it('do not lie among those of another source', async () => {
    for (const names of [
      ['shelf', 'shelf'],
      ['shelf', 'shelf_top'],
      ['shelf-top', 'shelf'],
    ]) {
      const add = definePlugin({
        name: 'many',
        apiVersion,
        apply: ({ extend }) => {
          for (const name of names) extend.source(name, { list: () => {} });
        },
      });
      const { message } = await rejection(createKernel({ plugins: [add()], logger: memoryLogger() }), 'PLUGIN_INVALID');
      for (const name of names) expect(message).to.include(`"${name}"`);
    }
  });

  for (const name of ['', 'Shelf', 'shelf_', '1shelf', 'a b', 'a/b', 'x'.repeat(31), 7])
    it(`are refused where the source is called ${JSON.stringify(name)}`, async () => {
      const add = definePlugin({ name: 'odd', apiVersion, apply: ({ extend }) => void extend.source(name as string, { list: () => {} }) });
      const { message } = await rejection(createKernel({ plugins: [add()], logger: memoryLogger() }), 'PLUGIN_INVALID');
      expect(message).to.include('adds a source whose name cannot be used: expected lower-case letters');
    });
});

const wrong: readonly (readonly [string, object | null])[] = [
  ['an object', null],
  ['"list" to be a function', {}],
  ['"watch" to be a function', { list: () => {}, watch: true }],
  ['"timeoutMs" to be a number', { list: () => {}, timeoutMs: 0 }],
  ['"retryDelayMs" to be a number', { list: () => {}, retryDelayMs: '5s' }],
  ['"trust" to be "review" or "all"', { list: () => {}, trust: 'none' }],
  ['"urls" to be a list of texts', { list: () => {}, urls: 'https://a.example' }],
  ['"urls" to hold whole URLs', { list: () => {}, urls: ['a.example'] }],
  ['"secrets" to be a list of texts', { list: () => {}, secrets: [1] }],
];

describe('a source that is added in a wrong way', () => {
  for (const [expected, source] of wrong)
    it(`is refused: expected ${expected}`, async () => {
      const add = definePlugin({ name: 'odd', apiVersion, apply: ({ extend }) => void extend.source('odd', source as never) });
      const { message } = await rejection(createKernel({ plugins: [add()], logger: memoryLogger() }), 'PLUGIN_INVALID');
      expect(message).to.include('Plugin "odd" adds an invalid source "odd"').and.include(expected);
    });
});

describe('what sources share with others: URIs', () => {
  const resource = (uri: string) => ({ uri, name: uri, read: () => ({ uri, text: 'own' }) });

  it('stay with the plugin that has one, and both are named', async () => {
    const owner = adding('owner', (sink) => {
      sink.addResource(resource('notes://one'));
      sink.addResourceTemplate({ uriTemplate: 'notes://{x}', name: 'notes', read: (uri) => ({ uri, text: 'own' }) });
      sink.addPrompt({ name: 'tidy', get: () => [] });
    });
    const shelf = {
      resources: [{ uri: 'notes://one' }, { uri: 'notes://two' }],
      templates: [{ uriTemplate: 'notes://{x}' }],
      prompts: [{ name: 'tidy' }],
    };
    const { kernel } = await shelfWorld({ shelf, plugins: [owner] });
    const { resources, resourceTemplates, prompts } = kernel.registry;
    expect([...resources.values()].map(({ uri, source }) => [uri, source])).to.deep.equal([
      ['notes://one', undefined],
      ['notes://two', 'shelf'],
    ]);
    expect([...resourceTemplates.values()].map(({ source }) => source)).to.deep.equal([undefined]);
    expect([...prompts.keys()]).to.deep.equal(['shelf_tidy', 'tidy']);
    expect(problemsOf(kernel)).to.deep.equal([
      'error shelf the resource "notes://one" of the source "shelf" is not used: plugin "owner" has that URI',
      'error shelf the resource template "notes://{x}" of the source "shelf" is not used: plugin "owner" has that URI',
    ]);
  });

  it('belong to neither of two sources, and both are named', async () => {
    const { kernel } = await shelfWorld({
      shelf: { resources: [{ uri: 'notes://one' }] },
      plugins: [
        definePlugin({
          name: 'crate',
          apiVersion,
          apply: ({ extend }) => void extend.source('crate', { list: ({ sink }) => sink.addResource(resource('notes://one')) }),
        })(),
      ],
    });
    expect(kernel.registry.resources.size).to.equal(0);
    expect(problemsOf(kernel)).to.deep.equal([
      'error shelf the resource "notes://one" is listed by the sources "shelf" and "crate": none of them is used',
    ]);
  });
});
