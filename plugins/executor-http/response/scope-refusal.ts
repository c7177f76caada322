import { isPlainObject, type JsonValue, type ScopeRefusal } from '../../../kernel/index.ts';
import { challengeOf } from '../../shared/http/challenge.ts';
import type { ReadResponse } from './response.ts';

/** Maximum number of scopes that are read of one answer. */
const maxScopes = 100;

/**
 * Returns the scopes that an answer says the token lacks; undefined for an answer that is not about scopes. A 403 alone is not: the service may refuse
 * the thing, not the token. Such an answer was not carried out.
 */
export function scopeRefusalOf(headers: Headers, { status, body }: Pick<ReadResponse, 'status' | 'body'>): ScopeRefusal | undefined {
  if (status !== 403) return undefined;
  const challenge = challengeOf({ headers });
  const named = challenge?.error === 'insufficient_scope' ? challenge.scopes : undefined;
  // Google names every scope that would do.
  if (hasGooglesReason(body)) return { scopes: named ?? [], isAnyOf: true };
  if (named !== undefined) return { scopes: named };
  return lackedByHeaders(headers);
}

/** Google's ErrorInfo (google.rpc), as its APIs answer. */
function hasGooglesReason(body: JsonValue): boolean {
  const error = isPlainObject(body) ? body['error'] : undefined;
  const details = isPlainObject(error) ? error['details'] : undefined;
  if (!Array.isArray(details)) return false;
  return details.some((detail) => isPlainObject(detail) && detail['reason'] === 'ACCESS_TOKEN_SCOPE_INSUFFICIENT');
}

/** GitHub's headers: the scopes of which one is enough, and those of the token. A 403 for another reason has them too. */
function lackedByHeaders(headers: Headers): ScopeRefusal | undefined {
  const accepted = scopesIn(headers.get('x-accepted-oauth-scopes'));
  const held = scopesIn(headers.get('x-oauth-scopes'));
  if (accepted === undefined || held === undefined || accepted.length === 0) return undefined;
  return accepted.some((scope) => held.includes(scope)) ? undefined : { scopes: accepted, isAnyOf: true };
}

function scopesIn(header: string | null): readonly string[] | undefined {
  return header
    ?.split(',')
    .map((scope) => scope.trim())
    .filter((scope) => /^[!#-[\]-~]{1,200}$/.test(scope))
    .slice(0, maxScopes);
}
