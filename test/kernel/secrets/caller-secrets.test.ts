import { expect } from 'chai';
import { type CredentialsOf, definePlugin, type Kernel } from '../../../kernel/index.ts';
import { cacheResults } from '../../../plugins/cache-results/index.ts';
import { credentialsPlaceholder } from '../../../plugins/credentials-placeholder/index.ts';
import { executorHttp } from '../../../plugins/executor-http/index.ts';
import { type LogRecord, memoryLogger } from '../../../plugins/toolkit/testing.ts';
import { loopback, type SeenRequest } from '../../support/loopback.ts';
import { rejection } from '../../support/rejection.ts';
import { testKernel } from '../../support/test-kernel.ts';
import { type Resolver, resolver } from './chain-kernel.ts';

interface Shop {
  readonly kernel: Kernel;
  readonly requests: readonly SeenRequest[];
  readonly records: readonly LogRecord[];
  readonly store: Resolver;
  /** Pays in the name of a caller; gives what the service says. */
  pay(caller: string, credentials?: Readonly<Record<string, string>>): Promise<unknown>;
}

const operators = { SHOP_TOKEN: 'token-of-the-operator', SHOP_ACCOUNT: 'account-of-the-operator' };

const ownOf = (name: string) => ({ SHOP_TOKEN: `token-of-${name}-Zq7`, SHOP_ACCOUNT: `account-of-${name}` });

/** A shop that shows the token it was sent, but not in its list, and refuses those that begin with `old`. */
async function shop(credentialsOf: CredentialsOf): Promise<Shop> {
  const { url, requests } = await loopback((request, response) => {
    const status = String(request.headers['x-token']).startsWith('old') ? 401 : 200;
    response.writeHead(status, { 'content-type': 'application/json' });
    const isList = request.url?.startsWith('/list') === true;
    response.end(isList ? '[]' : JSON.stringify({ token: request.headers['x-token'], url: request.url, also: request.headers['x-also'] }));
  });
  const logger = memoryLogger();
  const store = resolver(operators);
  const execution = { type: 'http', method: 'get', url: `${url}/{account}`, headers: { 'X-Token': '{SHOP_TOKEN}', 'X-Also': '{also}' } };
  const parameters = { also: { type: 'string' } };
  const talker = definePlugin({
    name: 'talker',
    apiVersion: 1,
    // Writes about a call without saying so, and with more in it than it should.
    apply: (api) =>
      api.hooks.execute
        .for('http')
        .tap({ name: 'talker', stage: -2000 }, ({ caller }) => api.logger.info(`sends ${ownOf(caller).SHOP_TOKEN}`) as undefined),
  });
  const kernel = await testKernel({
    logger,
    providers: [{ provider: { name: 'shop' }, parameter_mapping: [{ parameter: 'account', env_pattern: 'SHOP_ACCOUNT', secret: false }] }],
    tools: [
      { name: 'shop_pay', description: 'Pays.', provider: 'shop', parameters, execution },
      {
        name: 'shop_list',
        description: 'Lists.',
        provider: 'shop',
        parameters,
        execution: { ...execution, url: `${url}/list/{account}` },
        cache: { ttl_ms: 60_000 },
        annotations: { readOnlyHint: true },
      },
      {
        name: 'call_another',
        description: 'Calls another tool.',
        parameters: {},
        execution: {
          type: 'function',
          handler: async (_: unknown, { tools }: { tools: { call(name: string, given: object): Promise<{ output: unknown }> } }) =>
            (await tools.call('shop_pay', {})).output,
        },
      },
      {
        name: 'what_is_missing',
        description: 'Says what tools lack.',
        parameters: {},
        execution: {
          type: 'function',
          handler: async (
            _: unknown,
            { tools }: { tools: { missingSecrets(names: readonly string[]): Promise<ReadonlyMap<string, unknown>> } },
          ) => Object.fromEntries(await tools.missingSecrets(['shop_pay'])),
        },
      },
    ],
    plugins: [store.plugin, credentialsPlaceholder({ credentialsOf }), cacheResults(), executorHttp(), talker()],
  });
  // What the operator has is there to be mixed up with.
  await kernel.resolveSecrets();
  return {
    kernel,
    requests,
    records: logger.records,
    store,
    pay: (caller, credentials = {}) => kernel.execute('shop_pay', {}, { caller, credentials, origin: 'model' }),
  };
}

