import { createHash, generateKeyPairSync, randomUUID, sign } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

export type Claims = Readonly<Record<string, unknown>>;

/** A token that is not the provider's: with the signature of another key, or with that of another text. */
export type ForgedToken = 'another key' | 'another text';

interface Granted {
  readonly claims: Claims;
  readonly forged: ForgedToken | undefined;
  readonly nonce: string | undefined;
  readonly challenge: string | undefined;
  readonly clientId: string;
}

const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const { privateKey: otherKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });

/**
 * An OpenID provider at which anybody signs in as the test says, so that its tokens can have any claim. It checks the verifier of a login that has a
 * challenge, and takes a code as often as it comes.
 */
export class Provider {
  readonly issuer: string;
  /** Difference of its clock, in milliseconds. */
  shiftMs = 0;
  readonly #server: Server;
  readonly #codes = new Map<string, Granted>();

  private constructor(server: Server) {
    this.#server = server;
    this.issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  static async start(): Promise<Provider> {
    let handle: (request: IncomingMessage, response: ServerResponse) => void = () => {};
    const server = createServer((request, response) => handle(request, response));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const provider = new Provider(server);
    handle = (request, response) => void provider.#answer(request, response);
    return provider;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  /**
   * Signs a person in at an authorization address, as a browser does there. Returns the query of the redirect to the console. `claims` are added to
   * those of a right token, also in place of them.
   */
  authorize(address: string, claims: Claims, forged?: ForgedToken): URLSearchParams {
    const { searchParams } = new URL(address);
    const code = randomUUID();
    this.#codes.set(code, {
      claims,
      forged,
      nonce: searchParams.get('nonce') ?? undefined,
      challenge: searchParams.get('code_challenge') ?? undefined,
      clientId: searchParams.get('client_id') ?? '',
    });
    return new URLSearchParams({ code, state: searchParams.get('state') ?? '', iss: this.issuer });
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const send = (status: number, value: object): void => {
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
    };
    const { issuer } = this;
    switch (request.url) {
      case '/.well-known/openid-configuration':
        return send(200, {
          issuer,
          authorization_endpoint: `${issuer}/auth`,
          token_endpoint: `${issuer}/token`,
          jwks_uri: `${issuer}/keys`,
          response_types_supported: ['code'],
          subject_types_supported: ['public'],
          id_token_signing_alg_values_supported: ['RS256'],
          code_challenge_methods_supported: ['S256'],
          authorization_response_iss_parameter_supported: true,
        });
      case '/keys':
        return send(200, { keys: [{ ...publicKey.export({ format: 'jwk' }), kid: 'one', alg: 'RS256', use: 'sig' }] });
      case '/token': {
        const form = new URLSearchParams(await text(request));
        const granted = this.#codes.get(form.get('code') ?? '');
        const challenge = createHash('sha256')
          .update(form.get('code_verifier') ?? '')
          .digest('base64url');
        if (granted === undefined || (granted.challenge ?? challenge) !== challenge) return send(400, { error: 'invalid_grant' });
        return send(200, { access_token: randomUUID(), token_type: 'Bearer', expires_in: 60, id_token: this.#token(granted) });
      }
      default:
        return send(404, { error: 'not_found' });
    }
  }

  #token({ claims, forged, nonce, clientId }: Granted): string {
    const now = Math.floor((Date.now() + this.shiftMs) / 1000);
    const payload = { iss: this.issuer, aud: clientId, sub: 'somebody', iat: now, exp: now + 300, nonce, ...claims };
    const encoded = [{ alg: 'RS256', typ: 'JWT', kid: 'one' }, payload].map((part) =>
      Buffer.from(JSON.stringify(part)).toString('base64url'),
    );
    const signed = forged === 'another text' ? 'another text' : encoded.join('.');
    const signature = sign('sha256', Buffer.from(signed), forged === 'another key' ? otherKey : privateKey);
    return `${encoded.join('.')}.${signature.toString('base64url')}`;
  }
}
