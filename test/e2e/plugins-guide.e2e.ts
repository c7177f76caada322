import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { type DraftCall, hookNames, type PluginFactory } from '../../kernel/index.ts';
import { createTestKit as createSourceKit, type TestKit, type TestKitOptions } from '../../plugins/toolkit/testing.ts';
import { afterEach } from '../support/after-each.ts';
import { installIn } from '../support/installed.ts';
import { json, loopback } from '../support/loopback.ts';
import { rejection } from '../support/rejection.ts';
import { temporaryFolder } from '../support/temporary.ts';

type Testing = typeof import('../../plugins/toolkit/testing.ts');

const run = promisify(execFile);
const guide = await readFile('plugins/README.md', 'utf8');
const snippets = new Map(
  [...guide.matchAll(/^```js\n\/\/ (\S+)\n([\s\S]*?)^```$/gm)].map(([, file = '', code = '']) => [file, `// ${file}\n${code}`]),
);
const kits: TestKit[] = [];

afterEach(async () => {
  await Promise.all(kits.splice(0).map((kit) => kit.close()));
});

/** The snippets as files, beside an installed toolkit. */
async function project(): Promise<string> {
  const folder = await temporaryFolder({ 'package.json': '{ "type": "module" }', ...Object.fromEntries(snippets) });
  await installIn(folder);
  return folder;
}

/** A kit of the built package with the plugins of these snippets; options by the name of the snippet. */
async function kitOf(
  options: Readonly<Record<string, Readonly<Record<string, unknown>>>>,
  more: TestKitOptions = {},
  files: Readonly<Record<string, string>> = {},
): Promise<TestKit> {
  const folder = await project();
  for (const [name, text] of Object.entries(files)) await writeFile(path.join(folder, name), text);
  const { createTestKit } = (await import(pathToFileURL(path.resolve('dist/plugins/toolkit/testing.js')).href)) as Testing;
  const plugins = await Promise.all(
    Object.entries(options).map(async ([name, given]) => {
      const module = (await import(pathToFileURL(path.join(folder, 'hooks', `${name}.js`)).href)) as { default: PluginFactory<unknown> };
      return module.default(given);
    }),
  );
  const kit = await createTestKit({ cwd: folder, ...more, plugins });
  kits.push(kit);
  return kit;
}

const tool = (more: Readonly<Record<string, unknown>> = {}) => ({
  name: 'pay',
  description: 'Pays a sum.',
  parameters: { amount: { type: 'number' }, to: { type: 'string' } },
  execution: { type: 'function', handler: ({ to = 'nobody' }: { to?: string }) => `paid to ${to}` },
  risk: 'high',
  ...more,
});

/** A tool that says the secrets that it was given, in a form that is not masked. */
const showing = (name: string) =>
  tool({
    secrets: [name],
    execution: { type: 'function', handler: (_given: object, { secrets }: { secrets: Record<string, string> }) => secrets[name]?.length },
  });

