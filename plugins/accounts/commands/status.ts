import { isDeepStrictEqual } from 'node:util';
import type { CommandInvocation, Terminal } from '../../../kernel/index.ts';
import { paint } from '../../shared/terminal/paint.ts';
import { textTable } from '../../shared/terminal/table.ts';
import { jsonText } from '../../shared/text/json-text.ts';
import { terminalText } from '../../shared/text/visible-text.ts';
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

/** Returns the name of an account; with its issuer where the same caller has one of that name at another issuer too. */
function accountText({ owner, tokens }: Grant, all: readonly Grant[]): string {
  const name = tokens.account === undefined ? owner.account : `${owner.account} (${tokens.account})`;
  const isAtSeveral = all.some(
    ({ owner: other }) => other.issuer !== owner.issuer && isDeepStrictEqual({ ...other, issuer: owner.issuer }, owner),
  );
  return isAtSeveral ? `${name} at ${owner.issuer}` : name;
}

function callerText({ owner: { caller, tenant } }: Grant): string {
  return tenant === caller ? caller : `${caller} of ${tenant}`;
}

function stateText(grant: Grant, now: number): string {
  if (grant.needsLogin !== undefined) return 'needs login';
  const remainingMs = remainingOf(grant, now);
  if (remainingMs === undefined) return 'no end told';
  if (remainingMs > 0) return `${durationText(remainingMs)} left`;
  return renews(grant) ? 'refreshed on use' : 'expired';
}

function renews({ tokens, from }: Pick<Grant, 'tokens' | 'from'>): boolean {
  return tokens.refreshToken !== undefined || from.kind === 'client';
}

function remainingOf({ tokens: { receivedAt, lifetimeMs } }: Pick<Grant, 'tokens'>, now: number): number | undefined {
  return lifetimeMs === undefined ? undefined : receivedAt + lifetimeMs - now;
}

function durationText(ms: number): string {
  const minutes = Math.floor(ms / 60_000);
  if (minutes < 1) return `${Math.ceil(ms / 1000)} s`;
  return minutes < 120 ? `${minutes} min` : `${Math.floor(minutes / 60)} h`;
}
