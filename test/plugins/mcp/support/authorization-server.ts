import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type CryptoKey, exportJWK, generateKeyPair, type JWK, type JWTPayload, SignJWT } from 'jose';
import sinon from 'sinon';
import { handlerTool } from './client.ts';

/** Scopes that clients may ask for. */
const scopes = 'tools:read tools:write tools:admin demo';

/** The client that this project's server is to the issuer. */
export const resourceServer = { clientId: 'resource server', clientSecret: 'its secret: 100% & more' };

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

/** A client that acts for a person. */
export const publicClient = { clientId: 'public', redirectUrl: 'http://127.0.0.1/callback' };

/** A tool that says who has called it. */
export const whoami = handlerTool((_, { caller }) => caller, { name: 'whoami', risk: 'low' });

/** oidc-provider, as far as it is used here. */
interface Provider {
  callback(): Handler;
  readonly Grant: new (
    grant: object,
  ) => { addResourceScope(resource: string, scope: string): void; addOIDCScope(scope: string): void; save(): Promise<string> };
  interactionFinished(request: IncomingMessage, response: ServerResponse, result: object): Promise<void>;
}

interface SigningKey {
  readonly alg: string;
  readonly kid: string;
  readonly privateKey: CryptoKey;
  readonly publicKey: CryptoKey;
  readonly jwk: JWK;
}

export interface Forgery {
  /** Over those of a good token; undefined leaves one out. */
  readonly claims?: Readonly<Record<string, unknown>>;
  readonly header?: Readonly<Record<string, unknown>>;
  /** @default the issuer's own key */
  readonly key?: CryptoKey | Uint8Array;
}

/** An authorization server on loopback, with what a test needs to know of it. */
export class AuthorizationServer {
  readonly issuer: string;
  /** Paths that were asked for, in order. */
  readonly asked: string[] = [];
  /** A handler in place of the provider, until it is removed. */
  instead: Handler | undefined;
  readonly #server: Server;
  readonly #format: 'jwt' | 'opaque';
  #handle: Handler = () => {};
  #key: SigningKey;

