import { expect } from 'chai';
import { apiVersion, type CallEnd, definePlugin, type Plugin, revealSecret } from '../../../kernel/index.ts';
import { rejection } from '../../support/rejection.ts';
import { resolver } from './chain-kernel.ts';
import { type Answer, noAccount, source, sourcedKernel } from './sourced-kernel.ts';

const token = 'token-of-ann-Zq7xK2';
const value: Answer = { value: token, account: { provider: 'mail', name: 'work' } };

/** A plugin that keeps the ends of calls. */
function ends(): { readonly plugin: Plugin; readonly seen: CallEnd[] } {
  const seen: CallEnd[] = [];
  const plugin = definePlugin({
    name: 'ends',
    apiVersion,
    apply: ({ hooks }) => hooks.settled.tap('ends', (end) => void seen.push(end)),
  })();
  return { plugin, seen };
}

describe('values of a source', () => {
  it('are masked in the output, the error and every log line while the call runs, and for others not', async () => {
    const talker: Plugin = definePlugin({
      name: 'talker',
      apiVersion,
      apply: (api) =>
        api.hooks.execute.for('take').tap({ name: 'talker', stage: -10 }, () => api.logger.info(`sends ${token}`) as undefined),
    })();
    const accounts = source({ MAIL_TOKEN: ({ caller }) => (caller === 'ann' ? value : { value: 'token-of-bea-9fW' }) });
    const { kernel, call, records } = await sourcedKernel([accounts.plugin, talker], {
      run: ({ caller, parameters }, { logger }) => {
        logger.info(`own line with ${token}`);
        if (parameters['refused'] === true) throw new Error(`refused ${token}`);
        return { said: `${caller} has ${token}` };
      },
    });
    expect((await call({ tool: 'mail_send', caller: 'ann' })).output).to.deep.equal({ said: 'ann has [secret MAIL_TOKEN]' });
    const lines = records.map(({ message }) => message).filter((line) => line.includes('line with') || line.includes('sends'));
    expect(lines).to.deep.equal(['sends [secret MAIL_TOKEN]', 'own line with [secret MAIL_TOKEN]']);
    const error = await rejection(call({ tool: 'mail_send', caller: 'ann', parameters: { refused: true } }), 'PLUGIN_FAILED');
    expect(`${error.message} ${error.stack} ${String((error.cause as Error).message)}`)
      .to.include('[secret MAIL_TOKEN]')
      .and.not.include(token);
    // A mask would tell bea that she has guessed a token of ann.
    expect((await call({ tool: 'mail_send', caller: 'bea' })).output).to.deep.equal({ said: `bea has ${token}` });
    expect(kernel.mask(token)).to.equal(token);
  });

  it('are masked in the error of a source that fails', async () => {
    const accounts = source({
      MAIL_TOKEN: () => value,
      MAIL_KEY: () => {
        throw new Error(`cannot renew with key-of-the-chain-88x`);
      },
    });
    const store = resolver({ LIST_KEY: 'key-of-the-chain-88x' });
    const { kernel, call, records } = await sourcedKernel([accounts.plugin, store.plugin], {
      tools: { mail_send: '{MAIL_KEY} {LIST_KEY}' },
    });
    await kernel.resolveSecrets();
    const error = await rejection(call({ tool: 'mail_send' }), 'SECRET_STORE_UNAVAILABLE');
    expect(error.message).to.include('[secret LIST_KEY]');
    expect(JSON.stringify([error, records])).to.not.include('key-of-the-chain');
  });

  it('keep their handle for the same caller, and for no other, until they change', async () => {
    let current: Answer = { value: 'token-one' };
    const accounts = source({ MAIL_TOKEN: () => current });
    const handles: unknown[] = [];
    const { call } = await sourcedKernel([accounts.plugin], { run: ({ credentials }) => void handles.push(credentials.get('MAIL_TOKEN')) });
    const owners = [{ caller: 'ann' }, { caller: 'ann' }, { caller: 'bea' }, { caller: 'ann', tenant: 'acme' }];
    for (const owner of owners) await call({ tool: 'mail_send', ...owner });
    const [first, second, ofBea, ofTenant] = handles;
    expect(first === second, 'the same caller').to.equal(true);
    expect(new Set([first, ofBea, ofTenant])).to.have.property('size', 3);
    current = { value: 'token-two' };
    await call({ tool: 'mail_send', caller: 'ann' });
    expect(revealSecret(handles[4] as never)).to.equal('token-two');
    expect(handles[4]).to.not.equal(first);
    current = undefined;
    await rejection(call({ tool: 'mail_send', caller: 'ann' }), 'MISSING_PARAMETER');
  });

  it('count as own: results that they give access to are shared with no other caller', async () => {
    const accounts = source({ MAIL_TOKEN: ({ caller }) => (caller === 'ann' ? value : undefined) });
    const own: boolean[] = [];
    const plugin: Plugin = definePlugin({
      name: 'reader',
      apiVersion,
      apply: ({ hooks }) =>
        hooks.beforeExecute.tapPromise('reader', async (_draft, context) => {
          const { areOwn, usesChain } = await context.resolveSecrets(['MAIL_TOKEN', 'LIST_KEY']);
          own.push(areOwn, usesChain);
          return undefined;
        }),
    })();
    const { call } = await sourcedKernel([accounts.plugin, plugin, resolver({ MAIL_TOKEN: 'of-chain', LIST_KEY: 'key' }).plugin]);
    for (const caller of ['ann', 'bea']) await call({ tool: 'mail_send', caller });
    expect(own).to.deep.equal([true, true, false, true]);
  });
});

