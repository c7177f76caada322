import { type ErrorDetails, excerpt, parseUrl, Redactor, sentence, ToolkitError } from '../../../kernel/index.ts';
import type { OAuthFailureKind } from './types.ts';

/** Maximum number of characters of a foreign text in a message. */
const maxForeign = 150;

/** Values that must not be in a message, by name. */
export type RequestSecrets = Readonly<Record<string, string | undefined>>;

/** Returns the failure that an OAuth client threw; undefined for other errors. `error` is present for `refused`. */
export function oauthFailureOf(error: unknown): { readonly kind: OAuthFailureKind; readonly error?: string } | undefined {
  const found = ToolkitError.is(error) ? error.details['oauth'] : undefined;
  return typeof found === 'object' && found !== null ? (found as { readonly kind: OAuthFailureKind }) : undefined;
}

/** Makes the error of a login that belongs to another login, issuer or client. */
export function mismatchError(provider: string, problem: string, advice = 'Begin the login again.'): ToolkitError {
  const message = `The login at "${provider}" was refused: ${sentence(problem)} ${advice}`;
  return new ToolkitError('INVALID_PARAMETERS', message, { provider, oauth: { kind: 'mismatch' } });
}

/**
 * Makes the errors of one request. Masks its secrets in texts of the server. Errors of libraries are no causes: they hold requests and answers
 * with secrets.
 */
export class Failures {
  readonly #subject: string;
  readonly #provider: string;
  readonly #address: string;
  readonly #redactor = new Redactor();

  /** `subject`: the request, such as `The token request`. `url`: its address, which messages show without its query. */
  constructor(provider: string, subject: string, secrets: RequestSecrets = {}, url = '') {
    const { origin, pathname } = parseUrl(url) ?? { origin: '', pathname: '' };
    this.#address = origin + pathname;
    this.#provider = provider;
    this.#subject = `${subject} to "${provider}"`;
    this.addSecrets(secrets);
  }

  addSecrets(secrets: RequestSecrets): void {
    for (const [name, value] of Object.entries(secrets)) if (value !== undefined) this.#redactor.maskAlso(name, value);
  }

  /** The server said no. `error`: its code (RFC 6749, 5.2), or `http_403` without one. */
  refused(error: string, description: string | undefined, more: ErrorDetails = {}): ToolkitError {
    const code = this.#foreign(error, 60);
    const words = description === undefined || description === '' ? '' : ` (${this.#foreign(description)})`;
    const message = `${this.#subject} was refused: ${code}${words}. ${this.#adviceFor(error)}`;
    const isBusy = more.status === 429;
    return new ToolkitError(isBusy ? 'RATE_LIMITED' : 'AUTH_FAILED', message, {
      ...more,
      provider: this.#provider,
      oauth: { kind: 'refused', error: code },
    });
  }

  /** No request reached the server. */
  unsent(problem: string, cause?: unknown, advice = this.#adviceForUnsent()): ToolkitError {
    return this.#unavailable('unsent', `${this.#subject} was not sent: ${this.#foreign(problem)}. ${advice}`, cause);
  }

  /** A request was sent, and there is no usable answer. */
  unanswered(problem: string, cause?: unknown): ToolkitError {
    const advice = `The server may have acted. Check that the address ${this.#shownAddress()}is right, and try again.`;
    return this.#unavailable('unanswered', `${this.#subject} got no usable answer: ${this.#foreign(problem)}. ${advice}`, cause);
  }

  /** The answer belongs to another client or issuer. */
  mismatch(problem: string): ToolkitError {
    return mismatchError(this.#provider, this.#foreign(problem));
  }

  /** The caller ended the request. `isSent`: true when it may have reached the server. */
  aborted(isSent: boolean, cause: unknown): ToolkitError {
    const kind: OAuthFailureKind = isSent ? 'unanswered' : 'unsent';
    return new ToolkitError('ABORTED', `${this.#subject} was cancelled.`, { provider: this.#provider, oauth: { kind } }, { cause });
  }

  #adviceFor(error: string): string {
    return wrongAddress.has(error) ? `Check the address ${this.#shownAddress()}in the "oauth2" of the provider.` : adviceFor(error);
  }

  #shownAddress(): string {
    return this.#address === '' ? '' : `${this.#foreign(this.#address)} `;
  }

  #adviceForUnsent(): string {
    return this.#address === '' ? 'Try again later.' : `Check the network, and that a server answers at ${this.#foreign(this.#address)}.`;
  }

  #unavailable(kind: OAuthFailureKind, message: string, cause: unknown): ToolkitError {
    return new ToolkitError('UPSTREAM_UNAVAILABLE', message, { provider: this.#provider, oauth: { kind } }, { cause });
  }

  /** Masks before it cuts: a cut secret would not be found. */
  #foreign(text: string, limit = maxForeign): string {
    return excerpt(this.#redactor.text(text), limit).replace(/[.\s]+$/, '');
  }
}

/** Answers of a server that has nothing at the address. */
const wrongAddress: ReadonlySet<string> = new Set(['http_404', 'http_405', 'http_410']);

const advice: Readonly<Record<string, string>> = {
  invalid_grant: 'The code or the refresh token has expired, was revoked or was used before: log in again.',
  invalid_client: 'Check the client id, the client secret and the way in which they are sent ("client_auth").',
  unauthorized_client: 'Allow this kind of login in the settings of the OAuth application at the provider.',
  unsupported_grant_type: 'Check "grant" and "token_url" of the provider.',
  invalid_scope: 'Ask for scopes that the provider gives.',
  access_denied: 'Access was not allowed. Log in again, and allow it.',
  expired_token: 'Nobody allowed it in time. Log in again.',
  invalid_request: 'Check the settings of the provider.',
};

function adviceFor(error: string): string {
  if (Object.hasOwn(advice, error)) return advice[error] ?? '';
  return error === 'http_429' ? 'Try again later.' : 'Check the settings of the provider, or log in again.';
}
