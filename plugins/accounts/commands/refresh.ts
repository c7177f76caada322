import { type CommandInvocation, ToolkitError } from '../../../kernel/index.ts';
import { terminalText } from '../../shared/text/visible-text.ts';
import { accountLabel } from '../account-label.ts';
import { accountOf } from './account-arguments.ts';
import { namedGrant } from './named-grant.ts';
import { withAccounts } from './with-accounts.ts';

/** `toolkit auth refresh`: gets a new access token now. */
export async function refresh(invocation: CommandInvocation): Promise<void> {
  await withAccounts(invocation, async (accounts) => {
    const { owner } = await namedGrant(accounts, accountOf(invocation));
    // As if a service had refused the access token.
    const grant = await accounts.live(owner, { isRefused: () => true, signal: invocation.interrupted() });
    if (grant === undefined) throw moved(owner.provider);
    invocation.write(`The account ${terminalText(`${accountLabel(grant)} at ${owner.provider}`)} has a new access token.\n`);
  });
}

function moved(provider: string): ToolkitError {
  const message = `"${provider}" has another authorization server now than at the login. Log in again: toolkit auth login ${provider}`;
  return new ToolkitError('AUTH_REQUIRED', message, { provider });
}
