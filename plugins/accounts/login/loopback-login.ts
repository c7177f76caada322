import { parseUrl, ToolkitError } from '../../../kernel/index.ts';
import { isLoopback } from '../../shared/http/loopback.ts';
import type { OAuthClient, TokenSet } from '../../shared/oauth/types.ts';
import { RedirectListener } from './redirect-listener.ts';

/** Reads the redirect that a person pastes. Undefined when nothing is pasted. `hasListener`: the login may end without it. */
export type ReadPasted = (redirectUri: string, hasListener: boolean, signal: AbortSignal) => Promise<URLSearchParams | undefined>;

export interface CodeLogin {
  readonly scopes: readonly string[];
  /** The redirect address of the provider's definition. @default 127.0.0.1 with a free port */
  readonly redirectUri?: string;
  /** Shows the address to the person, or opens it. */
  readonly show: (url: string, redirectUri: string) => Promise<void>;
  /** Stores the tokens, and returns the sentence of the last page. */
  readonly store: (tokens: TokenSet) => Promise<string>;
  /** Reads a pasted redirect while the listener waits. @default the listener alone */
  readonly readPasted?: ReadPasted;
  /** True where a person pastes the redirect anyway: the login goes on if its port is in use. @default false */
  readonly isListenerOptional?: boolean;
  readonly signal: AbortSignal;
}

/**
 * Logs in by an authorization code: through a listener on this machine (RFC 8252, 7.3), or by the address that a person pastes from a browser on
 * another machine. Whichever is first counts, once.
 */
export async function loopbackLogin(client: OAuthClient, login: CodeLogin): Promise<void> {
  const { scopes, show, store, readPasted, redirectUri: given } = login;
  const listener = given === undefined || isLocal(given) ? await openListener(login) : undefined;
  const ended = new AbortController();
  const signal = AbortSignal.any([login.signal, ended.signal]);
  try {
    const redirectUri = listener?.redirectUri ?? given ?? '';
    const request = await client.begin({ redirectUri, scopes });
    const finish = once(async (redirect: URLSearchParams) => store(await client.finish(request, redirect, login.signal)));
    await show(request.url, redirectUri);
    const waits = [
      ...(listener === undefined ? [] : [listener.wait({ state: request.state, finish }, signal)]),
      ...(readPasted === undefined
        ? []
        : [pasted(readPasted(redirectUri, listener !== undefined, signal), finish, listener !== undefined, signal)]),
    ];
    if (waits.length === 0) throw noWay(client.settings.provider, redirectUri);
    await Promise.race(waits.map(async (wait) => wait));
  } finally {
    ended.abort();
    await listener?.close();
  }
}

/** Opens the listener. Undefined where the login can do without it. */
async function openListener({ redirectUri, isListenerOptional = false }: CodeLogin): Promise<RedirectListener | undefined> {
  try {
    return await RedirectListener.open(redirectUri);
  } catch (error) {
    if (isListenerOptional && redirectUri !== undefined) return undefined;
    throw error;
  }
}

/** True for an address at which this machine can listen. */
export function isLocal(redirectUri: string): boolean {
  const url = parseUrl(redirectUri);
  return url?.protocol === 'http:' && (url.hostname === 'localhost' || (isLoopback(url.hostname) && url.hostname === '127.0.0.1'));
}

/** Finishes with a pasted redirect. Without one it waits for the listener, which ends by `signal`. */
async function pasted(
  reading: Promise<URLSearchParams | undefined>,
  finish: (redirect: URLSearchParams) => Promise<string>,
  hasListener: boolean,
  signal: AbortSignal,
): Promise<void> {
  const redirect = await reading;
  if (redirect !== undefined) {
    await finish(redirect);
    return;
  }
  if (!hasListener) throw new ToolkitError('ABORTED', 'Nothing was connected: no address was pasted.');
  await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
}

function once(finish: (redirect: URLSearchParams) => Promise<string>): (redirect: URLSearchParams) => Promise<string> {
  let isUsed = false;
  return async (redirect) => {
    if (isUsed) throw new ToolkitError('INVALID_PARAMETERS', 'This login has been answered already. To log in again, begin anew.');
    isUsed = true;
    return finish(redirect);
  };
}

function noWay(provider: string, redirectUri: string): ToolkitError {
  return new ToolkitError(
    'INVALID_PARAMETERS',
    `"${provider}" sends people back to ${redirectUri}, where this command cannot listen. Type it with --no-browser, and paste the address that the browser ends at.`,
  );
}
