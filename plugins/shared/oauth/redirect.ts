import { Failures, mismatchError } from './failures.ts';
import type { AuthorizationRequest, OAuthSettings } from './types.ts';

/** Parameters of an answer that brings tokens or a signed answer through the browser. This client asks for neither. */
const unexpected = ['response', 'access_token', 'id_token', 'token'] as const;

/**
 * Checks a redirect (RFC 6749, 4.1.2) and returns its code. The state comes first: an answer that is not of this login must not even show its
 * error. Throws `mismatch` and `refused`.
 */
export function codeOf(settings: OAuthSettings, request: AuthorizationRequest, redirect: URLSearchParams): string {
  const { provider } = settings;
  // RFC 6749, 3.1: otherwise two readers could each take another value.
  for (const name of new Set(redirect.keys())) {
    if (redirect.getAll(name).length > 1)
      throw mismatchError(provider, `expected each parameter of the redirect once, received ${named(name)} twice`);
  }
  if (redirect.get('state') !== request.state) {
    throw mismatchError(provider, `expected the state of this login, received ${redirect.has('state') ? 'another' : 'none'}`);
  }
  checkIssuer(settings, redirect.get('iss'));
  const error = redirect.get('error');
  if (error !== null && error !== '') {
    const failures = new Failures(provider, 'The login', {
      CODE_VERIFIER: request.verifier,
      STATE: request.state,
      CLIENT_SECRET: settings.clientSecret,
    });
    throw failures.refused(error, redirect.get('error_description') ?? undefined);
  }
  for (const name of unexpected) {
    if (redirect.has(name)) throw mismatchError(provider, `expected a code in the redirect, received "${name}"`);
  }
  const code = redirect.get('code') ?? '';
  if (code === '') throw mismatchError(provider, 'expected a code in the redirect, received none');
  if (settings.pkce && (request.verifier ?? '') === '') {
    throw mismatchError(provider, 'expected a login with a code challenge, received one without its verifier');
  }
  return code;
}

/** Refuses the answer of another authorization server (RFC 9207, 2.4). */
function checkIssuer({ provider, issuer, requiresIss = false }: OAuthSettings, received: string | null): void {
  if (received === null) {
    if (!requiresIss) return;
    throw mismatchError(provider, 'expected "iss" in the redirect, as the server announces it, received none');
  }
  if (issuer === undefined || received === issuer) return;
  throw mismatchError(
    provider,
    `expected the issuer ${issuer} in the redirect, received another`,
    'Do not go on with it: another server answered.',
  );
}

function named(name: string): string {
  return /^\w{1,40}$/.test(name) ? `"${name}"` : 'one';
}
