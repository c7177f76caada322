import { expect } from 'chai';
import { apiVersion, definePlugin, type Plugin } from '../../../kernel/index.ts';
import { rejection } from '../../support/rejection.ts';
import { resolver } from './chain-kernel.ts';
import { type Answer, noAccount, source, sourcedKernel } from './sourced-kernel.ts';

/** A source that gives these answers one after another, the last one from then on. */
function inTurn(...answers: readonly Answer[]): { MAIL_TOKEN: () => Answer } {
  let index = 0;
  return { MAIL_TOKEN: () => answers[Math.min(index++, answers.length - 1)] };
}

/** A plugin that lets time pass between the binding of credentials and the run of the tool. */
function waiting(wait: () => void): Plugin {
  return definePlugin({
    name: 'waiting',
    apiVersion,
    apply: ({ hooks }) => hooks.beforeExecute.tap('waiting', () => wait() as undefined),
  })();
}

const brief: Answer = { value: 'token-one', deadAfterMs: 60_000 };
const dead: Answer = { value: 'token-dead', deadAfterMs: 0 };
const next: Answer = { value: 'token-two', deadAfterMs: 60_000 };

describe('expiring credentials of a source', () => {
  const expiries: Readonly<
    Record<string, { readonly answers: readonly Answer[]; readonly passMs: number; readonly used: string; readonly asked: number }>
  > = {
    'are used while they live': { answers: [brief], passMs: 59_999, used: 'token-one', asked: 1 },
    'are asked for again when they expired before the tool ran': { answers: [brief, next], passMs: 60_000, used: 'token-two', asked: 2 },
    'are asked for again when they were dead at once': { answers: [dead, next], passMs: 0, used: 'token-two', asked: 2 },
    'live again where the source gives the same value a longer life': {
      answers: [brief, { ...brief, deadAfterMs: 120_000 }],
      passMs: 60_000,
      used: 'token-one',
      asked: 2,
    },
  };
  for (const [what, { answers, passMs, used, asked }] of Object.entries(expiries))
    it(what, async () => {
      let now = 1_000_000;
      const accounts = source(inTurn(...answers));
      const pass = waiting(() => {
        now += passMs;
      });
      const { use } = await sourcedKernel([accounts.plugin, pass], { now: () => now });
      expect(await use({ tool: 'mail_send', caller: 'ann' })).to.deep.equal({ MAIL_TOKEN: used });
      expect(accounts.asked).to.have.length(asked);
      expect(accounts.asked.map(({ refused }) => refused)).to.deep.equal(Array(asked).fill(undefined));
    });

  it('end the call with the error of the source where it has none any more', async () => {
    const accounts = source(inTurn(dead, noAccount('mail', true)));
    const { use } = await sourcedKernel([accounts.plugin, resolver({ MAIL_TOKEN: 'of-chain' }).plugin]);
    const error = await rejection(use({ tool: 'mail_send', caller: 'ann' }), 'AUTH_REQUIRED');
    expect(error.details).to.include({ provider: 'mail', tool: 'mail_send', parameter: 'MAIL_TOKEN' });
  });

  it('end the call where the source gives expired ones again, which are never sent', async () => {
    const accounts = source(inTurn(dead));
    let runs = 0;
    const { use } = await sourcedKernel([accounts.plugin], { run: () => runs++ });
    const error = await rejection(use({ tool: 'mail_send', caller: 'ann' }), 'SECRET_STORE_UNAVAILABLE');
    expect(error.message).to.include('The value of MAIL_TOKEN has expired');
    expect([error.retryable, runs]).to.deep.equal([true, 0]);
  });

  it('are followed by the chain where the source says so', async () => {
    const accounts = source(inTurn(dead, undefined));
    const { use } = await sourcedKernel([accounts.plugin, resolver({ MAIL_TOKEN: 'of-chain' }).plugin]);
    expect(await use({ tool: 'mail_send' })).to.deep.equal({ MAIL_TOKEN: 'of-chain' });
  });

  it('are derived again, and never replaced by a derived value of the operator', async () => {
    const accounts = source({ ...inTurn(dead, { value: 'key-us7' }), MAIL_DC: () => noAccount('mail', true) });
    const plugin = definePlugin({
      name: 'centre',
      apiVersion,
      apply: ({ hooks }) =>
        hooks.discover.tap('centre', (sink) => {
          const derived = { parameter: 'dc', env_pattern: 'MAIL_DC', derive_from: { parameter: 'key', pattern: '-([a-z0-9]+)$' } };
          sink.addProvider({ provider: { name: 'mail' }, parameter_mapping: [{ parameter: 'key', env_pattern: 'MAIL_TOKEN' }, derived] });
          sink.addTool(
            { name: 'mail_list', description: 'Lists.', parameters: {}, execution: { type: 'take', text: '{key} {dc}' } },
            {},
            'mail',
          );
        }),
    })();
    const { kernel, use } = await sourcedKernel([accounts.plugin, plugin, resolver({ MAIL_DC: 'us1' }).plugin]);
    await kernel.resolveSecrets();
    expect(await use({ tool: 'mail_list', caller: 'ann' })).to.deep.equal({ key: 'key-us7', dc: 'us7' });
  });
});

