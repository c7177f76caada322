/// <reference path="./oidc-provider.d.ts" />
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type Provider from 'oidc-provider';
import type { OAuthSettings } from '../../../plugins/shared/oauth/types.ts';
import { afterEach } from '../after-each.ts';

export interface ProviderServerOptions {
  /** Scopes beyond `openid` and `offline_access`. @default ['read', 'write', 'admin'] */
  readonly scopes?: readonly string[];
  /** True when a refresh gives a new refresh token, and kills the old one. @default true */
  readonly rotates?: boolean;
  /** Life of an access token, in seconds. Counted by `Date.now()`. @default 3600 */
  readonly lifeS?: number;
  /** The person at the browser. @default 'ann@acme.example' */
  readonly person?: string;
  /** Host of its addresses: `localhost` is another site than 127.0.0.1 to a browser. @default '127.0.0.1' */
  readonly host?: '127.0.0.1' | 'localhost';
  /** True when people sign in and agree by the pages of oidc-provider; then `authorize` cannot. @default false */
  readonly hasPages?: boolean;
  /** Form of access tokens for a `resource`. @default 'opaque' */
  readonly accessTokenFormat?: 'opaque' | 'jwt';
  /** More members of oidc-provider's configuration. */
  readonly configuration?: Readonly<Record<string, unknown>>;
}

/** An authorization server on loopback: oidc-provider, certified, with PKCE, rotation, devices, client credentials, revocation and registration. */
export interface ProviderServer {
  readonly issuer: string;
  /** Ready settings of a client there. It has the id `toolkit`, the secret `toolkit-secret` and any loopback redirect. */
  settings(more?: Partial<OAuthSettings>): OAuthSettings;
  /** Does what a browser does with an authorization address, as `person`: logs in, allows (or with `denies` does not). Returns the redirect, which nothing follows. */
  authorize(url: string, options?: { readonly denies?: boolean }): Promise<URL>;
  /** Allows or denies a login by device, as `person`. */
  decideDevice(userCode: string, options?: { readonly denies?: boolean }): Promise<void>;
  /** The person at the browser from now on. */
  person: string;
  /** Life of access tokens that are issued from now on, in seconds. */
  lifeS: number;
  /** Token requests that were answered, in order: the grant, and the status. */
  readonly tokenRequests: readonly { readonly grant: string; readonly status: number }[];
  /** Ids of the clients that were registered dynamically. */
  readonly registered: readonly string[];
  /** Forgets a client that was registered dynamically. */
  forget(clientId: string): Promise<void>;
  /** The account and scopes of a live access token. `GET {issuer}/me` with a bearer token answers the same, or 401. */
  introspect(accessToken: string): Promise<{ readonly account: string; readonly scopes: readonly string[] } | undefined>;
}

const clientId = 'toolkit';
const clientSecret = 'toolkit-secret';
const opened: Server[] = [];

