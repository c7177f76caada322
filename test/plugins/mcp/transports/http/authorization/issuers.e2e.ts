import type { ServerResponse } from 'node:http';
import { expect } from 'chai';
import { afterEach as afterEachTest, describe, it } from 'mocha';
import sinon from 'sinon';
import { afterEach } from '../../../../../support/after-each.ts';
import { type CodedBody, cutBodies, sendCoded } from '../../../../../support/coded-bodies.ts';
import { json, loopback } from '../../../../../support/loopback.ts';
import { AuthorizationServer, whoami } from '../../../support/authorization-server.ts';
import { token as plainToken, send, type WireOptions, type WireServer, wireServer } from '../../../support/wire.ts';
import { newest, WireClient } from '../../../support/wire-client.ts';

const isIn = 404;

const issuers: AuthorizationServer[] = [];

afterEachTest(() => sinon.restore());

afterEach(async () => {
  await Promise.all(issuers.splice(0).map((issuer) => issuer.close()));
});

async function started(...options: Parameters<typeof AuthorizationServer.start>): Promise<AuthorizationServer> {
  const issuer = await AuthorizationServer.start(...options);
  issuers.push(issuer);
  return issuer;
}

const serving = (options: WireOptions): Promise<WireServer> => wireServer(options, [whoami]);

const resourceOf = ({ port }: WireServer): string => `http://127.0.0.1:${port}/mcp`;

const answerTo = ({ port }: WireServer, token: string) =>
  send(port, { method: 'GET', path: '/nowhere', headers: { authorization: `Bearer ${token}` } });

const statusOf = async (server: WireServer, token: string): Promise<number> => (await answerTo(server, token)).status;

function later(ms: number): void {
  const now = Date.now() + ms;
  sinon.restore();
  sinon.useFakeTimers({ now, toFake: ['Date'] });
}

const fetchesOf = ({ asked }: AuthorizationServer, path: string): number => asked.filter((one) => one === path).length;

/** In place of the documents at these paths, these answers. */
function publishing(issuer: AuthorizationServer, documents: Readonly<Record<string, (response: ServerResponse) => void>>): void {
  const itself = issuer.itself;
  issuer.instead = (request, response) => {
    const answer = documents[request.url ?? ''];
    if (answer === undefined) itself(request, response);
    else answer(response);
  };
}

const oauth = '/.well-known/oauth-authorization-server';
const openid = '/.well-known/openid-configuration';
const missing = (response: ServerResponse): void => void response.writeHead(404).end();

