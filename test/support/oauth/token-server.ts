import type { IncomingMessage, ServerResponse } from 'node:http';
import type { OAuthSettings, TokenSet } from '../../../plugins/shared/oauth/types.ts';
import { json, loopbackServer } from '../loopback.ts';
import { type Gate, signal } from './gate.ts';
import { type Parameters, TokenGrants, type TokenGrantsOptions } from './token-grants.ts';
import { parametersOf, type TokenRequestSeen } from './token-request.ts';
import { type Script, write } from './token-script.ts';

export type { Gate, Script };

/**
 * A small authorization server on loopback whose behaviour, clock and answers are in the test's hands. Counts token requests. Not certified: see
 * `providerServer` for that. Its members may be changed at any time. Closed after the test.
 *
 *     const server = await TokenServer.start({ lifeMs: 60_000, now: () => clock.now });
 *     const client = createOAuthClient(server.settings(), { fetch, now: () => clock.now });
 *     const request = await client.begin({ redirectUri, scopes: ['read'] });
 *     const tokens = await client.finish(request, server.authorize(request.url).searchParams);
 *     const gate = server.hold();
 *     const refreshed = client.refresh(tokens);
 *     await gate.reached;
 *     gate.open();
 *     expect(server.count('refresh_token')).to.equal(1);
 */
export class TokenServer extends TokenGrants {
  /** Origin of the server, and its issuer. */
  readonly url: string;
  /** Token requests in order, with refused ones. */
  readonly requests: TokenRequestSeen[] = [];
  /** Requests to `/api`: the account that each was answered for, `401` for the others. */
  readonly apiCalls: string[] = [];
  /** Tokens that were revoked over `/revoke`. */
  readonly revoked: string[] = [];
  /** Secret of the client. @default 'toolkit-secret' */
  clientSecret = 'toolkit-secret';
  /** Refuses to revoke, with what is made of the request. @default revokes */
  refuseRevocation: ((parameters: Parameters) => unknown) | undefined;
  readonly #scripts: Script[] = [];
  #gate: { readonly opened: Promise<void>; readonly reach: () => void; waiting: number } | undefined;

  private constructor(url: string, options: TokenGrantsOptions) {
    super(options);
    this.url = url;
  }

  static async start(options: TokenGrantsOptions = {}): Promise<TokenServer> {
    let server: TokenServer | undefined;
    const url = await loopbackServer((request, body, response) => server?.answer(request, body, response));
    server = new TokenServer(url, options);
    return server;
  }

  /** Number of token requests of a grant, such as `refresh_token`. */
  count(grant: string): number {
    return this.requests.filter((request) => request.grant === grant).length;
  }

  /** Settings of a client there: id `toolkit`, secret `toolkit-secret`. The client `public` has none. */
  settings(more: Partial<OAuthSettings> = {}): OAuthSettings {
    return {
      provider: 'acme',
      issuer: this.url,
      grant: 'code',
      authUrl: `${this.url}/authorize`,
      deviceUrl: `${this.url}/device`,
      tokenUrl: `${this.url}/token`,
      revokeUrl: `${this.url}/revoke`,
      clientId: 'toolkit',
      clientSecret: this.clientSecret,
      clientAuth: 'post',
      tokenBody: 'form',
      pkce: true,
      scopeSeparator: ' ',
      authorizationParams: {},
      tokenParams: {},
      provides: { ACME_TOKEN: 'access_token' },
      accountPath: 'account',
      refreshMarginMs: 60_000,
      operatorOrigins: [this.url],
      ...more,
    };
  }

  /** Does what a browser does with an authorization address. Returns the redirect, which nothing follows. `GET /authorize` redirects at once. */
  authorize(url: string): URL {
    const asked: Parameters = Object.fromEntries(new URL(url).searchParams);
    const redirect = new URL(asked['redirect_uri'] ?? '');
    const answer = { code: this.addCode(asked), state: asked['state'] ?? '', iss: this.url };
    for (const [name, value] of Object.entries(answer)) redirect.searchParams.set(name, value);
    return redirect;
  }

