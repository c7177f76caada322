import { type OAuthClientProvider, UnauthorizedError } from '@modelcontextprotocol/sdk/client/auth.js';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { OAuthClientInformationMixed, OAuthTokens } from '@modelcontextprotocol/sdk/shared/auth.js';
import { expect } from 'chai';
import { after, before, describe, it } from 'mocha';
import { AuthorizationServer, publicClient, resourceServer, whoami } from '../../../support/authorization-server.ts';
import { handlerTool } from '../../../support/client.ts';
import { wireServer } from '../../../support/wire.ts';

const { clientId, redirectUrl } = publicClient;

/** A person with a browser, and the memory of a client. */
class Person implements OAuthClientProvider {
  readonly redirectUrl = redirectUrl;
  readonly clientMetadata = { redirect_uris: [redirectUrl], client_name: 'a client', token_endpoint_auth_method: 'none' };
  /** The scopes that the issuer was asked for, each time. */
  readonly asked: (string | null)[] = [];
  code = '';
  #tokens: OAuthTokens | undefined;
  #verifier = '';

  clientInformation(): OAuthClientInformationMixed {
    return { client_id: clientId };
  }

  tokens(): OAuthTokens | undefined {
    return this.#tokens;
  }

  saveTokens(tokens: OAuthTokens): void {
    this.#tokens = tokens;
  }

  saveCodeVerifier(verifier: string): void {
    this.#verifier = verifier;
  }

  codeVerifier(): string {
    return this.#verifier;
  }

  /** Goes where the issuer leads, as a browser does, until it leads back to the client. */
  async redirectToAuthorization(url: URL): Promise<void> {
    this.asked.push(url.searchParams.get('scope'));
    const cookies = new Map<string, string>();
    let next = url;
    for (let steps = 0; steps < 20 && !next.href.startsWith(redirectUrl); steps++) {
      const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
      const answer = await fetch(next, { redirect: 'manual', headers: { cookie } });
      for (const [, name = '', value = ''] of answer.headers.getSetCookie().map((one) => /^([^=]+)=([^;]*)/.exec(one) ?? []))
        cookies.set(name, value);
      const location = answer.headers.get('location');
      if (location === null) throw new Error(`the issuer does not go on: ${answer.status} ${(await answer.text()).slice(0, 500)}`);
      next = new URL(location, next);
    }
    this.code = next.searchParams.get('code') ?? '';
    if (this.code === '') throw new Error(`the issuer gave no code: ${next.search}`);
  }
}

/** Expects that the client stops because its person has not been to the issuer yet. */
async function unauthorized(work: Promise<unknown>): Promise<void> {
  const error = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  expect(error, String(error)).to.be.instanceOf(UnauthorizedError);
}

for (const format of ['jwt', 'opaque'] as const)
  describe(`the official client, with an issuer of ${format === 'jwt' ? 'JWTs' : 'opaque tokens'}`, () => {
    let issuer: AuthorizationServer;

    before(async () => {
      issuer = await AuthorizationServer.start({ format });
    });

    after(() => issuer.close());

    it('finds the issuer by the refusal, gets a token, and another one for a call that needs more', async () => {
      const { port } = await wireServer(
        {
          issuers: [{ issuer: issuer.issuer, ...(format === 'jwt' ? {} : { introspection: resourceServer }) }],
          scopes: { risk: { low: 'tools:read', high: 'tools:admin' } },
        },
        [whoami, handlerTool(() => 'removed', { name: 'remove', risk: 'high' })],
      );
      const url = new URL(`http://127.0.0.1:${port}/mcp`);
      const person = new Person();
      const first = new StreamableHTTPClientTransport(url, { authProvider: person });
      await unauthorized(new Client({ name: 'c', version: '1' }).connect(first as never));
      await first.finishAuth(person.code);

      const client = new Client({ name: 'c', version: '1' });
      const transport = new StreamableHTTPClientTransport(url, { authProvider: person });
      await client.connect(transport as never);
      const text = async (name: string): Promise<unknown> => {
        const { content } = await client.callTool({ name, arguments: {} });
        return (content as readonly { readonly text: string }[])[0]?.text;
      };
      expect(await text('whoami')).to.equal(`${issuer.issuer}:ada`);

      await unauthorized(text('remove'));
      await transport.finishAuth(person.code);
      expect(await text('remove')).to.equal('removed');
      expect(await text('whoami')).to.equal(`${issuer.issuer}:ada`);
      expect(person.asked[0]).to.equal('tools:read');
      expect(person.asked[1]).to.include('tools:admin');
      await client.close();
    });
  });