describe('the page for plugin authors', () => {
  it('has a section for every hook', () => {
    const [, hooks = ''] = /\n## The hooks\n([\s\S]*?)\n## /.exec(guide) ?? [];
    const sections = [...hooks.matchAll(/^### (.+)$/gm)].flatMap(([, title = '']) => title.split(', '));
    expect(sections).to.deep.equal([...hookNames]);
  });

  it('has a plugin whose tests pass', async () => {
    const folder = await project();
    const { NODE_TEST_CONTEXT: _context, ...env } = process.env;
    const { stdout } = await run(process.execPath, ['--test', '--test-reporter=tap', 'office-hours/index.test.js'], { cwd: folder, env });
    expect(stdout)
      .to.match(/^# fail 0$/m)
      .and.match(/^# pass [5-9]\d$/m);
  });

  it('has plugins that keep the contract', async () => {
    const folder = await project();
    const toolKeys = { daily_budget: { calls: 99 } };
    const { checkPlugin } = (await import(pathToFileURL(path.resolve('dist/plugins/toolkit/testing.js')).href)) as Testing;
    const names = [...snippets.keys()].filter((file) => file.startsWith('hooks/'));
    expect(names.length).to.be.at.least(10);
    for (const name of names) {
      const { default: factory } = (await import(pathToFileURL(path.join(folder, name)).href)) as { default: PluginFactory<unknown> };
      const options = name.includes('resolve-secrets') ? { folder: 'secrets' } : {};
      expect(
        await checkPlugin(factory, options, { cwd: folder, ...(name.includes('definition') ? { toolKeys } : {}) }),
        name,
      ).to.deep.equal([]);
    }
  });

  it('has a discover that adds a tool', async () => {
    const kit = await kitOf({ discover: {} });
    expect(((await kit.call('dice_roll', { sides: 2 })) as { rolled: number }).rolled).to.be.within(1, 2);
  });

  it('has a source whose tools are those of a server', async () => {
    const { url, requests } = await loopback(({ url: asked }, response) =>
      json(response, asked === '/shelves' ? [{ id: 'sea', about: 'Lists books about the sea.' }] : ['Moby-Dick']),
    );
    const kit = await kitOf({ source: { url } });
    expect(await kit.call('library_list_sea')).to.deep.equal(['Moby-Dick']);
    expect(requests.map((request) => request.url)).to.deep.equal(['/shelves', '/shelves/sea']);
    expect(kit.kernel.sources.list()).to.have.nested.property('[0].state', 'ready');
  });

  it('has a resolveSecrets that reads a folder', async () => {
    const kit = await kitOf(
      { 'resolve-secrets': { folder: '.' } },
      { tools: [showing('SHOP_KEY')], secrets: {} },
      { SHOP_KEY: 'twelve chars\n' },
    );
    expect(await kit.call('pay')).to.equal(12);
  });

  it('has an injectAuth that binds the token of the caller', async () => {
    const kit = await kitOf({ 'inject-auth': {} }, { tools: [tool()], secrets: { ANN_TOKEN: 'the token of ann' } });
    await kit.call('pay', {}, { caller: 'ann' });
    const [draft] = kit.effects.filter(({ plugin }) => plugin === 'account-of-caller').map(({ returned }) => returned as DraftCall);
    expect([...(draft?.credentials.keys() ?? [])]).to.deep.equal(['SHOP_TOKEN']);
  });

  it('has a beforeExecute that asks, and an approve that answers', async () => {
    const kit = await kitOf({ 'before-execute': {}, approve: {} }, { tools: [tool()] });
    expect(await kit.call('pay', { amount: 50 })).to.equal('paid to nobody');
    expect(await kit.call('pay', { amount: 500 }, { caller: 'treasurer' })).to.equal('paid to nobody');
    expect((await rejection(kit.call('pay', { amount: 500 }, { caller: 'ann' }), 'APPROVAL_DENIED')).message).to.include(
      'only the treasurer may',
    );
  });

  it('has an execute that runs a type of its own', async () => {
    const kit = await kitOf({ execute: {} }, { tools: [tool({ execution: { type: 'echo', text: 'hello' }, risk: undefined })] });
    expect(await kit.call('pay')).to.equal('hello');
  });

  it('has an executor that fills placeholders in and rates its tools', async () => {
    const { url, requests } = await loopback((_request, response) => json(response, { parcel: 7 }));
    const label = { to: '{to}', key: 'Key {DEPOT_KEY}', note: '{amount}' };
    const parcel = (action: string) =>
      tool({ name: action, execution: { type: 'parcel', depot: url, action, label }, secrets: ['DEPOT_KEY'], risk: undefined });
    // Handles are read by the copy of the kernel that made them, and tests import the sources.
    const file = pathToFileURL(path.join(await project(), 'hooks/executor.js')).href;
    const { default: executor } = (await import(file)) as { default: PluginFactory<unknown> };
    const tools = [parcel('track'), parcel('send')];
    const kit = await createSourceKit({ plugins: [executor({})], tools, secrets: { DEPOT_KEY: 'key of the depot' } });
    kits.push(kit);
    expect(await kit.call('track', { to: 'Ada' })).to.deep.equal({ parcel: 7 });
    expect(JSON.parse(requests[0]?.body ?? '')).to.deep.equal({ to: 'Ada', key: 'Key key of the depot' });
    expect(['track', 'send'].map((name) => kit.kernel.registry.tools.get(name)?.risk)).to.deep.equal(['low', 'high']);
  });

  it('has an executor that refuses a placeholder that is no parameter', async () => {
    const execution = { type: 'parcel', depot: 'https://depot.example', action: 'track', label: '{tto}' };
    const kit = await kitOf({ executor: {} }, { tools: [tool({ execution })] });
    expect(kit.kernel.registry.problems.map(({ message }) => message).join()).to.include('{tto}');
  });

  it('has a validateOutput that redacts', async () => {
    const kit = await kitOf({ 'validate-output': {} }, { tools: [tool()] });
    expect(await kit.call('pay', { to: '+4915112345678' })).to.equal('paid to [phone]');
  });

  it('has a settled that counts', async () => {
    const kit = await kitOf({ settled: {} }, { tools: [tool()] });
    await kit.call('pay');
    await rejection(kit.call('no_such_tool'), 'TOOL_NOT_FOUND');
    expect(kit.kernel.status()).to.deep.include({ calls: { completed: 1, TOOL_NOT_FOUND: 1 } });
  });

  it('has a tracer, and a plugin with a span of its own within that of the call', async () => {
    const kit = await kitOf({ tracer: {}, span: {} }, { tools: [tool()] });
    const traceId = '0af7651916cd43dd8448eb211c80319c';
    await kit.call('pay', {}, { trace: { traceparent: `00-${traceId}-b7ad6b7169203331-01` } });
    const spans = kit.log.filter(({ meta }) => meta?.['traceId'] === traceId);
    expect(spans.map(({ message }) => message)).to.have.members(['stock.look', 'toolkit.stage beforeExecute', 'execute_tool pay']);
    expect(spans.find(({ message }) => message === 'execute_tool pay')?.meta).to.include({ 'gen_ai.tool.name': 'pay', 'stock.count': 7 });
  });

  it('has a listener to approvals with a gauge, which is unknown where no plugin keeps records', async () => {
    const kit = await kitOf({ 'approval-events': {} }, { tools: [tool()] });
    const gauge = kit.kernel.gauges.find(({ name }) => name === 'desk.waiting');
    expect(gauge).to.include({ unit: '{question}' });
    expect(await gauge?.read()).to.equal(undefined);
  });

  it('has a serve that answers, and a dispose that ends it', async () => {
    const kit = await kitOf({ serve: {} }, { tools: [tool()] });
    const [server] = await kit.kernel.serve();
    expect(await (await fetch(server?.url ?? '')).json()).to.deep.equal({ tools: 1 });
    await kit.close();
    expect(await fetch(server?.url ?? '').catch(() => 'closed')).to.equal('closed');
  });

  it('has a source of credentials that gives a caller its card, and asks the others to get one', async () => {
    const kit = await kitOf(
      { 'credential-source': {} },
      { tools: [showing('LIBRARY_TOKEN')], secrets: { LIBRARY_TOKEN: 'of the operator' } },
    );
    expect(await kit.call('pay', {}, { caller: 'ann' })).to.equal('card-4711-of-ann'.length);
    const error = await rejection(kit.call('pay', {}, { caller: 'bea' }), 'AUTH_REQUIRED');
    expect(error.message).to.include('"bea" has no card');
  });

  it('has a definition key that is enforced', async () => {
    const kit = await kitOf({ 'definition-key': {} }, { tools: [tool({ daily_budget: { calls: 1 } })] });
    await kit.call('pay');
    expect((await rejection(kit.call('pay'), 'RATE_LIMITED')).message).to.include('(1 calls) is used up');
    const wrong = await kitOf({ 'definition-key': {} }, { tools: [tool({ daily_budget: { calls: 0 } })] });
    expect(wrong.kernel.registry.problems[0]?.path).to.equal('daily_budget.calls');
  });
});