describe('credentials of a source after a 401', () => {
  const refusedCall = { tool: 'mail_send', parameters: { refused: true }, caller: 'ann', tenant: 'acme' };

  it('are asked for with the refused value, for the same caller and tenant', async () => {
    const accounts = source({
      MAIL_TOKEN: ({ refused }) => ({ value: refused?.get('MAIL_TOKEN') === 'token-one' ? 'token-two' : 'token-one' }),
    });
    const { use } = await sourcedKernel([accounts.plugin]);
    expect(await use(refusedCall)).to.deep.equal({ MAIL_TOKEN: 'token-two' });
    const asked = accounts.asked.map(({ caller, tenant, names, refused }) => [caller, tenant, names, [...(refused ?? [])]]);
    expect(asked).to.deep.equal([
      ['ann', 'acme', ['MAIL_TOKEN'], []],
      ['ann', 'acme', ['MAIL_TOKEN'], [['MAIL_TOKEN', 'token-one']]],
    ]);
  });

  it('are none where the source gives the same value, or fails', async () => {
    for (const answer of [{ value: 'token-one' }, undefined]) {
      const { use } = await sourcedKernel([source(inTurn({ value: 'token-one' }, answer)).plugin]);
      expect(await use(refusedCall)).to.deep.equal({});
    }
    let asked = 0;
    const failing = source({
      MAIL_TOKEN: () => {
        if (asked++ > 0) throw new Error('the token endpoint is away');
        return { value: 'token-one' };
      },
    });
    const { use, records } = await sourcedKernel([failing.plugin]);
    expect(await use(refusedCall)).to.deep.equal({});
    expect(records.map(({ message }) => message).join())
      .to.include('credentials could not be renewed')
      .and.include('the token endpoint is away');
  });

  it('end the call with the error of the source where the account is gone', async () => {
    const { use } = await sourcedKernel([source(inTurn({ value: 'token-one' }, noAccount('mail', true))).plugin]);
    const error = await rejection(use(refusedCall), 'AUTH_REQUIRED');
    expect(error.details).to.include({ tool: 'mail_send', secret: 'MAIL_TOKEN' });
  });

  it('come from the chain where the source leaves it to the chain', async () => {
    const { use } = await sourcedKernel([
      source(inTurn({ value: 'token-one' }, undefined)).plugin,
      resolver({ MAIL_TOKEN: 'of-chain' }).plugin,
    ]);
    expect(await use(refusedCall)).to.deep.equal({ MAIL_TOKEN: 'of-chain' });
  });

  it('that came with the call are not asked for', async () => {
    const accounts = source({ MAIL_TOKEN: () => ({ value: 'token-one' }) });
    const { use } = await sourcedKernel([accounts.plugin]);
    expect(await use({ ...refusedCall, credentials: { MAIL_TOKEN: 'of-call' } })).to.deep.equal({});
    expect(accounts.asked).to.deep.equal([]);
  });
});