describe('the account of a call', () => {
  it('is named in its result and its end', async () => {
    const { plugin, seen } = ends();
    const { call } = await sourcedKernel([source({ MAIL_TOKEN: () => value }).plugin, plugin]);
    const { meta } = await call({ tool: 'mail_send', caller: 'ann' });
    expect(meta).to.deep.equal({ status: 200, account: { mail: 'work' } });
    expect(seen[0]).to.deep.include({ account: { mail: 'work' } });
  });

  it('is named in the end of a call that failed with it, and not where the call did not run', async () => {
    const { plugin, seen } = ends();
    const failing = await sourcedKernel([source({ MAIL_TOKEN: () => value }).plugin, plugin], {
      run: () => {
        throw new Error('no');
      },
    });
    await rejection(failing.call({ tool: 'mail_send' }), 'PLUGIN_FAILED');
    const none = await sourcedKernel([source({ MAIL_TOKEN: () => noAccount('mail') }).plugin, plugin]);
    await rejection(none.call({ tool: 'mail_send' }), 'AUTH_REQUIRED');
    expect(seen.map(({ account }) => account)).to.deep.equal([{ mail: 'work' }, undefined]);
  });

  it('is that of the credential which replaced an expired or a refused one', async () => {
    const other: Answer = { value: 'token-two', account: { provider: 'mail', name: 'home' } };
    const answers: Answer[] = [{ value: 'dead', deadAfterMs: 0, account: { provider: 'mail', name: 'old' } }, value, other];
    const { call } = await sourcedKernel([source({ MAIL_TOKEN: () => answers.shift() }).plugin]);
    expect((await call({ tool: 'mail_send', parameters: { refused: true } })).meta).to.deep.include({ account: { mail: 'home' } });
  });

  it('is absent for a credential that came with the call, from the chain, or without an account', async () => {
    const accounts = source({ MAIL_TOKEN: ({ caller }) => (caller === 'ann' ? { value: token } : undefined) });
    const { call } = await sourcedKernel([accounts.plugin, resolver({ MAIL_TOKEN: 'of-chain' }).plugin]);
    const requests = [{ caller: 'ann' }, { caller: 'bea' }, { caller: 'ann', credentials: { MAIL_TOKEN: 'of-call' } }];
    for (const request of requests) expect((await call({ tool: 'mail_send', ...request })).meta).to.deep.equal({ status: 200 });
  });
});

describe('the secrets that tools lack', () => {
  const missing = async (known: Record<string, Record<string, boolean>> | 'throws' | undefined, chain: Record<string, string> = {}) => {
    const accounts = source(
      { MAIL_TOKEN: () => value },
      known === undefined
        ? {}
        : {
            known: async ({ caller, tenant }) => {
              if (known === 'throws') throw new Error('away');
              return new Map(Object.entries(known[`${tenant}/${caller}`] ?? {}));
            },
          },
    );
    const found: unknown[] = [];
    const lister: Plugin = definePlugin({
      name: 'lister',
      apiVersion,
      apply: ({ hooks }) =>
        hooks.execute.for('take').tapPromise({ name: 'lister', stage: -10 }, async (_call, { tools }) => {
          found.push(Object.fromEntries(await tools.missingSecrets(['mail_send'])));
          return { output: null };
        }),
    })();
    const tools = { mail_send: '{MAIL_TOKEN} {LIST_KEY}', list: 'none' };
    const { call } = await sourcedKernel([accounts.plugin, lister, resolver(chain).plugin], { tools });
    await call({ tool: 'list', caller: 'ann', tenant: 'acme' });
    expect(accounts.asked, 'no value is asked for').to.deep.equal([]);
    return found[0];
  };

  it('are those that the source lacks for the caller, and those of the chain', async () => {
    expect(await missing({ 'acme/ann': { MAIL_TOKEN: true } })).to.deep.equal({ mail_send: ['LIST_KEY'] });
    expect(await missing({ 'acme/ann': { MAIL_TOKEN: true } }, { LIST_KEY: 'key' })).to.deep.equal({});
    expect(await missing({ 'acme/ann': { MAIL_TOKEN: false } }, { LIST_KEY: 'key', MAIL_TOKEN: 'of-chain' })).to.deep.equal({
      mail_send: ['MAIL_TOKEN'],
    });
  });

  it('are those of the chain where the source leaves a name to it', async () => {
    expect(await missing({ 'acme/bea': { MAIL_TOKEN: true } }, { LIST_KEY: 'key' })).to.deep.equal({ mail_send: ['MAIL_TOKEN'] });
    expect(await missing({}, { LIST_KEY: 'key', MAIL_TOKEN: 'of-chain' })).to.deep.equal({});
  });

  it('are not known where the source does not know it, or fails', async () => {
    for (const known of [undefined, 'throws'] as const) expect(await missing(known)).to.deep.equal({});
  });
});
