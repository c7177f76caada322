import { expect } from 'chai';
import type { DiscoverSink } from '../../../../../kernel/index.ts';
import { coreToolkit } from '../../../../support/core-toolkit.ts';
import { echoTool, testKernel } from '../../../../support/test-kernel.ts';
import { connect, gate, handlerTool, source } from '../../support/client.ts';
import { ModernClient, modernVersion, textIn } from '../../support/modern-client.ts';

const server = { 'io.modelcontextprotocol/serverInfo': { name: 'toolkit', version: '0.0.0' } };

const fill = (sink: DiscoverSink): void => {
  for (const name of ['a', 'b', 'c']) {
    sink.addResource({ uri: `${name}:1`, name, read: () => ({ uri: `${name}:1`, text: name }) });
    sink.addResourceTemplate({
      uriTemplate: `${name}t:{x}`,
      name,
      complete: { x: () => ['one', 'two'] },
      read: (uri, { x }) => (x === 'none' ? undefined : { uri, text: x ?? '' }),
    });
    sink.addPrompt({
      name,
      arguments: [{ name: 'whom', complete: () => ['Ada'] }],
      get: () => [{ role: 'user', content: { type: 'text', text: name } }],
    });
  }
};

const kernelWith = (names: readonly string[] = ['echo']) =>
  testKernel({ tools: names.map((name) => echoTool({ name })), plugins: [source(fill)] });

const long = { ttlMs: 60_000, cacheScope: 'public' };

/** By method, what is asked, and what the answer says of how long it may be kept. */
const requests: readonly { readonly method: string; readonly params?: object; readonly caching?: object }[] = [
  { method: 'server/discover', caching: long },
  { method: 'tools/list', caching: long },
  { method: 'resources/list', caching: long },
  { method: 'resources/templates/list', caching: long },
  { method: 'prompts/list', caching: long },
  { method: 'resources/read', params: { uri: 'a:1' }, caching: { ttlMs: 0, cacheScope: 'private' } },
  { method: 'resources/read', params: { uri: 'at:5' }, caching: { ttlMs: 0, cacheScope: 'private' } },
  { method: 'tools/call', params: { name: 'echo', arguments: { text: 'x' } } },
  { method: 'prompts/get', params: { name: 'a' } },
  { method: 'completion/complete', params: { ref: { type: 'ref/prompt', name: 'a' }, argument: { name: 'whom', value: '' } } },
];

describe('an answer of 2026-07-28', () => {
  for (const { method, params = {}, caching = {} } of requests) {
    it(`to ${method} ${JSON.stringify(params)} is complete, names the server and says how long it holds`, async () => {
      const asking = await ModernClient.connect(await kernelWith());
      const result = await asking.result(method, params as never);
      const { resultType, _meta, ttlMs, cacheScope } = result;
      expect({ resultType, _meta }).to.deep.equal({ resultType: 'complete', _meta: server });
      expect({ ...(ttlMs === undefined ? {} : { ttlMs }), ...(cacheScope === undefined ? {} : { cacheScope }) }).to.deep.equal(caching);
    });
  }

  for (const { method, params = {} } of requests.filter(({ caching }) => caching === long)) {
    it(`to ${method} is private where it depends on the client`, async () => {
      const { kernel } = await coreToolkit({ plugins: [source(fill)] });
      const asking = await ModernClient.connect(kernel, { expose: 'auto' });
      expect(await asking.result(method, params as never)).to.include({ cacheScope: 'private' });
    });
  }

  it('to server/discover says what is spoken, what there is, and how to begin', async () => {
    const asking = await ModernClient.connect(await kernelWith());
    const { supportedVersions, capabilities, instructions } = await asking.result('server/discover');
    const { client } = await connect(await kernelWith());
    expect({ supportedVersions, capabilities, instructions }).to.deep.equal({
      supportedVersions: [modernVersion],
      capabilities: {
        ...client.getServerCapabilities(),
        extensions: { 'io.modelcontextprotocol/skills': {}, 'io.modelcontextprotocol/tasks': {} },
      },
      instructions: client.getInstructions(),
    });
  });

  it('is what a session is answered, but for what it says of itself', async () => {
    const kernel = await kernelWith();
    const [asking, { client }] = [await ModernClient.connect(kernel), await connect(kernel)];
    for (const { method, params = {} } of requests.filter((request) => request.method !== 'server/discover')) {
      const { resultType: _type, _meta, ttlMs: _ttl, cacheScope: _scope, ...said } = await asking.result(method, params as never);
      const { _meta: _none, ...inSession } = (await client.request({ method, params } as never, passing as never)) as Record<
        string,
        unknown
      >;
      expect(said, method).to.deep.equal(inSession);
    }
  });

  it('keeps what a tool says in "_meta"', async () => {
    const asking = await ModernClient.connect(
      await testKernel({
        tools: [
          handlerTool(() => {
            throw new Error('no');
          }),
        ],
      }),
    );
    const { isError, _meta } = await asking.call('it');
    expect(isError).to.equal(true);
    expect(_meta).to.have.all.keys(...Object.keys(server), 'toolkit/error');
  });

  for (const [method, member] of [
    ['tools/list', 'tools'],
    ['resources/list', 'resources'],
    ['resources/templates/list', 'resourceTemplates'],
    ['prompts/list', 'prompts'],
  ] as const) {
    it(`to ${method} comes in pages that say the same of how long they hold`, async () => {
      const asking = await ModernClient.connect(await kernelWith(['a', 'b', 'c']), { pageSize: 2 });
      const first = await asking.result(method);
      const second = await asking.result(method, { cursor: first['nextCursor'] });
      const names = [first, second].map((page) => (page[member] as { name: string }[]).map(({ name }) => name));
      expect(names).to.deep.equal([['a', 'b'], ['c']]);
      expect(second['nextCursor']).to.equal(undefined);
      for (const page of [first, second]) expect(page).to.include({ ...long, resultType: 'complete' });
      for (const cursor of ['bm8', 5, null, {}]) await asking.refusal(-32602, method, { cursor });
    });
  }
});

