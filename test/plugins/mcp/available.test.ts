import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { type CallToolResult, ToolListChangedNotificationSchema } from '@modelcontextprotocol/sdk/types.js';
import { expect } from 'chai';
import { apiVersion, definePlugin, type Kernel, type Plugin, ToolkitError } from '../../../kernel/index.ts';
import { credentialsPlaceholder } from '../../../plugins/credentials-placeholder/index.ts';
import { type McpOptions, mcp } from '../../../plugins/mcp/index.ts';
import { type LogRecord, memoryLogger } from '../../../plugins/toolkit/testing.ts';
import { httpClient } from '../../e2e/program.ts';
import { resolver } from '../../kernel/secrets/chain-kernel.ts';
import { coreToolkit } from '../../support/core-toolkit.ts';
import { rejection } from '../../support/rejection.ts';
import { echoTool, testKernel } from '../../support/test-kernel.ts';
import { until } from '../../support/until.ts';
import { failure, source, textOf } from './support/client.ts';
import { quietly } from './support/wire.ts';

const token = 'token-of-the-test';

/** Secrets of the tools of the shop, by name; a reload may replace them. */
type Needs = Readonly<Record<string, readonly string[]>>;

/** A shop whose store and tools change when a test wants it. */
class Shop {
  needs: Needs = { shop_free: [], shop_order: ['SHOP_TOKEN'], shop_pay: ['SHOP_TOKEN', 'BANK_TOKEN'] };
  isDown = false;
  readonly values: Record<string, string>;
  readonly logger = memoryLogger();
  readonly plugins: readonly Plugin[];

  constructor(values: Readonly<Record<string, string>> = {}, ttlMs?: number) {
    this.values = { ...values };
    const answer = (): unknown => (this.isDown ? Promise.reject(new Error('no connection')) : undefined);
    const store = resolver(this.values, { answer, ...(ttlMs === undefined ? {} : { ttlMs }) });
    const tools = source((sink) => {
      for (const [name, secrets] of Object.entries(this.needs)) sink.addTool(echoTool({ name, secrets }), { trust: 'operator' });
    });
    this.plugins = [store.plugin, tools];
  }

  warnings(): readonly string[] {
    return this.logger.records.filter(({ level }: LogRecord) => level === 'warn').map(({ message }) => message);
  }
}

interface Served {
  readonly kernel: Kernel;
  readonly client: Client;
  readonly url: string;
  names(): Promise<readonly string[]>;
  call(name: string, parameters?: Readonly<Record<string, unknown>>): Promise<CallToolResult>;
  /** How often the client was told that its list is another one. */
  told(): number;
}

const serverOf = (options: McpOptions): Plugin => mcp({ transport: 'http', port: 0, mcpToken: token, onlyAvailable: true, ...options });

async function serving(kernel: Kernel): Promise<Served> {
  const [server] = await quietly(() => kernel.serve());
  const url = server?.url ?? '';
  const client = await httpClient(url, token);
  let changes = 0;
  client.setNotificationHandler(ToolListChangedNotificationSchema, () => void changes++);
  return {
    kernel,
    client,
    url,
    names: async () => (await client.listTools()).tools.map(({ name }) => name),
    call: async (name, parameters = {}) => (await client.callTool({ name, arguments: parameters })) as CallToolResult,
    told: () => changes,
  };
}

/** A server of the shop alone. */
async function serve(shop: Shop, options: McpOptions = {}): Promise<Served> {
  return serving(await testKernel({ plugins: [credentialsPlaceholder(), ...shop.plugins, serverOf(options)], logger: shop.logger }));
}

/** One that has the core tools as well. */
async function serveCore(shop: Shop, options: McpOptions = {}): Promise<Served> {
  return serving((await coreToolkit({ plugins: [...shop.plugins, serverOf(options)], logger: shop.logger })).kernel);
}

const search = { query: 'gives parameters back', provider: 'none' };

