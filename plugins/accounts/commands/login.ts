import { type CommandInvocation, type Kernel, ToolkitError } from '../../../kernel/index.ts';
import type { OAuthSettings } from '../../shared/oauth/types.ts';
import { prompts } from '../../shared/terminal/prompts.ts';
import { jsonText } from '../../shared/text/json-text.ts';
import { terminalText } from '../../shared/text/visible-text.ts';
import { accountLabel } from '../account-label.ts';
import type { Accounts } from '../accounts.ts';
import { connectedText } from '../connected-text.ts';
import type { Grant } from '../grants/grant.ts';
import type { AccountProvider } from '../providers/account-providers.ts';
import { accountOf } from './account-arguments.ts';
import { logIn } from './log-in.ts';
import { defaultScopes, scopesOf } from './requested-scopes.ts';
import { withAccounts } from './with-accounts.ts';

/** `toolkit auth login`: connects an account. */
export async function login(invocation: CommandInvocation): Promise<void> {
  await withAccounts(invocation, async (accounts, kernel) => {
    const typed = accountOf(invocation);
    if (typed.provider === '') throw noProvider(accounts);
    const name = { ...typed, provider: accounts.providers.nameOf(typed.provider) };
    const client = await accounts.client(name.provider, { isLogin: true, byDevice: invocation.flags['device'] === true });
    refuseUseless(accounts.provider(name.provider));
    const owner = await accounts.ownerOf(name);
    const earlier = await accounts.grants.find(owner);
    const scopes = [...new Set([...(earlier?.scopes ?? []), ...(await requestedScopes(invocation, accounts, kernel, client.settings))])];
    const redirectUri = await accounts.providers.redirectUri(name.provider);
    const grant = await logIn(invocation, {
      client,
      scopes,
      ...(redirectUri === undefined ? {} : { redirectUri }),
      store: (tokens) => accounts.save(owner, tokens, scopes),
    });
    report(invocation, grant, scopes);
  });
}

function noProvider({ providers }: Accounts): ToolkitError {
  const names = providers.list().map(({ name }) => name);
  const message = `Nothing was connected: say at which provider, toolkit auth login <provider>. Providers with a login: ${names.join(', ')}.`;
  return new ToolkitError('INVALID_PARAMETERS', message);
}

/** Refuses a login that no tool would use, before a person has taken the trouble. */
function refuseUseless({ name, definition }: AccountProvider): void {
  if (definition === undefined || Object.keys(definition.oauth2?.provides ?? {}).length > 0) return;
  const message = `Nothing was connected: the "oauth2" of "${name}" has no "provides", so no tool would use the account. Add the name of the secret that the tools use, such as provides: { ${name.toUpperCase().replaceAll(/\W/g, '_')}_TOKEN: access_token }.`;
  throw new ToolkitError('CONFIG_INVALID', message, { provider: name });
}

async function requestedScopes(
  { flags, terminal, interrupted }: CommandInvocation,
  accounts: Accounts,
  { registry }: Kernel,
  { provider: name, scopes }: OAuthSettings,
): Promise<readonly string[]> {
  const provider = accounts.provider(name);
  const words = flags['scopes'] as readonly string[] | undefined;
  if (words !== undefined) return scopesOf(provider, words);
  const byDefault = scopes ?? defaultScopes(provider, registry);
  if (byDefault !== undefined) return byDefault;
  const groups = Object.entries(provider.scopeGroups);
  if (!terminal.isInteractive) {
    const message = `Nothing was connected: say which permissions of "${name}" you want, --scopes ${groups[0]?.[0]}. Groups: ${groups.map(([group]) => group).join(', ')}.`;
    throw new ToolkitError('INVALID_PARAMETERS', message, { provider: name });
  }
  const { selectMany } = await prompts(terminal, interrupted());
  const choices = groups.map(([group, scopes]) => ({ value: group, label: group, hint: scopes.join(' ') }));
  return scopesOf(provider, await selectMany(`Which permissions at ${name}?`, choices));
}

function report({ flags, write, note }: CommandInvocation, grant: Grant, requested: readonly string[]): void {
  const { owner, scopes } = grant;
  const dropped = requested.filter((scope) => !scopes.includes(scope));
  if (flags['json'] === true) {
    const { provider, account, caller, tenant } = owner;
    write(jsonText({ provider, account, name: accountLabel(grant), caller, tenant, scopes, not_granted: dropped }));
    return;
  }
  write(`${terminalText(connectedText(accountLabel(grant), owner))}\n`);
  if (scopes.length > 0) write(`Scopes: ${terminalText(scopes.join(', '))}\n`);
  if (dropped.length > 0) note(`Not granted: ${terminalText(dropped.join(', '))}. Tools that need them will fail.\n`);
}
