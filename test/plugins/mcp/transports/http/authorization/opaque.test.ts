import { type IncomingMessage, request, type ServerResponse } from 'node:http';
import { expect } from 'chai';
import { after, afterEach as afterEachTest, before, beforeEach, describe, it } from 'mocha';
import sinon from 'sinon';
import { json, loopback } from '../../../../../support/loopback.ts';
import { AuthorizationServer, resourceServer, whoami } from '../../../support/authorization-server.ts';
import { token as plainToken, send, startServer, until, type WireServer } from '../../../support/wire.ts';
import { WireClient } from '../../../support/wire-client.ts';

const isIn = 404;

let issuer: AuthorizationServer;
let server: WireServer;
let resource: string;

before(async () => {
  issuer = await AuthorizationServer.start({ format: 'opaque' });
});

after(() => issuer.close());

beforeEach(async () => {
  server = await startServer({ issuers: [{ issuer: issuer.issuer, introspection: resourceServer }] }, [whoami]);
  resource = `http://127.0.0.1:${server.port}/mcp`;
  issuer.asked.splice(0);
});

afterEachTest(async () => {
  sinon.restore();
  issuer.instead = undefined;
  await server.kernel.close();
});

const statusOf = async (token: string): Promise<number> => (await answerTo(token)).status;

const answerTo = (token: string) => send(server.port, { method: 'GET', path: '/nowhere', headers: { authorization: `Bearer ${token}` } });

const questions = (): number => issuer.asked.filter((path) => path === '/token/introspection').length;

/** From now on it is so much later. */
function later(ms: number): void {
  const now = Date.now() + ms;
  sinon.restore();
  sinon.useFakeTimers({ now, toFake: ['Date'] });
}

/** The issuer answers questions about tokens with this, and everything else itself. */
function answering(answer: (response: ServerResponse, request: IncomingMessage) => void): void {
  const itself = issuer.itself;
  issuer.instead = (incoming, response) => {
    if (incoming.url !== '/token/introspection') return itself(incoming, response);
    incoming.resume();
    answer(response, incoming);
  };
}

describe('opaque tokens', () => {
  it('open the server for their client, whose name no subject has', async () => {
    const client = await WireClient.open(server.port, await issuer.token(resource));
    expect((await client.call('whoami')).result).to.have.nested.property('content[0].text', `${issuer.issuer}#machine`);
  });

  it('are asked about once in a while', async () => {
    const token = await issuer.token(resource);
    expect([await statusOf(token), await statusOf(token), await statusOf(token)]).to.deep.equal([isIn, isIn, isIn]);
    expect(questions()).to.equal(1);
    later(31_000);
    expect([await statusOf(token), questions()]).to.deep.equal([isIn, 2]);
  });

  it('open nothing half a minute after they were revoked', async () => {
    const token = await issuer.token(resource);
    expect(await statusOf(token)).to.equal(isIn);
    await issuer.revoke(token);
    later(31_000);
    const { status, headers } = await answerTo(token);
    expect(status).to.equal(401);
    expect(headers['www-authenticate']).to.include('error="invalid_token"').and.to.include('was revoked');
  });

  it('open nothing when they have expired, also where they were asked about just before', async () => {
    const token = await issuer.token(resource);
    later(615_000);
    const exp = Math.floor(Date.now() / 1000) - 15;
    answering((response) => json(response, { active: true, aud: resource, client_id: 'machine', exp }));
    expect(await statusOf(token)).to.equal(isIn);
    later(16_000);
    expect(await statusOf(token)).to.equal(401);
  });

  it('for another resource open nothing', async () => {
    const { status, body } = await answerTo(await issuer.token('https://other.example/mcp'));
    expect(status).to.equal(401);
    expect(body).to.include('another resource');
  });

  it('that nobody issued are asked about once', async () => {
    expect([await statusOf('unknown'), await statusOf('unknown')]).to.deep.equal([401, 401]);
    expect(questions()).to.equal(1);
  });

  it('are asked about once where many requests bring one at the same time', async () => {
    const token = await issuer.token(resource);
    expect(await Promise.all([1, 2, 3, 4, 5].map(() => statusOf(token)))).to.deep.equal([isIn, isIn, isIn, isIn, isIn]);
    expect(questions()).to.equal(1);
  });

  it('are asked about only with the credentials of this server, which are form-encoded', async () => {
    let authorization = '';
    answering((response, { headers }) => {
      authorization = headers.authorization ?? '';
      json(response, { active: false });
    });
    await statusOf('unknown');
    const [client, secret] = Buffer.from(authorization.replace('Basic ', ''), 'base64').toString().split(':');
    expect([client, secret]).to.deep.equal(['resource+server', 'its+secret%3A+100%25+%26+more']);
  });

  const good = (): Record<string, unknown> => ({ active: true, aud: resource, sub: 'ada', exp: Date.now() / 1000 + 600 });
  const answers: Readonly<Record<string, readonly [status: number, answer: () => unknown]>> = {
    'all that is needed': [isIn, good],
    'the type of a bearer token': [isIn, () => ({ ...good(), token_type: 'Bearer' })],
    'active as a text': [401, () => ({ ...good(), active: 'true' })],
    'another issuer': [401, () => ({ ...good(), iss: 'https://evil.example' })],
    'no audience': [401, () => ({ ...good(), aud: undefined })],
    'no end': [401, () => ({ ...good(), exp: undefined })],
    'an end that is over': [401, () => ({ ...good(), exp: Date.now() / 1000 - 60 })],
    'a beginning that is to come': [401, () => ({ ...good(), nbf: Date.now() / 1000 + 60 })],
    'a token that proves a key': [401, () => ({ ...good(), token_type: 'DPoP', cnf: { jkt: 'thumbprint' } })],
    nobody: [401, () => ({ ...good(), sub: undefined })],
    'a list': [503, () => [good()]],
    'more than half a megabyte': [503, () => ({ ...good(), more: 'x'.repeat(600_000) })],
  };
  for (const [name, [status, answer]] of Object.entries(answers))
    it(`are answered with ${status === isIn ? 'a way in' : status} where the issuer says ${name}`, async () => {
      answering((response) => json(response, answer()));
      expect(await statusOf('some-token')).to.equal(status);
    });
});