describe('the keys of an issuer', () => {
  for (const { name } of cutBodies('x').filter((body) => body.name.includes('last byte'))) {
    it(`are not known where its metadata are cut off: ${name}`, async () => {
      const issuer = await started();
      const document = JSON.stringify({ issuer: issuer.issuer, jwks_uri: `${issuer.issuer}/jwks` });
      const cut = cutBodies(document).find((body) => body.name === name) as CodedBody;
      publishing(issuer, { [oauth]: (response) => sendCoded(response, cut, 'application/json'), [openid]: missing });
      const server = await serving({ issuers: [{ issuer: issuer.issuer }] });
      expect(await statusOf(server, await issuer.forged(resourceOf(server)))).to.equal(503);
      expect(issuer.asked).to.not.include('/jwks');
    });
  }

  it('are fetched once for many tokens', async () => {
    const issuer = await started();
    const server = await serving({ issuers: [{ issuer: issuer.issuer }] });
    for (const sub of ['ada', 'bob', 'eve']) await statusOf(server, await issuer.forged(resourceOf(server), { claims: { sub } }));
    expect(issuer.asked).to.deep.equal([oauth, '/jwks']);
  });

  it('are fetched again for a token with a new one, which opens the server; the old one does no more', async () => {
    const issuer = await started();
    const server = await serving({ issuers: [{ issuer: issuer.issuer }] });
    const old = issuer.key;
    expect(await statusOf(server, await issuer.forged(resourceOf(server)))).to.equal(isIn);
    await issuer.rotate();
    later(31_000);
    expect(await statusOf(server, await issuer.forged(resourceOf(server)))).to.equal(isIn);
    const header = { kid: old.kid };
    const { status, body } = await answerTo(
      server,
      await issuer.forged(resourceOf(server), { header, key: old.privateKey, claims: { jti: 'two' } }),
    );
    expect(status, body).to.equal(401);
    expect(fetchesOf(issuer, '/jwks')).to.equal(2);
  });

  it('are fetched twice a minute at most, whatever keys tokens name', async () => {
    const issuer = await started();
    const server = await serving({ issuers: [{ issuer: issuer.issuer }] });
    later(0);
    for (let index = 0; index < 20; index++)
      expect(await statusOf(server, await issuer.forged(resourceOf(server), { header: { kid: `key ${index}` } }))).to.equal(401);
    expect(fetchesOf(issuer, '/jwks')).to.equal(1);
    later(30_001);
    for (let index = 0; index < 20; index++)
      await statusOf(server, await issuer.forged(resourceOf(server), { header: { kid: `other ${index}` } }));
    expect(fetchesOf(issuer, '/jwks')).to.equal(2);
  });

  it('count for ten minutes while the issuer is away, and no longer', async () => {
    const issuer = await started();
    const server = await serving({ issuers: [{ issuer: issuer.issuer }] });
    expect(await statusOf(server, await issuer.forged(resourceOf(server)))).to.equal(isIn);
    await issuer.close();
    later(9 * 60_000);
    expect(await statusOf(server, await issuer.forged(resourceOf(server)))).to.equal(isIn);
    later(2 * 60_000);
    expect(await statusOf(server, await issuer.forged(resourceOf(server)))).to.equal(503);
  });

  it('may have a place that the configuration names, and then no metadata is asked for', async () => {
    const issuer = await started();
    const server = await serving({ issuers: [{ issuer: issuer.issuer, jwksUri: `${issuer.issuer}/jwks` }] });
    expect(await statusOf(server, await issuer.forged(resourceOf(server)))).to.equal(isIn);
    expect(issuer.asked).to.deep.equal(['/jwks']);
  });
});