const table: Readonly<Record<string, ReturnType<typeof ownOf>>> = { ann: ownOf('ann'), bea: ownOf('bea') };
const byTable: CredentialsOf = (caller) => (caller === 'operator' ? 'chain' : table[caller]);

describe('credentials of a caller', () => {
  it('are what its calls are made with, many at the same time, and those of the chain where it says so', async () => {
    // Answers in another order than questions.
    const { kernel, requests } = await shop(async (caller) => {
      for (let turns = caller === 'ann' ? 3 : 0; turns > 0; turns--) await new Promise(setImmediate);
      return byTable(caller);
    });
    const callers = Array.from({ length: 60 }, (_, index) => ['ann', 'bea', 'operator'][index % 3] ?? '');
    const outputs = await Promise.all(callers.map((caller) => kernel.execute('shop_pay', { also: caller }, { caller, origin: 'model' })));
    expect(requests).to.have.length(60);
    for (const { url, headers } of requests) {
      const caller = String(headers['x-also']);
      const { SHOP_TOKEN, SHOP_ACCOUNT } = caller === 'operator' ? operators : ownOf(caller);
      expect([url, headers['x-token']]).to.deep.equal([`/${SHOP_ACCOUNT}`, SHOP_TOKEN]);
    }
    for (const [index, output] of outputs.entries()) expect(output).to.include({ token: '[secret SHOP_TOKEN]', also: callers[index] });
  });

  it('reach the tools that its tools call', async () => {
    const { kernel, requests } = await shop(byTable);
    await kernel.execute('call_another', {}, { caller: 'bea', origin: 'model' });
    expect(requests[0]?.headers['x-token']).to.equal(ownOf('bea').SHOP_TOKEN);
  });

  const unknown = { 'an unknown caller': 'eve', 'a name that every object has': 'constructor' };
  for (const [what, caller] of Object.entries(unknown))
    it(`are none for ${what}, and never those of the chain`, async () => {
      const { pay, requests } = await shop((name) => (Object.hasOwn(table, name) ? table[name] : undefined));
      const error = await rejection(pay(caller) as Promise<never>, 'MISSING_PARAMETER');
      expect(error.message).to.include(`The caller "${caller}" uses nothing of the resolver chain, and was given no SHOP_ACCOUNT`);
      expect(requests).to.deep.equal([]);
    });

  it('are not filled up from the chain where some are missing', async () => {
    const { pay, requests } = await shop(() => ({ SHOP_ACCOUNT: 'account-of-eve' }));
    const error = await rejection(pay('eve') as Promise<never>, 'MISSING_PARAMETER');
    expect(error.details).to.include({ parameter: 'SHOP_TOKEN' });
    expect(requests).to.deep.equal([]);
  });

  it('yield to what host code gives with one call', async () => {
    const { kernel, requests } = await shop(byTable);
    await kernel.execute('shop_pay', {}, { caller: 'ann', credentials: { SHOP_TOKEN: 'token-of-this-call' } });
    expect(requests[0]).to.nested.include({ 'headers.x-token': 'token-of-this-call', url: '/account-of-ann' });
  });

  it('are not renewed from the chain when the service refuses them', async () => {
    const { pay, requests, store } = await shop(() => ({ ...ownOf('ann'), SHOP_TOKEN: 'old-token-of-ann' }));
    await rejection(pay('ann') as Promise<never>, 'AUTH_FAILED');
    expect(requests.map(({ headers }) => headers['x-token'])).to.deep.equal(['old-token-of-ann']);
    expect(store.asked.filter(({ isFresh }) => isFresh)).to.deep.equal([]);
  });

  it('are masked for that caller while a call runs, in its answers and every log, and afterwards and for others not', async () => {
    const { kernel, pay, records } = await shop(byTable);
    expect(JSON.stringify(await pay('ann'))).to.not.include('token-of-ann');
    const said = records.map(({ message }) => message).filter((message) => message.startsWith('sends'));
    expect(said).to.deep.equal(['sends [secret SHOP_TOKEN]']);
    // Whoever sees a value masked knows that he has guessed it.
    const guess = ownOf('ann').SHOP_TOKEN;
    expect(await kernel.execute('shop_pay', { also: guess }, { caller: 'bea', origin: 'model' })).to.include({ also: guess });
    expect(kernel.mask(guess)).to.equal(guess);
  });

  it('keep what is cached apart, and share it among the calls of one caller while they stay the same', async () => {
    let bea = ownOf('bea');
    const { kernel, requests } = await shop((caller) => (caller === 'bea' ? bea : table[caller]));
    const list = (caller: string): Promise<unknown> => kernel.execute('shop_list', { also: 'x' }, { caller, origin: 'model' });
    const own = { SHOP_TOKEN: 'xxxxxxxx' };
    for (const caller of ['ann', 'bea', 'ann', 'bea']) await list(caller);
    expect(requests).to.have.length(2);
    bea = { ...bea, ...own };
    await list('bea');
    expect(requests.map(({ headers }) => headers['x-token'])).to.deep.equal([ownOf('ann').SHOP_TOKEN, ownOf('bea').SHOP_TOKEN, 'xxxxxxxx']);
  });

  it('decide what tools say that they lack', async () => {
    const { kernel } = await shop((caller) => (caller === 'ann' ? {} : byTable(caller)));
    const missing = (caller: string): Promise<unknown> => kernel.execute('what_is_missing', {}, { caller, origin: 'model' });
    expect(await missing('ann')).to.deep.equal({ shop_pay: ['SHOP_ACCOUNT', 'SHOP_TOKEN'] });
    expect(await missing('bea')).to.deep.equal({});
    expect(await missing('operator')).to.deep.equal({});
  });

  const broken: Readonly<Record<string, { readonly of: CredentialsOf; readonly told: string }>> = {
    throws: {
      of: () => {
        throw new Error('the vault is sealed');
      },
      told: 'the vault is sealed',
    },
    rejects: { of: () => Promise.reject(new Error('the vault is sealed')), told: 'the vault is sealed' },
    'gives a text': { of: () => 'SHOP_TOKEN=secret-value' as never, told: 'of type string' },
    'gives a number as a value': { of: () => ({ SHOP_TOKEN: 123_456 }) as never, told: 'of type number as SHOP_TOKEN' },
    'gives a map': { of: () => new Map() as never, told: 'of type object' },
  };
  for (const [what, { of, told }] of Object.entries(broken))
    it(`are not known, and nothing is sent, where the plugin ${what}`, async () => {
      const { pay, requests } = await shop(of);
      const error = await rejection(pay('ann') as Promise<never>, 'SECRET_STORE_UNAVAILABLE');
      expect(error.message).to.include(told).and.not.include('secret-value').and.not.include('123456');
      expect(error.message).to.include('caller "ann"');
      expect(requests).to.deep.equal([]);
    });

  it('come from one plugin only, and from a function', async () => {
    const other = definePlugin({ name: 'other', apiVersion: 1, apply: (api) => api.extend.callerCredentials(() => 'chain') });
    await rejection(testKernel({ plugins: [credentialsPlaceholder({ credentialsOf: byTable }), other()] }), 'PLUGIN_INVALID');
    await rejection(testKernel({ plugins: [credentialsPlaceholder({ credentialsOf: 'ann' as never })] }), 'PLUGIN_INVALID');
  });
});
