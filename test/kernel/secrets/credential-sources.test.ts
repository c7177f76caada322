import { expect } from 'chai';
import {
  apiVersion,
  type CallerCredentials,
  type CredentialSource,
  definePlugin,
  type ErrorCode,
  type Plugin,
  ToolkitError,
} from '../../../kernel/index.ts';
import { rejection } from '../../support/rejection.ts';
import { resolver } from './chain-kernel.ts';
import { type Answer, noAccount, source, sourcedKernel, type TestSource } from './sourced-kernel.ts';

/** The plugin of a source with other members. */
function pluginOf(given: Partial<CredentialSource>): Plugin {
  const whole = { provides: () => true, find: () => new Map(), ...given };
  return definePlugin({ name: 'accounts', apiVersion, apply: ({ extend }) => extend.callerCredentials(whole) })();
}

const value = (text: string): Answer => ({ value: text });

describe('sources of callers’ credentials', () => {
  interface Combination {
    readonly first?: Answer;
    readonly second?: Answer;
    /** The record of the caller; undefined without a plugin that gives records. */
    readonly record?: CallerCredentials;
    readonly chain?: string;
    readonly own?: string;
    readonly gives: string | ErrorCode;
    /** Part of the message of the error. */
    readonly says?: string;
    /** Which sources are asked. */
    readonly asks: readonly ('first' | 'second')[];
  }
  const both = ['first', 'second'] as const;
  const combinations: Readonly<Record<string, Combination>> = {
    'a value of the first source': {
      first: value('of-first'),
      second: value('of-second'),
      chain: 'of-chain',
      gives: 'of-first',
      asks: ['first'],
    },
    'a value of a later source': { second: value('of-second'), chain: 'of-chain', gives: 'of-second', asks: both },
    'a value of a later source where the first lacks it': {
      first: noAccount('mail'),
      second: value('of-second'),
      gives: 'of-second',
      asks: both,
    },
    'the chain where no source answers': { chain: 'of-chain', gives: 'of-chain', asks: both },
    'the chain where sources lack it': {
      first: noAccount('mail'),
      second: noAccount('post'),
      chain: 'of-chain',
      gives: 'of-chain',
      asks: both,
    },
    'no chain after a final answer': {
      first: noAccount('mail', true),
      chain: 'of-chain',
      gives: 'AUTH_REQUIRED',
      says: '/connect/mail',
      asks: ['first'],
    },
    'no chain after a final answer of a later source': {
      ...{ first: noAccount('mail'), second: noAccount('post', true), chain: 'of-chain' },
      ...{ gives: 'AUTH_REQUIRED', says: '/connect/post', asks: both },
    },
    'the error of the first source that lacks it': {
      ...{ first: noAccount('mail'), second: noAccount('post'), gives: 'AUTH_REQUIRED', says: '/connect/mail', asks: both },
    },
    'MISSING_PARAMETER where no source answers': {
      gives: 'MISSING_PARAMETER',
      says: 'Set the environment variable MAIL_TOKEN',
      asks: both,
    },
    'the record of the caller': { record: { MAIL_TOKEN: 'of-record' }, first: value('of-first'), gives: 'of-record', asks: [] },
    'a source where the record lacks it': { record: {}, second: value('of-second'), chain: 'of-chain', gives: 'of-second', asks: both },
    'no chain for a caller with a record': {
      ...{ record: {}, first: noAccount('mail'), chain: 'of-chain', gives: 'AUTH_REQUIRED', says: '/connect/mail', asks: both },
    },
    'no chain for a caller with a record and silent sources': {
      ...{ record: {}, chain: 'of-chain', gives: 'MISSING_PARAMETER', says: 'uses nothing of the resolver chain', asks: both },
    },
    'a source before the chain where the record says chain': {
      record: 'chain',
      first: value('of-first'),
      chain: 'of-chain',
      gives: 'of-first',
      asks: ['first'],
    },
    'the chain where the record says chain and sources are silent': { record: 'chain', chain: 'of-chain', gives: 'of-chain', asks: both },
    'what came with the call': {
      own: 'of-call',
      record: { MAIL_TOKEN: 'of-record' },
      first: value('of-first'),
      gives: 'of-call',
      asks: [],
    },
  };
  for (const [what, { first, second, record, chain, own, gives, says, asks }] of Object.entries(combinations))
    it(`give a call ${what}`, async () => {
      const sources: Record<string, TestSource> = {
        first: source({ MAIL_TOKEN: () => first }, { name: 'first' }),
        second: source({ MAIL_TOKEN: () => second }, { name: 'second' }),
      };
      const store = resolver(chain === undefined ? {} : { MAIL_TOKEN: chain });
      const plugins = [...Object.values(sources).map(({ plugin }) => plugin), store.plugin];
      const { use } = await sourcedKernel(plugins, record === undefined ? {} : { credentialsOf: () => record });
      const credentials = own === undefined ? {} : { MAIL_TOKEN: own };
      const used = use({ tool: 'mail_send', caller: 'ann', credentials });
      if (says === undefined) expect(await used).to.deep.equal({ MAIL_TOKEN: gives });
      else
        expect(await rejection(used, gives as ErrorCode))
          .to.have.property('message')
          .that.includes(says);
      expect(Object.entries(sources).flatMap(([name, { asked }]) => (asked.length > 0 ? [name] : []))).to.deep.equal(asks);
      const isAnswered = [first, second].some((answer) => answer !== undefined && (!('missing' in answer) || answer.isFinal === true));
      const asksChain = !isAnswered && own === undefined && typeof record !== 'object';
      expect(store.asked).to.have.length(asksChain ? 1 : 0);
    });

  it('are asked for the caller, the tenant and the tool, in one request for all names that they provide', async () => {
    const accounts = source({ MAIL_TOKEN: () => value('token'), MAIL_KEY: () => value('host') });
    const store = resolver({ LIST_KEY: 'key' });
    const tools = { mail_send: '{MAIL_TOKEN} {MAIL_KEY} {LIST_KEY}' };
    const { use } = await sourcedKernel([accounts.plugin, store.plugin], { tools });
    expect(await use({ tool: 'mail_send', caller: 'ann', tenant: 'acme' })).to.deep.equal({
      MAIL_TOKEN: 'token',
      MAIL_KEY: 'host',
      LIST_KEY: 'key',
    });
    expect(accounts.asked).to.have.length(1);
    const { names, tool, caller, tenant, refused, signal } = accounts.asked[0] ?? {};
    expect([[...(names ?? [])].sort(), tool?.name, caller, tenant, refused]).to.deep.equal([
      ['MAIL_KEY', 'MAIL_TOKEN'],
      'mail_send',
      'ann',
      'acme',
      undefined,
    ]);
    expect(signal).to.be.instanceOf(AbortSignal);
    expect(store.asked.map(({ names }) => names)).to.deep.equal([['LIST_KEY']]);
  });

  it('are not asked for tools without their names', async () => {
    const accounts = source({ MAIL_TOKEN: () => value('token') });
    const tools = { list_all: '{LIST_KEY}', plain: 'no credential' };
    const { use } = await sourcedKernel([accounts.plugin, resolver({ LIST_KEY: 'key' }).plugin], { tools });
    expect(await use({ tool: 'list_all' })).to.deep.equal({ LIST_KEY: 'key' });
    expect(await use({ tool: 'plain' })).to.deep.equal({});
    expect(accounts.asked).to.deep.equal([]);
  });

  it('give each of many concurrent callers of two tenants its own value', async () => {
    const accounts = source({ MAIL_TOKEN: ({ caller, tenant }) => value(`token of ${tenant}/${caller}`) });
    const { use } = await sourcedKernel([accounts.plugin]);
    const callers = Array.from({ length: 60 }, (_, index) => ({
      tenant: index % 2 === 0 ? 'acme' : 'globex',
      caller: `caller ${index % 7}`,
    }));
    const used = await Promise.all(callers.map((owner) => use({ tool: 'mail_send', ...owner })));
    expect(used).to.deep.equal(callers.map(({ tenant, caller }) => ({ MAIL_TOKEN: `token of ${tenant}/${caller}` })));
  });

  it('are asked for the caller and tenant of the outer call by the calls of its tool', async () => {
    const accounts = source({ MAIL_TOKEN: ({ caller, tenant }) => value(`token of ${tenant}/${caller}`) });
    const { call } = await sourcedKernel([accounts.plugin], { tools: { outer: 'none', mail_send: '{MAIL_TOKEN}' } });
    await call({ tool: 'outer', parameters: { inner: 'mail_send' }, caller: 'ann', tenant: 'acme', origin: 'model' });
    expect(accounts.asked.map(({ caller, tenant, tool }) => [caller, tenant, tool.name])).to.deep.equal([['ann', 'acme', 'mail_send']]);
  });

  it('have no say where the credential has an alternative, and their error where there is none', async () => {
    const accounts = source({ MAIL_TOKEN: () => noAccount('mail', true) });
    const plugin = definePlugin({
      name: 'either',
      apiVersion,
      apply: ({ hooks }) =>
        hooks.discover.tap('either', (sink) => {
          sink.addProvider({
            provider: { name: 'mail' },
            parameter_mapping: [
              { parameter: 'token', env_pattern: 'MAIL_TOKEN', unless: 'key' },
              { parameter: 'key', env_pattern: 'MAIL_KEY', required: false },
            ],
          });
          sink.addTool(
            { name: 'mail_list', description: 'Lists.', parameters: {}, execution: { type: 'take', text: '{token} {key}' } },
            {},
            'mail',
          );
        }),
    })();
    const values: Record<string, string> = { MAIL_KEY: 'key-of-chain' };
    const withKey = await sourcedKernel([accounts.plugin, plugin, resolver(values).plugin]);
    expect(await withKey.use({ tool: 'mail_list' })).to.deep.equal({ key: 'key-of-chain' });
    const without = await sourcedKernel([accounts.plugin, plugin, resolver({}).plugin]);
    const error = await rejection(without.call({ tool: 'mail_list' }), 'AUTH_REQUIRED');
    expect(error.details).to.include({ provider: 'mail', url: 'https://here.test/connect/mail', tool: 'mail_list', secret: 'MAIL_TOKEN' });
  });

  const failures: Readonly<Record<string, { readonly given: Partial<CredentialSource>; readonly code: ErrorCode; readonly says: string }>> =
    {
      throws: {
        given: {
          find: () => {
            throw new Error(`the database is away ${'x'.repeat(1000)}`);
          },
        },
        code: 'SECRET_STORE_UNAVAILABLE',
        says: 'plugin "accounts" failed: the database is away',
      },
      'throws an error of its own': {
        given: { find: () => Promise.reject(new ToolkitError('STATE_UNAVAILABLE', 'The store is full.')) },
        code: 'STATE_UNAVAILABLE',
        says: 'The store is full.',
      },
      'gives an object': {
        given: { find: () => ({ MAIL_TOKEN: { value: 'secret-value' } }) as never },
        code: 'SECRET_STORE_UNAVAILABLE',
        says: 'type object, expected a map',
      },
      'gives a text': {
        given: { find: () => new Map([['MAIL_TOKEN', 'secret-value']]) as never },
        code: 'SECRET_STORE_UNAVAILABLE',
        says: 'type string, expected { value }',
      },
      'gives an empty value': {
        given: { find: () => new Map([['MAIL_TOKEN', { value: '' }]]) },
        code: 'SECRET_STORE_UNAVAILABLE',
        says: 'a "value" of no characters',
      },
      'gives a number as value': {
        given: { find: () => new Map([['MAIL_TOKEN', { value: 12345678 as never }]]) },
        code: 'SECRET_STORE_UNAVAILABLE',
        says: 'a "value" of type number',
      },
      'gives a life that is no time': {
        given: { find: () => new Map([['MAIL_TOKEN', { value: 'secret-value', deadAfterMs: Number.NaN }]]) },
        code: 'SECRET_STORE_UNAVAILABLE',
        says: 'a "deadAfterMs" of type',
      },
      'gives a lack without an error': {
        given: { find: () => new Map([['MAIL_TOKEN', { missing: 'no' as never }]]) },
        code: 'SECRET_STORE_UNAVAILABLE',
        says: 'expected a ToolkitError',
      },
      'does not know what it provides': {
        given: {
          provides: () => {
            throw new Error('not loaded');
          },
        },
        code: 'PLUGIN_FAILED',
        says: 'Plugin "accounts" failed to say which secrets it provides: not loaded',
      },
    };
  for (const [what, { given, code, says }] of Object.entries(failures))
    it(`end the call and never fall back to the chain where one ${what}`, async () => {
      const { use } = await sourcedKernel([pluginOf(given), resolver({ MAIL_TOKEN: 'of-chain' }).plugin]);
      const error = await rejection(use({ tool: 'mail_send', caller: 'ann' }), code);
      expect(error.message).to.include(says).and.not.include('secret-value').and.not.include('12345678');
      expect(error.message).to.have.length.below(500);
      expect(error.details).to.include({ plugin: 'accounts' });
    });

  it('are added during apply alone', async () => {
    let late: (() => void) | undefined;
    const plugin = definePlugin({
      name: 'late',
      apiVersion,
      apply: ({ extend }) => {
        late = () => extend.callerCredentials({ provides: () => true, find: () => new Map() });
      },
    })();
    await sourcedKernel([plugin]);
    expect(() => late?.()).to.throw(ToolkitError, 'after apply()');
  });
});
