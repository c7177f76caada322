import type { CommandInvocation, Terminal } from '../../../kernel/index.ts';
import { paint } from '../../shared/terminal/paint.ts';
import { textTable } from '../../shared/terminal/table.ts';
import { jsonText } from '../../shared/text/json-text.ts';
import { terminalText } from '../../shared/text/visible-text.ts';
import { accountText, remainingOf, renews, stateText } from '../grant-state.ts';
import type { Grant } from '../grants/grant.ts';
import { withAccounts } from './with-accounts.ts';

/** `toolkit auth status`: lists the connected accounts, without their tokens. */
export async function status(invocation: CommandInvocation): Promise<void> {
  const {
    arguments: [provider],
    flags,
    write,
    terminal,
  } = invocation;
  await withAccounts(invocation, async ({ grants, providers }) => {
    const name = provider === undefined ? undefined : providers.nameOf(provider);
    const found = await grants.list(name === undefined ? {} : { provider: name });
    if (found.length === 0 && name !== undefined) providers.get(name);
    const now = Date.now();
    if (flags['json'] === true) write(jsonText(found.map((grant) => toJson(grant, now))));
    else if (found.length > 0) write(await table(found, terminal, now));
    else
      write(
        `No account is connected${name === undefined ? '' : ` at ${terminalText(name)}`}. Connect one: toolkit auth login ${name === undefined ? '<provider>' : terminalText(name)}\n`,
      );
  });
}

function toJson({ owner, tokens, scopes, needsLogin, from, createdAt }: Grant, now: number): Readonly<Record<string, unknown>> {
  const { provider, account, caller, tenant, issuer } = owner;
  const remainingMs = remainingOf({ tokens }, now);
  return {
    provider,
    account,
    name: tokens.account ?? null,
    caller,
    tenant,
    issuer,
    scopes,
    from: from.kind,
    connected_at: new Date(createdAt).toISOString(),
    expires_in_s: remainingMs === undefined ? null : Math.max(0, Math.floor(remainingMs / 1000)),
    renews: renews({ tokens, from }),
    needs_login: needsLogin !== undefined,
  };
}

const columns = [
  { heading: 'Provider' },
  { heading: 'Account' },
  { heading: 'Caller' },
  { heading: 'Access token' },
  { heading: 'Scopes', narrow: 'cut' },
] as const;

function table(grants: readonly Grant[], terminal: Terminal, now: number): Promise<string> {
  const rows = grants.map((grant) => [
    paint(terminal, 'name', terminalText(grant.owner.provider)),
    terminalText(accountText(grant, grants)),
    terminalText(callerText(grant)),
    stateText(grant, now),
    terminalText(grant.scopes.join(' ')),
  ]);
  return textTable(terminal, columns, rows);
}

function callerText({ owner: { caller, tenant } }: Grant): string {
  return tenant === caller ? caller : `${caller} of ${tenant}`;
}
