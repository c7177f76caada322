import { expect } from 'chai';
import { useFakeTimers } from 'sinon';
import { type CredentialSource, ToolkitError } from '../../../kernel/index.ts';
import { afterEach } from '../../support/after-each.ts';
import { rejection } from '../../support/rejection.ts';
import { type SourcedKernel, source, sourcedKernel, type TestSource } from './sourced-kernel.ts';

const clocks: { restore(): void }[] = [];

afterEach(() => {
  for (const clock of clocks.splice(0)) clock.restore();
});

const call = { tool: 'mail_send', caller: 'ann', parameters: { refused: true } } as const;

interface Site extends SourcedKernel {
  readonly accounts: TestSource;
}

/** A kernel whose service refuses a token for want of scopes. The source has a token with more after `grant` was called. */
async function site(
  ask: (grant: () => void) => NonNullable<CredentialSource['ask']>,
  more: Parameters<typeof sourcedKernel>[1] = {},
): Promise<Site> {
  let isGranted = false;
  const missing = new ToolkitError('AUTH_REQUIRED', 'The account lacks send. Give it more.', { provider: 'mail', scopes: ['send'] });
  const grant = (): void => {
    isGranted = true;
  };
  const accounts = source(
    {
      MAIL_TOKEN: ({ refused }) => {
        if (isGranted) return { value: 'token-with-send' };
        return refused === undefined ? { value: 'token-that-reads' } : { missing, isFinal: true };
      },
    },
    { ask: ask(grant) },
  );
  return { accounts, ...(await sourcedKernel([accounts.plugin], { scopesLacked: { scopes: ['send'] }, ...more })) };
}

describe('a credential that lacks scopes', () => {
  it('is refused to the source with its value and the scopes, and its person gives more', async () => {
    const { use, accounts } = await site((grant) => async () => {
      grant();
      return true;
    });
    expect(await use(call)).to.deep.equal({ MAIL_TOKEN: 'token-with-send' });
    expect(accounts.asked.map(({ refused, scopesLacked }) => ({ refused: refused && [...refused], scopesLacked }))).to.deep.equal([
      { refused: undefined, scopesLacked: undefined },
      { refused: [['MAIL_TOKEN', 'token-that-reads']], scopesLacked: { scopes: ['send'] } },
      { refused: [['MAIL_TOKEN', 'token-that-reads']], scopesLacked: { scopes: ['send'] } },
    ]);
  });

  it('ends the call with the error of the source after a no, and asks once', async () => {
    const { use, accounts } = await site(() => async () => false);
    const error = await rejection(use(call), 'AUTH_REQUIRED');
    expect(error.details).to.deep.include({ scopes: ['send'], tool: 'mail_send' });
    expect(accounts.access).to.have.length(1);
  });

  it('lets the time limit of the tool stand still while its person is asked', async () => {
    const clock = useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
    clocks.push(clock);
    const { use } = await site(
      (grant) => async () => {
        clock.tick(50_000);
        grant();
        return true;
      },
      { timeoutsMs: { execute: 1000, approve: 60_000 } },
    );
    expect(await use(call)).to.deep.equal({ MAIL_TOKEN: 'token-with-send' });
  });

  it('ends the question at the limit of approvals, and the call with the way to more', async () => {
    let reason: unknown;
    const { use } = await site(
      () =>
        ({ signal }) =>
          new Promise((_, reject) => {
            signal.addEventListener('abort', () => {
              reason = signal.reason;
              reject(signal.reason);
            });
          }),
      { timeoutsMs: { approve: 20 } },
    );
    await rejection(use(call), 'AUTH_REQUIRED');
    expect(reason).to.include({ code: 'TIMEOUT' });
  });

  it('ends with its caller', async () => {
    const controller = new AbortController();
    const { use } = await site(() => () => {
      controller.abort();
      return new Promise(() => {});
    });
    await rejection(use({ ...call, signal: controller.signal }), 'ABORTED');
  });
});
