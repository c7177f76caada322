import { expect } from 'chai';
import { apiVersion, type CredentialSource, definePlugin, type Plugin, ToolkitError } from '../../../kernel/index.ts';
import { rejection } from '../../support/rejection.ts';
import { noAccount, source, sourcedKernel, type TestSource } from './sourced-kernel.ts';

interface Login {
  readonly accounts: TestSource;
  /** Connects the account of a caller. */
  connect(caller: string): void;
}

/** A source whose callers have an account after they connected it. */
function login(ask: NonNullable<CredentialSource['ask']>): Login {
  const connected = new Set<string>();
  const token = ({ caller }: { readonly caller: string }) =>
    connected.has(caller) ? { value: `token-of-${caller}` } : noAccount('mail', true);
  return { accounts: source({ MAIL_TOKEN: token }, { ask }), connect: (caller) => void connected.add(caller) };
}

const call = { tool: 'mail_send', caller: 'ann', tenant: 'acme', origin: 'model' } as const;

describe('a source that asks for access', () => {
  it('lets the call go on after a yes, which binds credentials again', async () => {
    const given = login(async ({ caller }) => {
      given.connect(caller);
      return true;
    });
    const { use } = await sourcedKernel([given.accounts.plugin]);
    expect(await use(call)).to.deep.equal({ MAIL_TOKEN: 'token-of-ann' });
    const { tool, error, signal, client, ...rest } = given.accounts.access[0] ?? {};
    expect(rest).to.deep.equal({ caller: 'ann', tenant: 'acme' });
    expect([tool?.name, error?.code, error?.details.url]).to.deep.equal(['mail_send', 'AUTH_REQUIRED', 'https://here.test/connect/mail']);
    expect([signal instanceof AbortSignal, typeof client]).to.deep.equal([true, 'object']);
    await use(call);
    expect(given.accounts.access).to.have.length(1);
  });

  const refusals: Readonly<Record<string, NonNullable<CredentialSource['ask']>>> = {
    'the person says no': async () => false,
    'the person says yes and connects nothing': async () => true,
    'the source gives no boolean': async () => 'yes' as never,
  };
  for (const [what, ask] of Object.entries(refusals))
    it(`asks once and ends the call with its error where ${what}`, async () => {
      const { accounts } = login(ask);
      const { use } = await sourcedKernel([accounts.plugin]);
      const error = await rejection(use(call), 'AUTH_REQUIRED');
      expect(error.details).to.include({ provider: 'mail', url: 'https://here.test/connect/mail' });
      expect(accounts.access).to.have.length(1);
    });

  it('ends the call with its own error, as for a client that answers in another request', async () => {
    const asked = new ToolkitError('ABORTED', 'The client is asked: it answers with another request.', { isAsked: true });
    const { use } = await sourcedKernel([login(() => Promise.reject(asked)).accounts.plugin]);
    const error = await rejection(use(call), 'ABORTED');
    expect(error.details).to.include({ isAsked: true });
  });

  it('ends the call as PLUGIN_FAILED where it fails, at once or later', async () => {
    const failing: readonly NonNullable<CredentialSource['ask']>[] = [
      () => {
        throw new Error('no page');
      },
      () => Promise.reject(new Error('no page')),
    ];
    for (const ask of failing) {
      const { use } = await sourcedKernel([login(ask).accounts.plugin]);
      const error = await rejection(use(call), 'PLUGIN_FAILED');
      expect(error.message).to.equal('Plugin "accounts" failed to ask for access for "mail_send": no page');
      expect(error.details).to.include({ plugin: 'accounts', tool: 'mail_send' });
    }
  });

  it('is stopped at the time limit of approvals, and the call ends with the way to log in', async () => {
    let aborted: unknown;
    const { accounts } = login(
      ({ signal }) =>
        new Promise((_, reject) => {
          signal.addEventListener('abort', () => {
            aborted = signal.reason;
            reject(signal.reason);
          });
        }),
    );
    const { use } = await sourcedKernel([accounts.plugin], { timeoutsMs: { approve: 20 } });
    const error = await rejection(use(call), 'AUTH_REQUIRED');
    expect(error.details.url).to.equal('https://here.test/connect/mail');
    expect(aborted).to.include({ code: 'TIMEOUT' });
  });

  it('is stopped with the call by its caller', async () => {
    const controller = new AbortController();
    const { accounts } = login(() => {
      controller.abort();
      return new Promise(() => {});
    });
    const { use } = await sourcedKernel([accounts.plugin]);
    await rejection(use({ ...call, signal: controller.signal }), 'ABORTED');
  });

  it('is not asked for a trial', async () => {
    const { accounts } = login(async () => true);
    const { use } = await sourcedKernel([accounts.plugin]);
    await rejection(use({ ...call, isTrial: true }), 'AUTH_REQUIRED');
    expect(accounts.access).to.deep.equal([]);
  });

  it('is not asked about an error of another plugin', async () => {
    const { accounts, connect } = login(async () => true);
    connect('ann');
    const other: Plugin = definePlugin({
      name: 'other',
      apiVersion,
      apply: ({ hooks }) =>
        hooks.beforeExecute.tap('other', () => {
          throw new ToolkitError('AUTH_REQUIRED', 'Log in elsewhere.', { provider: 'other' });
        }),
    })();
    const { use } = await sourcedKernel([accounts.plugin, other]);
    await rejection(use(call), 'AUTH_REQUIRED');
    expect(accounts.access).to.deep.equal([]);
  });

  it('is asked in the call that needs the account, once, where another tool has called it', async () => {
    const { accounts } = login(async () => false);
    const nested = await sourcedKernel([accounts.plugin], { tools: { outer: 'none', mail_send: '{MAIL_TOKEN}' } });
    await rejection(nested.call({ ...call, tool: 'outer', parameters: { inner: 'mail_send' } }), 'AUTH_REQUIRED');
    expect(accounts.access.map(({ tool, caller, tenant }) => [tool.name, caller, tenant])).to.deep.equal([['mail_send', 'ann', 'acme']]);
  });
});
