import { ToolkitError } from '../../../../../kernel/index.ts';
import { callerName } from './caller-name.ts';
import type { Grant } from './grant.ts';

export interface ClaimRules {
  readonly issuer: string;
  readonly clockSkewS: number;
}

/** Allowed difference between the clocks of an issuer and of this machine, in seconds, if not configured. */
export const defaultClockSkewS = 30;

/** Maximum length of an issuer's name for a user or client, in characters. OpenID Connect Core, 2, allows 255. */
const maxNameLength = 255;

/** Returns the error for an invalid token. Its client reads the message, which never quotes the token. */
export function invalidToken(message: string, cause?: unknown): ToolkitError {
  return new ToolkitError('AUTH_FAILED', message, {}, { cause });
}

/** Returns the grant for the claims of a token whose origin and audience were checked. Throws AUTH_FAILED. */
export function grantFrom(claims: Readonly<Record<string, unknown>>, { issuer, clockSkewS }: ClaimRules): Grant {
  const { exp, nbf, sub, client_id: client, cnf } = claims;
  const now = Date.now() / 1000;
  if (typeof exp !== 'number' || !Number.isFinite(exp)) throw invalidToken('The token does not say when it expires.');
  if (now >= exp + clockSkewS) throw invalidToken('The token has expired.');
  if (nbf !== undefined && !(typeof nbf === 'number' && nbf <= now + clockSkewS)) throw invalidToken('The token is not valid yet.');
  // RFC 9449, 7.2: as a plain bearer token it would be usable after a theft.
  if (cnf !== undefined) throw invalidToken('The token is bound to a key of its client, which this server does not check.');
  const name = sub === undefined ? { client } : { subject: sub };
  if (!Object.values(name).every(isName)) throw invalidToken('The token does not say whom it was given to.');
  return {
    caller: callerName(issuer, name as { readonly subject?: string; readonly client?: string }),
    scopes: scopesIn(claims),
    expiresAt: (exp + clockSkewS) * 1000,
  };
}

function isName(name: unknown): name is string {
  return typeof name === 'string' && name !== '' && name.length <= maxNameLength && !/\p{Surrogate}/u.test(name);
}

/** Reads the scopes: `scope` (RFC 9068, 2.2.3, and RFC 7662), or the `scp` of some issuers, a string or a list. */
function scopesIn({ scope, scp }: Readonly<Record<string, unknown>>): readonly string[] {
  const given = scope ?? scp ?? '';
  const listed = Array.isArray(given) ? given : String(given).split(' ');
  return listed.filter((one): one is string => typeof one === 'string' && one !== '');
}
