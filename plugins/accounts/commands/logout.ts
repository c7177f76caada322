import type { CommandInvocation } from '../../../kernel/index.ts';
import { refreshTokenName } from '../../shared/oauth/client-values.ts';
import { terminalText } from '../../shared/text/visible-text.ts';
import { accountLabel } from '../account-label.ts';
import { accountOf } from './account-arguments.ts';
import { namedGrant } from './named-grant.ts';
import { withAccounts } from './with-accounts.ts';

/** `toolkit auth logout`: removes an account, and revokes its access. */
export async function logout(invocation: CommandInvocation): Promise<void> {
  const { write, note, interrupted } = invocation;
  await withAccounts(invocation, async (accounts) => {
    const { owner } = await namedGrant(accounts, accountOf(invocation));
    const ended = await accounts.logout(owner, interrupted());
    if (ended === undefined) return write('The account was removed already.\n');
    const { grant, revocation, error } = ended;
    const name = terminalText(`${accountLabel(grant)} at ${owner.provider}`);
    switch (revocation) {
      case 'revoked':
        write(`Removed the account ${name}, and revoked its access there.\n`);
        break;
      case 'no address':
        write(
          `Removed the account ${name}. The provider has no address for revoking: remove the access in the settings of your account there.\n`,
        );
        break;
      case 'failed':
        write(`Removed the account ${name}, but its access there was not revoked. Remove it in the settings of your account there.\n`);
        note(`${terminalText(error?.message ?? '')}\n`);
        invocation.setExitCode(1);
        break;
    }
    if (grant.from.kind === 'client' && owner.caller === 'default')
      note(`The next call gets a token again while the id and the secret of its client are set: remove them too.\n`);
    if (grant.from.kind === 'chain')
      note(`${terminalText(refreshTokenName(owner.provider))} is still set, and the next call uses it again: remove it too.\n`);
  });
}
