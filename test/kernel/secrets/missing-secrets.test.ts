import { expect } from 'chai';
import type { Plugin } from '../../../kernel/index.ts';
import { credentialsPlaceholder } from '../../../plugins/credentials-placeholder/index.ts';
import { executorFunction, type FunctionContext } from '../../../plugins/executor-function/index.ts';
import { executorHttp } from '../../../plugins/executor-http/index.ts';
import { secretsEnv } from '../../../plugins/secrets-env/index.ts';
import { type LogRecord, memoryLogger } from '../../../plugins/toolkit/testing.ts';
import { source } from '../../plugins/mcp/support/client.ts';
import { rejection } from '../../support/rejection.ts';
import { bareKernel, echoTool, testKernel } from '../../support/test-kernel.ts';
import { resolver } from './chain-kernel.ts';

const mapping = [
  { parameter: 'POST_KEY', env_pattern: 'POST_KEY' },
  { parameter: 'account', env_pattern: 'POST_ACCOUNT' },
  { parameter: 'sender', env_pattern: 'POST_SENDER', required: false },
  { parameter: 'HOST', env_pattern: 'POST_HOST', secret: false, unless: 'URL' },
  { parameter: 'URL', env_pattern: 'POST_URL', required: false },
  { parameter: 'CENTRE', env_pattern: 'POST_CENTRE', secret: false, derive_from: { parameter: 'POST_KEY', pattern: '-(\\w+)$' } },
];

const post = { provider: { name: 'post' }, parameter_mapping: mapping };

/** A tool whose request is made of these placeholders. */
const http = (text: string, more: object = {}): Readonly<Record<string, unknown>> => ({
  name: 'post_send',
  description: 'Sends.',
  provider: 'post',
  execution: { type: 'http', method: 'get', url: 'https://post.example/', headers: { 'x-text': text } },
  ...more,
});

const asking = echoTool({
  name: 'ask',
  parameters: { names: { type: 'array', items: { type: 'string' }, required: true } },
  execution: {
    type: 'function',
    handler: async ({ names }: { names: string[] }, { tools }: FunctionContext) => Object.fromEntries(await tools.missingSecrets(names)),
  },
});

interface World {
  readonly tool?: Readonly<Record<string, unknown>>;
  readonly resolvers?: readonly Plugin[];
  readonly provider?: unknown;
}

async function world({ tool = http('{POST_KEY}'), resolvers = [], provider = post }: World = {}) {
  const logger = memoryLogger();
  const kernel = await testKernel({
    plugins: [executorHttp(), credentialsPlaceholder(), ...resolvers],
    tools: [tool, asking],
    providers: [provider],
    logger,
  });
  const missing = (names = ['post_send'], options = {}) => kernel.execute('ask', { names }, options);
  const warnings = (): readonly LogRecord[] => logger.records.filter(({ level }) => level === 'warn');
  return { kernel, missing, warnings };
}

const failing = (answer = (): unknown => Promise.reject(new Error('no connection'))) => resolver({}, { name: 'failing', answer });