afterEach(async () => {
  for (const server of opened.splice(0)) {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
});

/** Starts an authorization server on a free port, closed after the test. Interaction pages answer at once, in a real browser as well. */
export async function providerServer(options: ProviderServerOptions = {}): Promise<ProviderServer> {
  let handle: (request: IncomingMessage, response: ServerResponse) => void = () => {};
  const server = createServer((request, response) => handle(request, response));
  server.keepAliveTimeout = 0;
  opened.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const running = new RunningProvider(`http://${options.host ?? '127.0.0.1'}:${(server.address() as AddressInfo).port}`, options);
  handle = await running.handler();
  return running;
}

class RunningProvider implements ProviderServer {
  readonly issuer: string;
  readonly tokenRequests: { readonly grant: string; readonly status: number }[] = [];
  readonly registered: string[] = [];
  person: string;
  lifeS: number;
  readonly #options: ProviderServerOptions;
  readonly #scopes: readonly string[];
  #provider: Provider | undefined;
  /** Interactions that are denied, by their states. */
  readonly #denied = new Set<string>();

  constructor(issuer: string, options: ProviderServerOptions) {
    const { scopes = ['read', 'write', 'admin'], lifeS = 3600, person = 'ann@acme.example' } = options;
    this.issuer = issuer;
    this.person = person;
    this.lifeS = lifeS;
    this.#options = options;
    this.#scopes = ['openid', 'offline_access', 'email', ...scopes];
  }

  settings(more: Partial<OAuthSettings> = {}): OAuthSettings {
    return {
      provider: 'acme',
      issuer: this.issuer,
      requiresIss: true,
      grant: 'code',
      authUrl: `${this.issuer}/auth`,
      deviceUrl: `${this.issuer}/device/auth`,
      tokenUrl: `${this.issuer}/token`,
      revokeUrl: `${this.issuer}/token/revocation`,
      clientId,
      clientSecret,
      clientAuth: 'basic',
      tokenBody: 'form',
      pkce: true,
      scopeSeparator: ' ',
      authorizationParams: { prompt: 'consent' },
      tokenParams: {},
      provides: { ACME_TOKEN: 'access_token' },
      accountPath: 'id_token.email',
      refreshMarginMs: 60_000,
      operatorOrigins: [this.issuer],
      ...more,
    };
  }

  async authorize(url: string, { denies = false } = {}): Promise<URL> {
    const cookies = new Map<string, string>();
    if (denies) this.#denied.add(new URL(url).searchParams.get('state') ?? '');
    let next = new URL(url);
    for (let hop = 0; hop < 10; hop++) {
      const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
      const response = await fetch(next, { redirect: 'manual', headers: { cookie, accept: 'text/html' } });
      for (const line of response.headers.getSetCookie()) {
        const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
        cookies.set(name, value);
      }
      const location = response.headers.get('location');
      if (location === null)
        throw new Error(`the authorization server answered ${response.status} at ${next.pathname}: ${await response.text()}`);
      await response.arrayBuffer();
      next = new URL(location, next);
      if (next.origin !== this.issuer) return next;
    }
    throw new Error('the authorization server redirects for ever');
  }

  async decideDevice(userCode: string, { denies = false } = {}): Promise<void> {
    const provider = this.#running();
    const code = await provider.DeviceCode.findByUserCode(userCode.replaceAll(/[^A-Za-z0-9]/g, ''));
    if (code === undefined) throw new Error('there is no such user code');
    if (denies) Object.assign(code, { error: 'access_denied', errorDescription: 'the person did not allow it' });
    else {
      const { scope = '' } = code.params as { readonly scope?: string };
      const grant = new provider.Grant({ accountId: this.person, clientId: String(code.clientId) });
      grant.addOIDCScope(scope);
      Object.assign(code, {
        accountId: this.person,
        grantId: await grant.save(3600),
        scope,
        authTime: Math.floor(Date.now() / 1000),
        claims: {},
      });
    }
    await code.save(600);
  }

  async forget(id: string): Promise<void> {
    await this.#running().Client.adapter.destroy(id);
  }

  async introspect(accessToken: string): Promise<{ readonly account: string; readonly scopes: readonly string[] } | undefined> {
    const token = await this.#running().AccessToken.find(accessToken);
    if (token === undefined || token.isExpired === true) return undefined;
    return { account: token.accountId ?? '', scopes: (token.scope ?? '').split(' ') };
  }

  async handler(): Promise<(request: IncomingMessage, response: ServerResponse) => void> {
    const { default: OidcProvider } = await quietly(() => import('oidc-provider'));
    const provider = await quietly(() => new OidcProvider(this.issuer, this.#configuration()));
    this.#provider = provider;
    for (const event of ['grant.success', 'grant.error']) provider.on(event, (context) => this.#record(context));
    provider.on('registration_create.success', (_context, client) => {
      this.registered.push((client as { readonly clientId: string }).clientId);
    });
    const callback = provider.callback();
    return (request, response) => {
      const path = request.url ?? '';
      if (path.startsWith('/allow/')) void this.#interact(request, response);
      else if (path === '/me') void this.#answerMe(request, response);
      else callback(request, response);
    };
  }

  async #interact(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const provider = this.#running();
    const { prompt, params } = await provider.interactionDetails(request, response);
    const { state, client_id: id, scope, resource } = params as Readonly<Record<string, string | undefined>>;
    if (this.#denied.delete(state ?? '')) {
      const result = { error: 'access_denied', error_description: 'the person did not allow it' };
      return provider.interactionFinished(request, response, result, { mergeWithLastSubmission: false });
    }
    if (prompt.name === 'login') return provider.interactionFinished(request, response, { login: { accountId: this.person } });
    const grant = new provider.Grant({ accountId: this.person, clientId: String(id) });
    grant.addOIDCScope(scope ?? '');
    if (resource !== undefined) grant.addResourceScope(resource, scope ?? '');
    await provider.interactionFinished(
      request,
      response,
      { consent: { grantId: await grant.save(3600) } },
      { mergeWithLastSubmission: true },
    );
  }

  async #answerMe(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const [, token = ''] = /^Bearer (.+)$/i.exec(request.headers.authorization ?? '') ?? [];
    const found = await this.introspect(token);
    response
      .writeHead(found === undefined ? 401 : 200, { 'content-type': 'application/json' })
      .end(JSON.stringify(found ?? { error: 'invalid_token' }));
  }

  #record(context: unknown): void {
    const { oidc, status } = context as { readonly status: number; readonly oidc: { readonly params?: { readonly grant_type?: string } } };
    this.tokenRequests.push({ grant: oidc.params?.grant_type ?? '', status });
  }

  #running(): Provider {
    if (this.#provider === undefined) throw new Error('the authorization server has not started');
    return this.#provider;
  }

  #configuration(): Readonly<Record<string, unknown>> {
    const { rotates = true, hasPages = false, accessTokenFormat = 'opaque', configuration = {} } = this.#options;
    const native = { redirect_uris: ['http://127.0.0.1/callback'], application_type: 'native' };
    const grants = ['authorization_code', 'refresh_token', 'client_credentials', 'urn:ietf:params:oauth:grant-type:device_code'];
    const life = (): number => this.lifeS;
    const page = (context: { body: string }): void => {
      context.body = '<p>Device</p>';
    };
    return {
      clients: [
        { ...native, client_id: clientId, client_secret: clientSecret, grant_types: grants },
        {
          ...native,
          client_id: 'public',
          token_endpoint_auth_method: 'none',
          grant_types: grants.filter((one) => one !== 'client_credentials'),
        },
        { ...native, client_id: 'other', client_secret: 'other-secret', grant_types: grants },
      ],
      scopes: this.#scopes,
      claims: { openid: ['sub'], email: ['email'] },
      conformIdTokenClaims: false,
      findAccount: (_context: unknown, id: string) => ({ accountId: id, claims: () => ({ sub: id, email: id }) }),
      ...(hasPages
        ? {}
        : { interactions: { url: (_context: unknown, interaction: { readonly uid: string }) => `/allow/${interaction.uid}` } }),
      features: {
        devInteractions: { enabled: hasPages },
        deviceFlow: { enabled: true, ...(hasPages ? {} : { userCodeInputSource: page, userCodeConfirmSource: page, successSource: page }) },
        clientCredentials: { enabled: true },
        revocation: { enabled: true, allowedPolicy: () => true },
        registration: { enabled: true },
        rpInitiatedLogout: { enabled: false },
        resourceIndicators: {
          enabled: true,
          defaultResource: () => undefined,
          useGrantedResource: () => true,
          getResourceServerInfo: () => ({ scope: this.#scopes.join(' '), accessTokenFormat }),
        },
      },
      clientBasedCORS: () => false,
      cookies: { keys: ['test'] },
      issueRefreshToken: () => true,
      rotateRefreshToken: () => rotates,
      pkce: { required: () => false },
      renderError: (context: { body: string; type: string }, out: unknown, error: Error) => {
        context.type = 'text';
        context.body = `${JSON.stringify(out)} ${error.message}`;
      },
      ttl: {
        AccessToken: life,
        ClientCredentials: life,
        AuthorizationCode: 60,
        DeviceCode: 600,
        IdToken: 3600,
        RefreshToken: 86_400,
        Grant: 86_400,
        Interaction: 600,
        Session: 86_400,
      },
      ...configuration,
    };
  }
}

/** Runs without the notices that oidc-provider prints about keys and settings for development. */
async function quietly<T>(work: () => T | Promise<T>): Promise<T> {
  const { info, warn } = console;
  console.info = console.warn = () => {};
  try {
    return await work();
  } finally {
    Object.assign(console, { info, warn });
  }
}
