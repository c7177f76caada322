import { excerpt, type Logger, messageOf } from '../../../kernel/index.ts';
import type { OAuthClient, TokenSet } from '../../shared/oauth/types.ts';
import { accountLabel } from '../account-label.ts';
import type { Grant, GrantOwner } from '../grants/grant.ts';
import { isLocal } from './loopback-login.ts';
import { RedirectListener } from './redirect-listener.ts';

export interface LocalLoginServices {
  /** Returns the OAuth client at a provider. */
  clientOf(provider: string): Promise<OAuthClient>;
  /** Returns the redirect address that a provider's definition names; undefined where any will do. */
  redirectUriOf(provider: string): Promise<string | undefined>;
  /** Stores a login. Throws when the provider has another authorization server than the owner's. */
  save(owner: GrantOwner, client: OAuthClient, tokens: TokenSet, scopes: readonly string[]): Promise<Grant>;
  readonly logger: Pick<Logger, 'info' | 'warn'>;
}

/** The end of a login. `isConnected: false`: `reason` says why, for the person. */
export type LoginEnd = { readonly isConnected: true } | { readonly isConnected: false; readonly reason: string };

/** A login in a browser of this machine, whose listener is open. */
export interface LocalLogin {
  /** The provider's address for the browser. */
  readonly url: string;
  /** Resolves when the login has ended, and its listener is closed. Never rejects. */
  readonly ended: Promise<LoginEnd>;
  /** Ends the login. Resolves when the listener is closed. */
  close(): Promise<void>;
}

/** Time for a person to log in, in milliseconds. */
const loginLimitMs = 10 * 60_000;

/**
 * Begins a login, and listens on this machine for its end (RFC 8252, 7.3). Undefined where that is not possible: the provider has no login in a
 * browser, or sends people elsewhere, or its only port is in use.
 */
export async function beginLocalLogin(
  owner: GrantOwner,
  scopes: readonly string[],
  services: LocalLoginServices,
): Promise<LocalLogin | undefined> {
  const client = await services.clientOf(owner.provider);
  const given = await services.redirectUriOf(owner.provider);
  if (client.settings.grant !== 'code' || client.settings.authUrl === undefined || (given !== undefined && !isLocal(given)))
    return undefined;
  const listener = await opened(given, services.logger);
  if (listener === undefined) return undefined;
  try {
    const request = await client.begin({ redirectUri: listener.redirectUri, scopes });
    const stop = new AbortController();
    const signal = AbortSignal.any([stop.signal, AbortSignal.timeout(loginLimitMs)]);
    const finish = async (redirect: URLSearchParams): Promise<string> => {
      const grant = await services.save(owner, client, await client.finish(request, redirect, signal), scopes);
      services.logger.info('account connected, in a browser of this machine', { provider: owner.provider, account: owner.account });
      return `The account ${accountLabel(grant)} at ${owner.provider} is connected. You may close this window.`;
    };
    const ended = endOf(listener.wait({ state: request.state, finish }, signal), listener, stop.signal, (reason) =>
      services.logger.warn(`login in a browser failed: ${excerpt(reason)}`, { provider: owner.provider, account: owner.account }),
    );
    const close = async (): Promise<void> => {
      stop.abort();
      await ended;
    };
    return { url: request.url, ended, close };
  } catch (error) {
    await listener.close();
    throw error;
  }
}

async function opened(redirectUri: string | undefined, logger: Pick<Logger, 'warn'>): Promise<RedirectListener | undefined> {
  try {
    return await RedirectListener.open(redirectUri);
  } catch (error) {
    logger.warn(messageOf(error));
    return undefined;
  }
}

/** Waits for the end of a login, and closes its listener. `stopped`: its abort is no failure. */
async function endOf(
  waiting: Promise<void>,
  listener: RedirectListener,
  stopped: AbortSignal,
  failed: (reason: string) => void,
): Promise<LoginEnd> {
  try {
    await waiting;
    return { isConnected: true };
  } catch (error) {
    if (stopped.aborted) return { isConnected: false, reason: 'The call that asked for it has ended.' };
    const isLate = error instanceof Error && error.name === 'TimeoutError';
    const reason = isLate ? 'Nobody finished it within ten minutes.' : messageOf(error);
    failed(reason);
    return { isConnected: false, reason };
  } finally {
    await listener.close();
  }
}
