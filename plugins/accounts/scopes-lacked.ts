import { excerpt, type ScopeRefusal, type Tool, ToolkitError } from '../../kernel/index.ts';
import { missingScopes } from '../shared/oauth/scopes.ts';
import type { OAuthSettings } from '../shared/oauth/types.ts';
import type { Accounts } from './accounts.ts';
import type { Grant } from './grants/grant.ts';
import type { AccountProvider } from './providers/account-providers.ts';

/** A tool that is about to use a grant, or whose request the service has refused. */
export interface ScopesUse {
  readonly grant: Pick<Grant, 'owner' | 'scopes' | 'tokens'>;
  readonly tool: Pick<Tool, 'provider' | 'definition'>;
  /** The refusal of a service. @default nothing was sent yet */
  readonly refusal?: ScopeRefusal | undefined;
}

/**
 * Returns the error of a call whose account lacks scopes; undefined when it lacks none that is known. Before anything is sent, only the tool's own
 * scopes count, and only where the definition says that this can be told (`check_scopes`) and the provider has named the granted ones.
 */
export async function scopesError(accounts: Accounts, { grant, tool, refusal }: ScopesUse): Promise<ToolkitError | undefined> {
  const { owner, tokens } = grant;
  const required = tool.provider?.name === owner.provider ? (tool.definition.authentication?.required_scopes ?? []) : [];
  const { scopes: reported = [] } = tokens;
  // Most calls need no more: reading the settings resolves secrets.
  if (refusal === undefined && (required.length === 0 || reported.length === 0)) return undefined;
  const settings = await accounts.settings(owner.provider);
  if (refusal === undefined) {
    const missing = settings.checksScopes === true ? missingScopes(settings, required, reported) : [];
    return missing.length === 0 ? undefined : lackError(accounts, grant, missing);
  }
  const provider = accounts.provider(owner.provider);
  const listed = new Set([...Object.values(provider.scopeGroups).flat(), ...required]);
  const missing = lackedScopes(refusal, { settings, required, granted: grant.scopes, listed });
  if (missing.length === 0) return undefined;
  const unlisted = missing.filter((scope) => !listed.has(scope));
  return unlisted.length === 0 ? lackError(accounts, grant, missing) : unlistedError(provider, owner.account, unlisted);
}

interface KnownScopes {
  readonly settings: OAuthSettings;
  /** The scopes that the tool requires. */
  readonly required: readonly string[];
  readonly granted: readonly string[];
  /** The scopes that the definition names. */
  readonly listed: ReadonlySet<string>;
}

/** Returns the missing scopes: those that the tool requires, where the service names them too, else those that it names. */
function lackedScopes({ scopes, isAnyOf }: ScopeRefusal, { settings, required, granted, listed }: KnownScopes): readonly string[] {
  const missing = (wanted: readonly string[]): readonly string[] => missingScopes(settings, wanted, granted);
  const own = missing(scopes.length === 0 ? required : required.filter((scope) => scopes.includes(scope)));
  if (own.length > 0) return own;
  const named = missing(scopes);
  if (isAnyOf !== true) return named;
  if (named.length < scopes.length) return [];
  const one = named.find((scope) => listed.has(scope)) ?? named[0];
  return one === undefined ? [] : [one];
}

function lackError(accounts: Accounts, { owner }: ScopesUse['grant'], missing: readonly string[]): ToolkitError {
  const { account } = owner;
  // A login adds to the granted ones by itself.
  return accounts.authRequired(owner, { kind: 'scopes', account, missing }, missing);
}

/** A service must not make people grant what the definition does not name. */
function unlistedError({ name }: AccountProvider, account: string, scopes: readonly string[]): ToolkitError {
  const list = excerpt(scopes.join(', '));
  const message = `The account "${account}" at "${name}" lacks the permission ${list}, which the definition of "${name}" does not name. Add it to "scopes" of its "oauth2", and log in with it.`;
  return new ToolkitError('INSUFFICIENT_SCOPE', message, { provider: name, account, scopes: [...scopes] });
}
