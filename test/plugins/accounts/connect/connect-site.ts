import { createHash, randomBytes } from 'node:crypto';
import { type CallerIssuer, type HttpRouteAccess, type OutboundFetch, type StateStore, ToolkitError } from '../../../../kernel/index.ts';
import { MemoryStore } from '../../../../kernel/state/memory-store.ts';
import { type Connect, connect } from '../../../../plugins/accounts/connect/connect.ts';
import type { ConnectAccounts } from '../../../../plugins/accounts/connect/connect-accounts.ts';
import { connectRoutes } from '../../../../plugins/accounts/connect/connect-routes.ts';
import { SignIn } from '../../../../plugins/accounts/connect/sign-in/sign-in.ts';
import type { ConnectStore } from '../../../../plugins/accounts/connect/timed-store.ts';
import type { NewGrant } from '../../../../plugins/accounts/grants/grant.ts';
import type { SignInOptions } from '../../../../plugins/accounts/options.ts';
import { Cipher } from '../../../../plugins/shared/keys/cipher.ts';
import { keptLogger } from '../../../support/log-lines.ts';
import { serveRoutes } from './serve-routes.ts';

const key = new Uint8Array(32).fill(9);
const issuer = 'https://login.mail.example';

export interface SiteOptions {
  readonly hasSeveralCallers?: boolean;
  /** @default the memory of this process */
  readonly state?: ConnectStore;
  /** Public origin. @default the loopback address */
  readonly baseUrl?: string;
  readonly title?: string;
  /** Issuers by which the server names callers. @default none */
  readonly issuers?: readonly CallerIssuer[];
  readonly signIn?: SignInOptions;
  /** Requests to the issuer. @default as they are */
  readonly fetch?: OutboundFetch;
}

/** A server with the pages of logins by link, before a provider that issues one code for each login. */
export interface ConnectSite {
  readonly connect: Connect;
  readonly url: string;
  readonly provider: FakeProvider;
  readonly state: StateStore;
  /** Settings that a test changes. */
  readonly settings: { hasSeveralCallers: boolean; baseUrl: string | undefined };
  readonly logged: readonly string[];
  /** Lets time pass in the store. */
  pass(ms: number): void;
}

/** A provider in this process: what it got, and the grants that were saved of it. */
export class FakeProvider implements ConnectAccounts {
  readonly saved: NewGrant[] = [];
  /** The tokens of all finished logins. */
  readonly issued: string[] = [];
  /** The refresh tokens that were revoked. */
  readonly revoked: string[] = [];
  readonly #codes = new Map<string, string>();
  readonly #title: string;
  failSaving = false;

  constructor(title: string) {
    this.#title = title;
  }

  /** Logs the person in at the address and returns the redirect. */
  redirectOf(address: string, more: Readonly<Record<string, string>> = {}): string {
    const { searchParams } = new URL(address);
    const code = randomBytes(8).toString('hex');
    this.#codes.set(code, searchParams.get('code_challenge') ?? '');
    const redirect = new URL(searchParams.get('redirect_uri') ?? '');
    for (const [name, value] of Object.entries({ code, iss: issuer, state: searchParams.get('state') ?? '', ...more }))
      redirect.searchParams.set(name, value);
    return redirect.href;
  }

  ownerOf: ConnectAccounts['ownerOf'] = async ({ account = 'default', ...holder }) => ({ ...holder, issuer, account });

  begin: ConnectAccounts['begin'] = async (_owner, { redirectUri, scopes, state }) => {
    const verifier = randomBytes(32).toString('base64url');
    const query = new URLSearchParams({ redirect_uri: redirectUri, scope: scopes.join(' '), state, code_challenge: challengeOf(verifier) });
    return { url: `${issuer}/authorize?${query}`, state, verifier, redirectUri, scopes };
  };

  finish: ConnectAccounts['finish'] = async (owner, request, redirect) => {
    const failed = (message: string, kind: string): ToolkitError => new ToolkitError('AUTH_FAILED', message, { oauth: { kind } });
    if (redirect.get('state') !== request.state) throw failed('The state is another.', 'mismatch');
    if (redirect.get('iss') !== issuer) throw failed('The redirect comes from another issuer.', 'mismatch');
    if (redirect.has('error'))
      throw failed(`The provider refused: ${redirect.get('error')} (${redirect.get('error_description')}).`, 'refused');
    const challenge = this.#codes.get(redirect.get('code') ?? '');
    this.#codes.delete(redirect.get('code') ?? '');
    if (challenge === undefined || challenge !== challengeOf(request.verifier ?? '')) throw failed('The code is not valid.', 'refused');
    const accessToken = `secret-access-${randomBytes(8).toString('hex')}`;
    const refreshToken = `secret-refresh-${randomBytes(8).toString('hex')}`;
    this.issued.push(accessToken, refreshToken);
    return {
      owner,
      binding: { clientId: 'client', tokenUrl: `${issuer}/token` },
      tokens: { accessToken, refreshToken, receivedAt: 0, values: { MAIL_TOKEN: accessToken }, account: 'ada@mail.example' },
      scopes: request.scopes,
      from: { kind: 'login' },
    };
  };

  save: ConnectAccounts['save'] = async (grant) => {
    if (this.failSaving) throw new ToolkitError('STATE_UNAVAILABLE', 'The store is away.');
    this.saved.push(grant);
  };

  revoke: ConnectAccounts['revoke'] = async ({ tokens }) => void this.revoked.push(tokens.refreshToken ?? tokens.accessToken);

  hasLinks: ConnectAccounts['hasLinks'] = async () => true;

  scopesFor: ConnectAccounts['scopesFor'] = async () => [];

  titleOf: ConnectAccounts['titleOf'] = () => this.#title;
}

export async function connectSite(options: SiteOptions = {}): Promise<ConnectSite> {
  let now = 0;
  const state = (options.state ?? new MemoryStore(() => now)) as StateStore;
  const provider = new FakeProvider(options.title ?? 'Mail');
  const logger = keptLogger({ level: 'debug' });
  const { issuers = [], signIn: signInOptions } = options;
  const settings = { hasSeveralCallers: options.hasSeveralCallers ?? false, baseUrl: options.baseUrl };
  const access: HttpRouteAccess = {
    baseUrl: () => settings.baseUrl,
    hasSeveralCallers: () => settings.hasSeveralCallers,
    issuers: () => issuers,
  };
  const oauth = { fetch: options.fetch ?? ((url, init) => fetch(url, init)), now: () => Date.now() };
  const secretOf = async (secret: SignInOptions['clientSecret']): Promise<string | undefined> =>
    typeof secret === 'string' ? secret : undefined;
  const signIn = new SignIn({ options: signInOptions, access, oauth, secretOf, logger });
  const made = connect({ access, state, keys: { cipher: () => new Cipher(() => [key]) }, accounts: provider, signIn, logger });
  const routes = connectRoutes(made.handle);
  const url = await serveRoutes(() => routes);
  const pass = (ms: number): void => {
    now += ms;
  };
  settings.baseUrl ??= url;
  return { connect: made, url, provider, state, settings, logged: logger.lines, pass };
}

function challengeOf(verifier: string): string {
  return createHash('sha256').update(verifier).digest('base64url');
}