/** Any result. */
const passing = { parse: (value: unknown) => value, safeParse: (data: unknown) => ({ success: true, data }), '~standard': undefined };

describe('an error of 2026-07-28', () => {
  const errors: readonly {
    readonly what: string;
    readonly code: number;
    readonly method: string;
    readonly params?: object;
    says: string;
  }[] = [
    { what: 'an unknown method', code: -32601, method: 'tools/eat', says: 'There is no method "tools/eat"' },
    { what: 'initialize', code: -32601, method: 'initialize', says: 'There is no method "initialize"' },
    { what: 'ping', code: -32601, method: 'ping', says: 'There is no method "ping"' },
    { what: 'logging/setLevel', code: -32601, method: 'logging/setLevel', params: { level: 'info' }, says: 'There is no method' },
    { what: 'resources/subscribe', code: -32601, method: 'resources/subscribe', params: { uri: 'a:1' }, says: 'There is no method' },
    { what: 'a method of an object', code: -32601, method: 'toString', says: 'There is no method "toString"' },
    { what: 'an unknown tool', code: -32602, method: 'tools/call', params: { name: 'eco', arguments: {} }, says: '"eco"' },
    { what: 'a call without a name', code: -32602, method: 'tools/call', params: { arguments: {} }, says: 'name' },
    { what: 'arguments that are a list', code: -32602, method: 'tools/call', params: { name: 'echo', arguments: [] }, says: 'arguments' },
    { what: 'an unknown resource', code: -32602, method: 'resources/read', params: { uri: 'z:1' }, says: 'There is no resource "z:1"' },
    {
      what: 'a template without that one',
      code: -32602,
      method: 'resources/read',
      params: { uri: 'at:none' },
      says: 'There is no resource',
    },
    { what: 'a resource without a URI', code: -32602, method: 'resources/read', says: 'uri' },
    { what: 'an unknown prompt', code: -32602, method: 'prompts/get', params: { name: 'z' }, says: 'There is no prompt "z"' },
    { what: 'a prompt without a name', code: -32602, method: 'prompts/get', says: 'name' },
    {
      what: 'a wrong argument of a prompt',
      code: -32602,
      method: 'prompts/get',
      params: { name: 'a', arguments: { who: 'x' } },
      says: '"who" is not an argument of it',
    },
  ];
  for (const { what, code, method, params = {}, says } of errors) {
    it(`for ${what} is ${code}`, async () => {
      const asking = await ModernClient.connect(await kernelWith());
      expect((await asking.refusal(code, method, params as never)).message).to.include(says);
    });
  }

  it('for a resource that is not there names it', async () => {
    const asking = await ModernClient.connect(await kernelWith());
    expect((await asking.refusal(-32602, 'resources/read', { uri: 'z:1' })).data).to.deep.equal({ uri: 'z:1' });
  });

  it('for parameters that do not fit is a result that a model can read', async () => {
    const asking = await ModernClient.connect(await kernelWith());
    const { isError, content, resultType } = await asking.call('echo', { text: 5 });
    expect({ isError, resultType }).to.deep.equal({ isError: true, resultType: 'complete' });
    expect(JSON.stringify(content)).to.include('INVALID_PARAMETERS');
  });

  it('for a second request with the id of one that runs leaves that one alone', async () => {
    const [begun, end] = [gate(), gate<string>()];
    const tool = handlerTool(() => {
      begun.open();
      return end.opened;
    });
    const asking = await ModernClient.connect(await testKernel({ tools: [tool, echoTool()] }));
    asking.start('tools/call', { name: 'it', arguments: {} }, 'same');
    await begun.opened;
    asking.start('tools/call', { name: 'echo', arguments: {} }, 'same');
    expect((await asking.answer('same')).error).to.include({ code: -32600 });
    asking.sent.splice(0);
    end.open('first');
    expect(textIn((await asking.answer('same')).result ?? {})).to.equal('first');
  });

  it('for too many requests at once is told to the model of a call, and to the client of a list', async () => {
    const [begun, end] = [gate(), gate<string>()];
    const tool = handlerTool(() => {
      begun.open();
      return end.opened;
    });
    const asking = await ModernClient.connect(await testKernel({ tools: [tool, echoTool()], plugins: [source(fill)] }), {
      limits: { requests: 1 },
    });
    const id = asking.start('tools/call', { name: 'it', arguments: {} });
    await begun.opened;
    const { isError, content } = await asking.call('echo');
    expect(isError).to.equal(true);
    expect(JSON.stringify(content)).to.include('RATE_LIMITED');
    for (const method of ['tools/list', 'resources/list', 'prompts/list'])
      expect((await asking.refusal(-32603, method)).message, method).to.include('RATE_LIMITED');
    end.open('done');
    expect(textIn((await asking.answer(id)).result ?? {})).to.equal('done');
    await asking.result('resources/list');
  });
});