describe('an issuer that cannot be asked', () => {
  it('makes for 503, which says when to come again, and not for 401; plain tokens go on', async () => {
    answering((response) => void response.destroy());
    const { status, headers, body } = await answerTo('some-token');
    expect([status, headers['retry-after'], headers['www-authenticate']]).to.deep.equal([503, '5', undefined]);
    expect(body).to.include('cannot be checked at the moment');
    expect(await statusOf(plainToken)).to.equal(isIn);
    const warnings = server.records.filter(({ level }) => level === 'warn').map(({ message }) => message);
    expect(warnings.filter((message) => !message.startsWith('refused before it was a call'))).to.have.lengthOf(1);
  });

  it('is left alone for five seconds, and then asked again', async () => {
    const token = await issuer.token(resource);
    answering((response) => void response.destroy());
    expect([await statusOf('one'), await statusOf('two'), await statusOf('three'), questions()]).to.deep.equal([503, 503, 503, 1]);
    issuer.instead = undefined;
    later(5001);
    expect(await statusOf(token)).to.equal(isIn);
  });

  it('does not shut out those whose tokens it knows', async () => {
    const token = await issuer.token(resource);
    expect(await statusOf(token)).to.equal(isIn);
    answering((response) => void response.destroy());
    expect([await statusOf('other'), await statusOf(token)]).to.deep.equal([503, isIn]);
  });

  it('that refuses the client of this server makes for 503', async () => {
    answering((response) => json(response, { error: 'invalid_client' }, 401));
    expect(await statusOf('some-token')).to.equal(503);
  });

  it('that redirects is not followed: the token would go elsewhere', async () => {
    const { url, requests } = await loopback((_, response) => json(response, { active: true }));
    answering((response) => void response.writeHead(307, { location: `${url}/introspection` }).end());
    expect(await statusOf('some-token')).to.equal(503);
    expect(requests).to.deep.equal([]);
  });
});

describe('strangers with many tokens', () => {
  it('have eight questions asked at a time, and so many wait', async () => {
    const held: ServerResponse[] = [];
    answering((response) => void held.push(response));
    const statuses: number[] = [];
    const all = Array.from({ length: 80 }, (_, index) => statusOf(`token-${index}`).then((status) => void statuses.push(status)));
    await until(() => statuses.length === 8 || undefined);
    expect(statuses).to.deep.equal(Array(8).fill(503));
    await until(() => held.length === 8 || undefined);
    issuer.instead = issuer.itself;
    for (const response of held) json(response, { active: false });
    await Promise.all(all);
    expect(statuses.slice(8)).to.deep.equal(Array(72).fill(401));
  });

  it('have a hundred asked about at once, and twenty a second after that', async () => {
    answering((response) => json(response, { active: false }));
    later(0);
    const statuses: number[] = [];
    for (let index = 0; index < 102; index++) statuses.push(await statusOf(`token-${index}`));
    expect(statuses).to.deep.equal([...Array(100).fill(401), 503, 503]);
    later(1000);
    const next: number[] = [];
    for (let index = 0; index < 21; index++) next.push(await statusOf(`more-${index}`));
    expect(next).to.deep.equal([...Array(20).fill(401), 503]);
  });

  it('are no trouble when they go away meanwhile', async () => {
    const held: ServerResponse[] = [];
    answering((response) => void held.push(response));
    const going = request({
      host: '127.0.0.1',
      port: server.port,
      path: '/mcp',
      method: 'POST',
      headers: { authorization: 'Bearer gone', 'content-length': 5 },
    });
    going.on('error', () => {}).flushHeaders();
    await until(() => held[0]);
    going.destroy();
    json(held[0] as ServerResponse, { active: true, aud: resource, sub: 'ada', exp: Date.now() / 1000 + 600 });
    issuer.instead = undefined;
    expect(await statusOf(await issuer.token(resource))).to.equal(isIn);
    expect(server.records.filter(({ level }) => level === 'error')).to.deep.equal([]);
  });
});