describe('the metadata of an issuer', () => {
  it('are those of OpenID Connect where there are no others', async () => {
    const issuer = await started();
    publishing(issuer, { [oauth]: missing });
    const server = await serving({ issuers: [{ issuer: issuer.issuer }] });
    expect(await statusOf(server, await issuer.forged(resourceOf(server)))).to.equal(isIn);
    expect(issuer.asked).to.deep.equal([oauth, openid, '/jwks']);
  });

  it('are looked for with the path of the issuer behind the well-known part, then before it', async () => {
    const { url, requests } = await loopback((_, response) => missing(response));
    const server = await serving({ issuers: [{ issuer: `${url}/realms/main` }] });
    const token = await (await started()).forged(resourceOf(server), { claims: { iss: `${url}/realms/main` } });
    expect(await statusOf(server, token)).to.equal(503);
    expect(requests.map((request) => request.url)).to.deep.equal([
      `${oauth}/realms/main`,
      `${openid}/realms/main`,
      `/realms/main${openid}`,
    ]);
  });

  const metadata = (issuer: AuthorizationServer, more: object = {}) => ({
    issuer: issuer.issuer,
    jwks_uri: `${issuer.issuer}/jwks`,
    ...more,
  });
  const bad: Readonly<Record<string, (issuer: AuthorizationServer) => (response: ServerResponse) => void>> = {
    'another issuer': (issuer) => (response) => json(response, metadata(issuer, { issuer: 'https://evil.example' })),
    'the issuer with a slash behind it': (issuer) => (response) => json(response, metadata(issuer, { issuer: `${issuer.issuer}/` })),
    'no issuer': (issuer) => (response) => json(response, metadata(issuer, { issuer: undefined })),
    'no place of keys': (issuer) => (response) => json(response, metadata(issuer, { jwks_uri: undefined })),
    'a place of keys without TLS': (issuer) => (response) => json(response, metadata(issuer, { jwks_uri: 'http://evil.example/jwks' })),
    'a place of keys in a file': (issuer) => (response) => json(response, metadata(issuer, { jwks_uri: 'file:///etc/passwd' })),
    'a place of keys with a user': (issuer) => (response) => json(response, metadata(issuer, { jwks_uri: 'https://user@as.example/jwks' })),
    'more than half a megabyte': (issuer) => (response) => json(response, metadata(issuer, { more: 'x'.repeat(600_000) })),
    'no JSON': () => (response) => void response.writeHead(200).end('<html>'),
    'a redirect': (issuer) => (response) => void response.writeHead(302, { location: `${issuer.issuer}/elsewhere` }).end(),
  };
  for (const [name, answer] of Object.entries(bad))
    it(`with ${name} are of no use: 503`, async () => {
      const issuer = await started();
      publishing(issuer, {
        [oauth]: answer(issuer),
        [openid]: answer(issuer),
        '/elsewhere': (response) => json(response, metadata(issuer)),
      });
      const server = await serving({ issuers: [{ issuer: issuer.issuer }] });
      expect(await statusOf(server, await issuer.forged(resourceOf(server)))).to.equal(503);
      expect(issuer.asked).to.not.include('/elsewhere').and.not.include('/jwks');
    });

  it('are asked for every five seconds while they cannot be had', async () => {
    const issuer = await started();
    publishing(issuer, { [oauth]: (response) => response.destroy() });
    const server = await serving({ issuers: [{ issuer: issuer.issuer }] });
    const token = await issuer.forged(resourceOf(server));
    later(0);
    expect([await statusOf(server, token), await statusOf(server, token), fetchesOf(issuer, oauth)]).to.deep.equal([503, 503, 1]);
    issuer.instead = undefined;
    later(5001);
    expect(await statusOf(server, token)).to.equal(isIn);
  });

  it('are kept where they cannot be had again', async () => {
    const issuer = await started();
    const server = await serving({ issuers: [{ issuer: issuer.issuer }] });
    expect(await statusOf(server, await issuer.forged(resourceOf(server)))).to.equal(isIn);
    publishing(issuer, { [oauth]: (response) => response.destroy() });
    later(61 * 60_000);
    expect(await statusOf(server, await issuer.forged(resourceOf(server)))).to.equal(isIn);
  });
});

describe('keys that are of no use', () => {
  const keys: Readonly<Record<string, (response: ServerResponse) => void>> = {
    'no JSON': (response) => void response.writeHead(200).end('keys'),
    'no list': (response) => json(response, { keys: 'all' }),
    'a failure': (response) => json(response, {}, 500),
  };
  for (const [name, answer] of Object.entries(keys))
    it(`${name}: 503`, async () => {
      const issuer = await started();
      publishing(issuer, { '/jwks': answer });
      const server = await serving({ issuers: [{ issuer: issuer.issuer }] });
      expect(await statusOf(server, await issuer.forged(resourceOf(server)))).to.equal(503);
    });

  it('elsewhere, to which the issuer redirects, are not fetched', async () => {
    const issuer = await started();
    const { url, requests } = await loopback((_, response) => json(response, { keys: [] }));
    publishing(issuer, { '/jwks': (response) => void response.writeHead(302, { location: url }).end() });
    const server = await serving({ issuers: [{ issuer: issuer.issuer }] });
    expect(await statusOf(server, await issuer.forged(resourceOf(server)))).to.equal(503);
    expect(requests).to.deep.equal([]);
  });

  it('a symmetric key among the others opens nothing', async () => {
    const issuer = await started();
    const k = Buffer.from('a secret that everybody can read, of 32 bytes').toString('base64url');
    publishing(issuer, { '/jwks': (response) => json(response, { keys: [{ kty: 'oct', k, kid: 'shared', alg: 'HS256' }] }) });
    const server = await serving({ issuers: [{ issuer: issuer.issuer }] });
    const token = await issuer.forged(resourceOf(server), { header: { alg: 'HS256', kid: 'shared' }, key: Buffer.from(k, 'base64url') });
    expect(await statusOf(server, token)).to.equal(401);
  });
});