describe('a server of tools that are available', () => {
  const cases = [
    { title: 'nobody has a secret', values: {}, listed: ['shop_free'] },
    { title: 'one secret is there', values: { SHOP_TOKEN: 's' }, listed: ['shop_free', 'shop_order'] },
    { title: 'another one is there', values: { BANK_TOKEN: 'b' }, listed: ['shop_free'] },
    { title: 'all are there', values: { SHOP_TOKEN: 's', BANK_TOKEN: 'b' }, listed: ['shop_free', 'shop_order', 'shop_pay'] },
  ];
  for (const { title, values, listed } of cases)
    it(`lists ${listed.join(', ')} where ${title}`, async () => {
      expect(await (await serve(new Shop(values))).names()).to.deep.equal(listed);
    });

  it('lists a tool whose secret a source may have for some callers, and says to a caller what it lacks', async () => {
    const shop = new Shop();
    const missing = new ToolkitError('AUTH_REQUIRED', 'Connect an account of the shop.', { provider: 'shop' });
    const accounts = definePlugin({
      name: 'accounts',
      apiVersion,
      apply: ({ extend }) =>
        extend.callerCredentials({
          provides: (name) => name === 'SHOP_TOKEN',
          find: () => new Map([['SHOP_TOKEN', { missing, isFinal: true }]]),
        }),
    });
    const kernel = await testKernel({
      plugins: [credentialsPlaceholder(), ...shop.plugins, accounts(), serverOf({})],
      logger: shop.logger,
    });
    const { names, call } = await serving(kernel);
    expect(await names()).to.deep.equal(['shop_free', 'shop_order']);
    failure(await call('shop_order', { text: 'hi' }), 'AUTH_REQUIRED');
    expect(await names()).to.deep.equal(['shop_free', 'shop_order']);
  });

  it('lists all of them unless it is asked for', async () => {
    expect(await (await serve(new Shop(), { onlyAvailable: false })).names()).to.deep.equal(['shop_free', 'shop_order', 'shop_pay']);
  });

  it('says at its start how many are hidden, and who tells more', async () => {
    const shop = new Shop({ SHOP_TOKEN: 's' });
    await serve(shop);
    const [line, ...others] = shop.logger.records.filter(({ message }) => message.includes('not listed')).map(({ message }) => message);
    expect(others).to.deep.equal([]);
    expect(line).to.match(/^1 tool lacks a secret, .*"toolkit doctor"/);
  });

  it('says of a hidden tool that is called what it needs', async () => {
    const { call } = await serve(new Shop());
    const error = failure(await call('shop_order'), 'MISSING_PARAMETER');
    expect(error['message']).to.include('SHOP_TOKEN');
  });

  it('does not start while a resolver fails', async () => {
    const shop = new Shop();
    shop.isDown = true;
    const error = await rejection(serve(shop), 'SECRET_STORE_UNAVAILABLE');
    expect(error.message).to.include('no connection');
  });

  for (const way of ['shop_order', 'toolkit_call_tool'] as const)
    it(`lists a tool once a call by ${way} has found its secret, and tells the clients`, async () => {
      const shop = new Shop();
      const { names, call, told } = await serveCore(shop, { tools: ['shop_*', 'toolkit_call_tool'] });
      expect(await names()).to.not.include('shop_order');
      shop.values['SHOP_TOKEN'] = 's';
      expect(await names()).to.not.include('shop_order');
      const result = await call(way, way === 'shop_order' ? { text: 'hi' } : { name: 'shop_order', arguments: { text: 'hi' } });
      expect(textOf(result)).to.include('hi');
      await until(() => told() === 1 || undefined);
      expect(await names())
        .to.include('shop_order')
        .and.not.include('shop_pay');
    });

  it('lists a tool whose secret has come after a reload, and tells the clients', async () => {
    const shop = new Shop();
    const { kernel, names, told } = await serve(shop);
    expect(await names()).to.deep.equal(['shop_free']);
    shop.values['SHOP_TOKEN'] = 's';
    await kernel.reload();
    await until(() => told() === 1 || undefined);
    expect(await names()).to.deep.equal(['shop_free', 'shop_order']);
  });

  it('hides a tool that a reload gives a secret which nobody has', async () => {
    const shop = new Shop({ SHOP_TOKEN: 's' });
    const { kernel, names, told } = await serve(shop);
    expect(await names()).to.deep.equal(['shop_free', 'shop_order']);
    shop.needs = { ...shop.needs, shop_order: ['OTHER_TOKEN'] };
    await kernel.reload();
    await until(() => told() === 1 || undefined);
    expect(await names()).to.deep.equal(['shop_free']);
  });

  it('keeps what it lists while a resolver fails, lists nothing new, and says so', async () => {
    const shop = new Shop({ SHOP_TOKEN: 's', NEW_TOKEN: 'n' });
    const { kernel, names, told } = await serve(shop);
    shop.isDown = true;
    shop.needs = { ...shop.needs, shop_new: ['NEW_TOKEN'], shop_open: [] };
    await kernel.reload();
    await until(() => shop.warnings().find((message) => message.includes('it is not known which tools have their secrets')));
    expect(shop.warnings().at(-1)).to.include('no connection');
    expect(await names()).to.deep.equal(['shop_free', 'shop_open', 'shop_order']);
    shop.isDown = false;
    await kernel.reload();
    await until(() => told() === 2 || undefined);
    expect(await names()).to.include('shop_new');
  });

  it('lists no tool that a reload gives another secret while a resolver fails', async () => {
    const shop = new Shop({ SHOP_TOKEN: 's', OTHER_TOKEN: 'o' });
    const { kernel, names } = await serve(shop);
    expect(await names()).to.deep.equal(['shop_free', 'shop_order']);
    shop.isDown = true;
    shop.needs = { ...shop.needs, shop_order: ['OTHER_TOKEN'] };
    await kernel.reload();
    expect(await names()).to.deep.equal(['shop_free']);
  });

  describe('whose values live for no time', () => {
    /** Lists shop_order, then has the value asked for again, with what comes of it. */
    async function aged(change: (shop: Shop) => void): Promise<Served & { readonly shop: Shop }> {
      const shop = new Shop({ SHOP_TOKEN: 's' }, 0);
      const served = await serve(shop);
      expect(await served.names()).to.include('shop_order');
      change(shop);
      textOf(await served.call('shop_order'));
      await until(() => (served.kernel.secret('SHOP_TOKEN') === undefined ? true : undefined));
      return { ...served, shop };
    }

    it('hides a tool whose call finds its secret gone, and tells the clients', async () => {
      const { call, names, told } = await aged(({ values }) => delete values['SHOP_TOKEN']);
      failure(await call('shop_order'), 'MISSING_PARAMETER');
      await until(() => told() === 1 || undefined);
      expect(await names()).to.deep.equal(['shop_free']);
    });

    it('keeps a tool whose call finds the resolver failing', async () => {
      const { call, names, told, shop } = await aged((store) => {
        store.isDown = true;
      });
      for (let times = 0; times < 4; times++) failure(await call('shop_order'), 'SECRET_STORE_UNAVAILABLE');
      expect(await names()).to.include('shop_order');
      // Of the call before, whose value was taken away while it ran.
      expect(shop.warnings().filter((message) => message.includes('it is not known which tools'))).to.have.length.at.most(1);
      shop.isDown = false;
      textOf(await call('shop_order'));
      expect(told()).to.equal(0);
    });
  });

  it('shows no hidden tool in searches and lists of tools', async () => {
    const { call } = await serveCore(new Shop({ SHOP_TOKEN: 's' }));
    for (const [name, parameters] of [
      ['toolkit_search_tools', search],
      ['toolkit_list_tools', { provider: 'none' }],
    ] as const) {
      const text = JSON.stringify((await call(name, parameters)).structuredContent);
      expect(text, name).to.include('shop_order').and.not.include('shop_pay');
    }
  });

  it('says what a hidden tool needs to who knows its name', async () => {
    const { call } = await serveCore(new Shop({ SHOP_TOKEN: 'the-value-in-the-store' }));
    const shown = await call('toolkit_get_tool', { name: 'shop_pay' });
    expect(shown.structuredContent).to.deep.include({ needs: ['BANK_TOKEN'] });
    expect(JSON.stringify(shown)).to.not.include('the-value-in-the-store');
    failure(await call('toolkit_call_tool', { name: 'shop_pay', arguments: {} }), 'MISSING_PARAMETER');
  });

  it('tells nothing of a hidden tool that the filter leaves out', async () => {
    const { call } = await serveCore(new Shop(), { tools: ['toolkit_*', 'shop_free'] });
    for (const tool of ['toolkit_get_tool', 'toolkit_call_tool']) {
      const result = await call(tool, tool === 'toolkit_get_tool' ? { name: 'shop_pay' } : { name: 'shop_pay', arguments: {} });
      expect(JSON.stringify(failure(result, 'TOOL_NOT_FOUND'))).to.not.include('BANK_TOKEN');
    }
  });

  it('counts only what is listed, in the overview of the search and in /health', async () => {
    const shop = new Shop({ SHOP_TOKEN: 's' });
    const { client, url } = await serveCore(shop, { expose: 'search', tools: ['shop_*'], pinned: ['shop_*'] });
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name))
      .to.include('shop_order')
      .and.not.include('shop_pay');
    expect(tools.find(({ name }) => name === 'toolkit_search_tools')?.description).to.match(/There are: none 2\.$/);
    expect(await (await fetch(new URL('/health', url))).json()).to.include({ tools: 2 });
  });
});
