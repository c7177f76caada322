import { type OutboundFetch, parseUrl, ToolkitError } from '../../../kernel/index.ts';
import { type Challenge, challengeOf } from '../../shared/http/challenge.ts';

export interface BearerFetchOptions {
  readonly fetch: OutboundFetch;
  /** The server's address. Tokens are sent to its origin alone. */
  readonly url: string;
  /** Returns an access token that can be used. `refused`: one that got 401. */
  readonly access: (signal: AbortSignal, refused?: string) => Promise<string>;
  /** Called for each 401, with the token that got it. */
  readonly onRefused: (challenge: Challenge, token: string) => void;
  /** Returns the error for the newest token being refused. */
  readonly refused: () => ToolkitError;
  /** Returns the error for a token that lacks scopes. */
  readonly scopesLacked: (challenge: Challenge, signal: AbortSignal) => Promise<ToolkitError>;
}

/** A signal that never aborts. */
const never = new AbortController().signal;

/**
 * Wraps a fetch: each request carries an access token. A request that the server refuses with 401 is sent once more with a newer token: it was not
 * carried out. No other request is sent twice.
 */
export function bearerFetch({ fetch, url, access, onRefused, refused, scopesLacked }: BearerFetchOptions): OutboundFetch {
  const { origin } = parseUrl(url) ?? {};
  return async (input, init = {}, options) => {
    const target = input instanceof Request ? input.url : String(input);
    if (parseUrl(target)?.origin !== origin)
      throw new ToolkitError(
        'OUTBOUND_BLOCKED',
        `A request to another origin than ${origin} would carry the token of that server: it was not sent.`,
      );
    const signal = init.signal ?? never;
    const send = (token: string): Promise<Response> => {
      const headers = new Headers(init.headers);
      headers.set('authorization', `Bearer ${token}`);
      return fetch(input, { ...init, headers }, options);
    };
    const token = await access(signal);
    let response = await send(token);
    if (response.status === 401) {
      onRefused(await drained(response), token);
      const newer = await access(signal, token);
      if (newer === token) throw refused();
      response = await send(newer);
      if (response.status === 401) {
        onRefused(await drained(response), newer);
        throw refused();
      }
    }
    if (response.status !== 403) return response;
    const challenge = challengeOf(response);
    if (challenge?.error !== 'insufficient_scope') return response;
    throw await scopesLacked(await drained(response), signal);
  };
}

/** Ends a response that is not read, and returns its challenge. */
async function drained(response: Response): Promise<Challenge> {
  await response.body?.cancel().catch(() => {});
  return challengeOf(response) ?? { scopes: [] };
}