describe('several issuers', () => {
  it('go on when one of them is away, and plain tokens as well', async () => {
    const [here, away] = [await started(), await started({ format: 'opaque' })];
    const introspection = { clientId: 'a', clientSecret: 'the-secret-of-a' };
    const server = await serving({ issuers: [{ issuer: away.issuer, introspection }, { issuer: here.issuer }] });
    const ofAway = await away.forged(resourceOf(server));
    await away.close();
    const statuses = [ofAway, 'opaque', await here.forged(resourceOf(server)), plainToken].map((token) => statusOf(server, token));
    expect(await Promise.all(statuses)).to.deep.equal([503, 503, isIn, isIn]);
  });

  it('have callers of their own, also under one name, who do not share a session', async () => {
    const both = [await started(), await started()] as const;
    const server = await serving({ issuers: both.map(({ issuer }) => ({ issuer })) });
    const [first, second] = [await both[0].forged(resourceOf(server)), await both[1].forged(resourceOf(server))];
    const [mine, theirs] = [await WireClient.open(server.port, first), await WireClient.open(server.port, second)];
    const names = [await mine.call('whoami'), await theirs.call('whoami')].map(({ result }) => result?.['content']);
    expect(names).to.deep.equal(both.map((one) => [{ type: 'text', text: `${one.issuer}:ada` }]));
    const headers = { authorization: `Bearer ${second}`, 'mcp-session-id': mine.sessionId, 'mcp-protocol-version': newest };
    const taken = await send(server.port, { headers, body: '{"jsonrpc":"2.0","id":1,"method":"ping"}' });
    expect(taken.status).to.equal(404);
  });

  it('cannot sign for each other', async () => {
    const both = [await started(), await started()] as const;
    const server = await serving({ issuers: both.map(({ issuer }) => ({ issuer })) });
    const claims = { iss: both[1].issuer };
    expect(await statusOf(server, await both[0].forged(resourceOf(server), { claims }))).to.equal(401);
    const header = { kid: both[1].key.kid };
    expect(await statusOf(server, await both[0].forged(resourceOf(server), { claims, header }))).to.equal(401);
  });

  it('have opaque tokens shown to the one that issues them, and JWTs to none', async () => {
    const [jwt, opaque] = [await started(), await started({ format: 'opaque' })];
    const introspection = { clientId: 'a', clientSecret: 'the-secret-of-a' };
    const server = await serving({ issuers: [{ issuer: jwt.issuer }, { issuer: opaque.issuer, introspection }] });
    await statusOf(server, await jwt.forged(resourceOf(server)));
    expect(opaque.asked).to.deep.equal([]);
    await statusOf(server, 'opaque');
    expect(jwt.asked).to.deep.equal([oauth, '/jwks']);
    expect(opaque.asked).to.deep.equal([oauth, '/token/introspection']);
  });
});

describe('a session of a caller of an issuer', () => {
  it('goes on with the next token of that caller', async () => {
    const issuer = await started();
    const server = await serving({ issuers: [{ issuer: issuer.issuer }] });
    const [first, second] = [await issuer.forged(resourceOf(server)), await issuer.forged(resourceOf(server), { claims: { jti: 'two' } })];
    const { sessionId } = await WireClient.open(server.port, first);
    const headers = { authorization: `Bearer ${second}`, 'mcp-session-id': sessionId, 'mcp-protocol-version': newest };
    expect((await send(server.port, { headers, body: '{"jsonrpc":"2.0","id":1,"method":"ping"}' })).status).to.equal(200);
  });

  it('has its stream ended with the token that opened it', async () => {
    const issuer = await started();
    const server = await serving({ issuers: [{ issuer: issuer.issuer, clockSkewS: 0 }] });
    const exp = Math.floor(Date.now() / 1000) + 3;
    const client = await WireClient.open(server.port, await issuer.forged(resourceOf(server), { claims: { exp } }));
    const stream = await client.listen();
    expect(stream.status).to.equal(200);
    await stream.end();
    expect(Date.now()).to.be.at.least(exp * 1000);
  });
});