  /** Issues the tokens of a new login without a request. */
  issue(scopes: readonly string[] = ['read']): TokenSet {
    const answer = this.newLogin(this.account, scopes);
    return {
      accessToken: String(answer['access_token']),
      refreshToken: String(answer['refresh_token']),
      receivedAt: this.now(),
      ...(this.lifeMs === undefined ? {} : { lifetimeMs: this.lifeMs }),
      scopes,
      values: { ACME_TOKEN: String(answer['access_token']) },
      account: this.account,
    };
  }

  /** Scripts the next token answers, one each. */
  next(...scripts: readonly Script[]): void {
    this.#scripts.push(...scripts);
  }

  /** Holds token answers, after the server has acted, until the gate is opened. */
  hold(): Gate {
    const [reached, reach] = signal();
    const [opened, open] = signal();
    const gate = { opened, reach, waiting: 0 };
    this.#gate = gate;
    return {
      reached,
      get waiting() {
        return gate.waiting;
      },
      open: () => {
        if (this.#gate === gate) this.#gate = undefined;
        open();
      },
    };
  }

  /** Answers a request to any path of the server. */
  async answer(request: IncomingMessage, body: Buffer, response: ServerResponse): Promise<void> {
    const { pathname } = new URL(request.url ?? '/', this.url);
    const parameters = parametersOf(request, body);
    if (pathname === '/authorize') response.writeHead(302, { location: this.authorize(`${this.url}${request.url}`).href }).end();
    else if (pathname === '/token') await this.#answerToken(request, parameters, response);
    else if (pathname === '/device') json(response, { ...this.addDevice(parameters), verification_uri: `${this.url}/enter` });
    else if (pathname === '/revoke') this.#revoke(parameters, response);
    else if (pathname === '/api') this.#answerApi(request, response);
    else json(response, { error: 'not_found' }, 404);
  }

  async #answerToken(request: IncomingMessage, parameters: Parameters, response: ServerResponse): Promise<void> {
    this.requests.push({ grant: parameters['grant_type'] ?? '', parameters, headers: request.headers });
    const script = this.#scripts.shift();
    if (typeof script === 'object' && 'respond' in script) return script.respond(response, request);
    if (typeof script === 'object' && 'refuse' in script) return json(response, script.refuse(parameters), script.status ?? 400);
    if (typeof script === 'object' && 'answer' in script) return write(response, script.answer);
    const { client_id: client } = parameters;
    const secret = client === 'toolkit' ? this.clientSecret : `${client}-secret`;
    const isClient = client === 'public' || parameters['client_secret'] === secret;
    const answer = isClient ? this.grant(parameters) : { error: 'invalid_client' };
    const gate = this.#gate;
    if (gate !== undefined) {
      gate.waiting++;
      gate.reach();
      await gate.opened;
    }
    if (script === 'lose') response.destroy();
    else if ('error' in answer) json(response, answer, 400);
    else json(response, script === undefined ? answer : script.change(answer));
  }

  #revoke(parameters: Parameters, response: ServerResponse): void {
    const { token = '' } = parameters;
    if (this.refuseRevocation !== undefined) json(response, this.refuseRevocation(parameters), 400);
    else {
      this.revoked.push(token);
      this.endLogin(token);
      response.writeHead(200).end();
    }
  }

  #answerApi(request: IncomingMessage, response: ServerResponse): void {
    const [, token = ''] = /^Bearer (.+)$/i.exec(request.headers.authorization ?? '') ?? [];
    const account = this.accountOf(token);
    this.apiCalls.push(account ?? '401');
    if (account === undefined) json(response, { error: 'invalid_token' }, 401, { 'www-authenticate': 'Bearer error="invalid_token"' });
    else json(response, { account });
  }
}