  private constructor(server: Server, issuer: string, format: 'jwt' | 'opaque', key: SigningKey) {
    this.#server = server;
    this.issuer = issuer;
    this.#format = format;
    this.#key = key;
    server.on('request', (request: IncomingMessage, response: ServerResponse) => {
      this.asked.push((request.url ?? '').split('?', 1)[0] ?? '');
      (this.instead ?? this.#handle)(request, response);
    });
  }

  /** `format`: of its access tokens. */
  static async start({ format = 'jwt' as 'jwt' | 'opaque', alg = 'ES256' } = {}): Promise<AuthorizationServer> {
    const server = createServer();
    server.keepAliveTimeout = 0;
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const started = new AuthorizationServer(server, issuer, format, await signingKey(alg));
    await started.#serve();
    return started;
  }

  /** The handler of the provider itself. */
  get itself(): Handler {
    return this.#handle;
  }

  get key(): SigningKey {
    return this.#key;
  }

  /** Signs with another key from now on, and publishes no other. */
  async rotate(): Promise<void> {
    this.#key = await signingKey(this.#key.alg);
    await this.#serve();
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  /** A token for the client `machine`, as it gets it from the issuer. */
  async token(resource: string, scope = ''): Promise<string> {
    const answer = await this.#post('/token', { grant_type: 'client_credentials', resource, scope }, 'machine:secret');
    const { access_token: token } = (await answer.json()) as { readonly access_token?: string };
    if (token === undefined) throw new Error(`no token was issued: ${answer.status}`);
    return token;
  }

  async revoke(token: string): Promise<void> {
    await this.#post('/token/revocation', { token }, 'machine:secret');
  }

  /** A token that is good but for what is said here, signed with the issuer's own key. */
  async forged(resource: string, { claims = {}, header = {}, key = this.#key.privateKey }: Forgery = {}): Promise<string> {
    const now = Math.floor(Date.now() / 1000);
    const good = { iss: this.issuer, aud: resource, sub: 'ada', client_id: 'machine', iat: now, exp: now + 600, jti: 'one' };
    const { alg, kid } = this.#key;
    return new SignJWT(defined({ ...good, ...claims }) as JWTPayload)
      .setProtectedHeader(defined({ alg, kid, typ: 'at+jwt', ...header }) as never)
      .sign(key);
  }

  async #post(path: string, body: Record<string, string>, client: string): Promise<Response> {
    const headers = { authorization: `Basic ${Buffer.from(client).toString('base64')}` };
    return fetch(`${this.issuer}${path}`, { method: 'POST', headers, body: new URLSearchParams(body) });
  }

  async #serve(): Promise<void> {
    const provider = await quietProvider(
      this.issuer,
      configuration(this.#format, this.#key, () => provider),
    );
    const callback = provider.callback();
    this.#handle = (request, response) => {
      // Whoever comes is logged in as ada: what is tested is not the login page.
      if (request.url?.startsWith('/interaction/') !== true) return callback(request, response);
      void provider.interactionFinished(request, response, { login: { accountId: 'ada' } });
    };
  }
}

async function signingKey(alg: string): Promise<SigningKey> {
  const { privateKey, publicKey } = await generateKeyPair(alg, { extractable: true });
  const kid = crypto.randomUUID();
  return { alg, kid, privateKey, publicKey, jwk: { ...(await exportJWK(privateKey)), kid, alg, use: 'sig' } };
}

/** It warns of everything that a test server need not have. */
async function quietProvider(issuer: string, options: object): Promise<Provider> {
  const quiet = [sinon.stub(console, 'warn'), sinon.stub(console, 'info')];
  try {
    const { Provider: Made } = (await import('oidc-provider' as string)) as {
      readonly Provider: new (issuer: string, options: object) => Provider;
    };
    return new Made(issuer, options);
  } finally {
    for (const stub of quiet) stub.restore();
  }
}

function configuration(format: 'jwt' | 'opaque', { alg, jwk }: SigningKey, provider: () => Provider): object {
  const own = { grant_types: [], redirect_uris: [], response_types: [] };
  return {
    jwks: { keys: [jwk] },
    ttl: { AccessToken: 600, AuthorizationCode: 60, ClientCredentials: 600, Grant: 600, IdToken: 600, Interaction: 600, Session: 600 },
    cookies: { keys: ['of the tests'] },
    scopes: ['openid', ...scopes.split(' ')],
    clients: [
      { ...own, client_id: 'machine', client_secret: 'secret', grant_types: ['client_credentials'] },
      {
        client_id: publicClient.clientId,
        redirect_uris: [publicClient.redirectUrl],
        grant_types: ['authorization_code'],
        response_types: ['code'],
        token_endpoint_auth_method: 'none',
      },
      { ...own, client_id: resourceServer.clientId, client_secret: resourceServer.clientSecret },
    ],
    clientDefaults: { id_token_signed_response_alg: alg },
    findAccount: (_: unknown, id: string) => ({ accountId: id, claims: () => ({ sub: id }) }),
    features: {
      devInteractions: { enabled: false },
      clientCredentials: { enabled: true },
      introspection: { enabled: true, allowedPolicy: () => true },
      revocation: { enabled: true, allowedPolicy: () => true },
      resourceIndicators: {
        enabled: true,
        useGrantedResource: () => true,
        getResourceServerInfo: (_: unknown, resource: string) => ({
          scope: scopes,
          audience: resource,
          accessTokenFormat: format,
          jwt: { sign: { alg } },
        }),
      },
    },
    interactions: { url: (_: unknown, { uid }: { readonly uid: string }) => `/interaction/${uid}` },
    loadExistingGrant: async ({ oidc }: GrantContext) => {
      const grant = new (provider().Grant)({ clientId: oidc.client.clientId, accountId: oidc.session.accountId });
      const asked = String(oidc.params['scope'] ?? '');
      for (const resource of [oidc.params['resource']].flat()) grant.addResourceScope(String(resource), asked);
      grant.addOIDCScope(asked);
      await grant.save();
      return grant;
    },
  };
}

interface GrantContext {
  readonly oidc: {
    readonly client: { readonly clientId: string };
    readonly session: { readonly accountId: string };
    readonly params: Readonly<Record<string, unknown>>;
  };
}

function defined(members: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));
}