describe('the secrets that a tool lacks', () => {
  const cases: readonly {
    readonly title: string;
    readonly tool: Readonly<Record<string, unknown>>;
    readonly env?: Readonly<Record<string, string>>;
    readonly lacks: readonly string[];
  }[] = [
    { title: 'none where it needs none', tool: http('plain'), lacks: [] },
    { title: 'a placeholder that is named like a secret', tool: http('{POST_KEY}'), lacks: ['POST_KEY'] },
    { title: 'none that the environment has', tool: http('{POST_KEY}'), env: { POST_KEY: 'k' }, lacks: [] },
    { title: 'none that it has under the name of this service', tool: http('{POST_KEY}'), env: { TOOLKIT_POST_KEY: 'k' }, lacks: [] },
    { title: 'one whose value is empty', tool: http('{POST_KEY}'), env: { POST_KEY: '' }, lacks: ['POST_KEY'] },
    { title: 'a mapped one, by the name in the chain', tool: http('{account}'), env: { account: 'a' }, lacks: ['POST_ACCOUNT'] },
    { title: 'no mapped one that is there', tool: http('{account}'), env: { POST_ACCOUNT: 'a' }, lacks: [] },
    { title: 'none that it can do without', tool: http('{sender}'), lacks: [] },
    { title: 'one that another could take the place of', tool: http('{HOST} {URL}'), lacks: ['POST_HOST'] },
    { title: 'none that another takes the place of', tool: http('{HOST} {URL}'), env: { POST_URL: 'u' }, lacks: [] },
    { title: 'only the one that would hold another', tool: http('{CENTRE} {POST_KEY}'), lacks: ['POST_KEY'] },
    { title: 'none that another holds', tool: http('{CENTRE} {POST_KEY}'), env: { POST_KEY: 'k-eu' }, lacks: [] },
    { title: 'one that the other does not hold', tool: http('{CENTRE} {POST_KEY}'), env: { POST_KEY: 'k' }, lacks: ['POST_CENTRE'] },
    {
      title: 'those that a function names, each once',
      tool: { ...echoTool({ name: 'post_send', secrets: ['POST_KEY', 'POST_SECRET'] }), provider: 'post' },
      env: { POST_SECRET: '1' },
      lacks: ['POST_KEY'],
    },
  ];
  for (const { title, tool, env = {}, lacks } of cases) {
    it(`are ${title}`, async () => {
      const { kernel, missing } = await world({ tool, resolvers: [secretsEnv({ env })] });
      expect(await missing()).to.deep.equal(lacks.length === 0 ? {} : { post_send: lacks });
      const error = await kernel.execute('post_send').then(
        () => undefined,
        (thrown: { code: string; details: { secret?: string } }) => thrown,
      );
      if (lacks.length > 0)
        expect(error).to.deep.include({ code: 'MISSING_PARAMETER' }).and.have.nested.property('details.secret', lacks[0]);
      else expect(error?.code).to.not.equal('MISSING_PARAMETER');
    });
  }

  it('have the names that an operator gave them', async () => {
    const provider = { ...post, parameter_mapping: [{ parameter: 'POST_KEY', env_pattern: 'OUR_KEY' }] };
    expect(await (await world({ provider })).missing()).to.deep.equal({ post_send: ['OUR_KEY'] });
  });

  it('are those that no resolver of the chain has', async () => {
    const resolvers = [resolver({ POST_KEY: 'k' }, { name: 'first' }).plugin, resolver({ POST_SECRET: 'p' }, { name: 'second' }).plugin];
    const { missing } = await world({ tool: http('{POST_KEY} {POST_SECRET} {POST_AUTH}'), resolvers });
    expect(await missing()).to.deep.equal({ post_send: ['POST_AUTH'] });
  });

  it('are not told while a resolver fails, and the log says so', async () => {
    const { missing, warnings } = await world({ tool: http('{POST_KEY} {POST_SECRET}'), resolvers: [failing().plugin] });
    expect(await missing()).to.deep.equal({});
    expect(warnings()).to.have.lengthOf(1);
    expect(warnings()[0]?.message).to.include('it is not known which secrets are missing').and.include('no connection');
  });

  it('are not told of a tool of which one secret is not known', async () => {
    const resolvers = [resolver({ POST_SECRET: 'p' }, { name: 'first' }).plugin, failing().plugin];
    const { missing } = await world({ tool: http('{POST_KEY} {POST_SECRET}'), resolvers });
    expect(await missing()).to.deep.equal({});
  });

  it('are asked for in one batch, and again after ten seconds at the earliest', async () => {
    let now = 1_000_000;
    const values: Record<string, string> = {};
    const store = resolver(values);
    const plugins = [executorFunction(), credentialsPlaceholder(), store.plugin];
    const tools = [asking, ...['A', 'B'].map((name) => echoTool({ name, secrets: [`SHOP_${name}`] }))];
    const fill = source((sink) => tools.forEach((tool) => void sink.addTool(tool, { trust: 'operator' })));
    const kernel = await bareKernel({ plugins: [...plugins, fill], now: () => now });
    const missing = () => kernel.execute('ask', { names: ['A', 'B'] });
    expect(await Promise.all([missing(), missing()])).to.deep.equal(Array(2).fill({ A: ['SHOP_A'], B: ['SHOP_B'] }));
    values['SHOP_A'] = 'a';
    now += 9_999;
    expect(await missing()).to.deep.equal({ A: ['SHOP_A'], B: ['SHOP_B'] });
    now += 1;
    expect(await missing()).to.deep.equal({ B: ['SHOP_B'] });
    expect(store.asked.map(({ names }) => names)).to.deep.equal([
      ['SHOP_A', 'SHOP_B'],
      ['SHOP_A', 'SHOP_B'],
    ]);
  });

  it('are known at once when a call has found one', async () => {
    const values: Record<string, string> = {};
    const { kernel, missing } = await world({
      tool: { ...echoTool({ name: 'post_send', secrets: ['POST_KEY'] }), provider: 'post' },
      resolvers: [resolver(values).plugin],
    });
    expect(await missing()).to.deep.equal({ post_send: ['POST_KEY'] });
    values['POST_KEY'] = 'k';
    await kernel.execute('post_send');
    expect(await missing()).to.deep.equal({});
  });

  it('are told of no tool that the caller may not see', async () => {
    const { missing } = await world();
    const isVisible = ({ name }: { name: string }): boolean => name === 'ask';
    await rejection(missing(['post_send'], { isVisible }) as Promise<unknown>, 'TOOL_NOT_FOUND');
  });
});
