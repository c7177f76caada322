import { ToolkitError } from '../../../../../kernel/index.ts';
import { callerName } from './caller-name.ts';
import type { Grant } from './grant.ts';

export interface ClaimRules {
  readonly issuer: string;
  readonly clockSkewS: number;
}

/** How much the clocks of an issuer and of this machine may differ, in seconds, where nobody says it. */
export const defaultClockSkewS = 30;

/** The most characters of a name that an issuer gives to a person or a client. OpenID Connect Core, 2, allows 255. */
const maxName = 255;

/** A token that opens nothing here. The message goes to its client, so it never quotes the token. */
export function invalidToken(message: string, cause?: unknown): ToolkitError {
  return new ToolkitError('AUTH_FAILED', message, {}, { cause });
}

/** What the claims of a token allow whose origin and audience were checked. Throws AUTH_FAILED. */
export function grantFrom(claims: Readonly<Record<string, unknown>>, { issuer, clockSkewS }: ClaimRules): Grant {
  const { exp, nbf, sub, client_id: client, cnf } = claims;
  const now = Date.now() / 1000;
  if (typeof exp !== 'number' || !Number.isFinite(exp)) throw invalidToken('The token does not say when it expires.');
  if (now >= exp + clockSkewS) throw invalidToken('The token has expired.');
  if (nbf !== undefined && !(typeof nbf === 'number' && nbf <= now + clockSkewS)) throw invalidToken('The token is not valid yet.');
  // RFC 9449, 7.2: taken as a plain bearer token, it would be worth as much to who has stolen it.
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
  return typeof name === 'string' && name !== '' && name.length <= maxName && !/\p{Surrogate}/u.test(name);
}

/** `scope` (RFC 9068, 2.2.3, and RFC 7662), or `scp`, a text or a list, as some issuers call it. */
function scopesIn({ scope, scp }: Readonly<Record<string, unknown>>): readonly string[] {
  const given = scope ?? scp ?? '';
  const listed = Array.isArray(given) ? given : String(given).split(' ');
  return listed.filter((one): one is string => typeof one === 'string' && one !== '');
}
