import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import sinon from 'sinon';
import { ToolkitError } from '../../../kernel/index.ts';
import { loopback } from '../../support/loopback.ts';
import { rejection } from '../../support/rejection.ts';
import { asker, envOf, operatorToken, shop, vault } from './asking.ts';

const given = { SHOP_TOKEN: 'value-of-shop-token' };
const answer = JSON.stringify({ data: { data: given, metadata: { version: 1 } } });

describe('secrets-vault: requests', () => {
  it('carry the token, the sign of a client of Vault, and no namespace where there is none', async () => {
    const { server, asked } = await shop(given);
    await asked.ask();
    const { headers } = server.requests[0] ?? { headers: {} };
    expect(headers).to.include({ 'x-vault-token': operatorToken, 'x-vault-request': 'true', accept: 'application/json' });
    expect(headers).to.not.have.any.keys('x-vault-namespace', 'authorization', 'content-type');
  });

  it('carry the namespace of the options before that of the environment', async () => {
    const { server } = await shop();
    server.mounts.write('team/secret/data/toolkit', { SHOP_TOKEN: 'of the team' });
    const asked = await asker({ env: envOf(server, { VAULT_NAMESPACE: 'other' }), namespace: 'team' });
    expect((await asked.ask()).values).to.deep.equal({ SHOP_TOKEN: 'of the team' });
  });

  it('go to the address of the options before that of the environment, below its path', async () => {
    const { url, requests } = await loopback((_request, response) => response.end(answer));
    const asked = await asker({ env: { VAULT_ADDR: 'http://127.0.0.1:1', VAULT_TOKEN: 'hvs.x' }, address: `${url}/behind/proxy/` });
    expect((await asked.ask()).values).to.deep.equal(given);
    expect(requests.map((request) => request.url)).to.deep.equal(['/behind/proxy/v1/secret/data/toolkit']);
  });

  for (const status of [301, 302, 303, 307, 308]) {
    it(`follow a redirect with ${status} on the same server, with the token`, async () => {
      const { url, requests } = await loopback((request, response) => {
        if (request.url.startsWith('/v1/')) response.writeHead(status, { location: '/active/here?a=b' }).end();
        else response.end(answer);
      });
      const asked = await asker({ env: envOf({ url }) });
      expect((await asked.ask()).values).to.deep.equal(given);
      expect(requests.map((request) => [request.method, request.url, request.headers['x-vault-token']])).to.deep.equal([
        ['GET', '/v1/secret/data/toolkit', operatorToken],
        ['GET', '/active/here?a=b', operatorToken],
      ]);
    });
  }

  for (const [status, follows] of [
    [301, false],
    [302, false],
    [303, false],
    [307, true],
    [308, true],
  ] as const) {
    it(`${follows ? 'follow' : 'do not follow'} a redirect of a login with ${status}`, async () => {
      const { url, requests } = await loopback((request, response) => {
        if (request.url === '/v1/auth/approle/login') response.writeHead(status, { location: '/login' }).end();
        else if (request.url === '/login') response.end(JSON.stringify({ auth: { client_token: 'hvs.of-login' } }));
        else response.end(answer);
      });
      const asked = await asker({ auth: { method: 'approle' }, env: { VAULT_ADDR: url, VAULT_ROLE_ID: 'role' } });
      if (follows) {
        expect((await asked.ask()).values).to.deep.equal(given);
        expect(requests[1]).to.deep.include({ method: 'POST', url: '/login', body: '{"role_id":"role"}' });
      } else {
        expect((await rejection(asked.ask(), 'SECRET_STORE_UNAVAILABLE')).message).to.include(`(${status})`);
        expect(requests).to.have.length(1);
      }
    });
  }

  it('follow no second redirect', async () => {
    const { url, requests } = await loopback((_request, response) => response.writeHead(307, { location: '/v1/again' }).end());
    const error = await rejection((await asker({ env: envOf({ url }) })).ask(), 'SECRET_STORE_UNAVAILABLE');
    expect(error.message).to.equal(`Vault at ${url} redirects more than once. Set VAULT_ADDR to the address that answers.`);
    expect(error.retryable).to.equal(false);
    expect(requests).to.have.length(2);
  });

  it('never go to another server, not when a standby sends them there', async () => {
    const active = await vault({ secrets: { 'secret/data/toolkit': given } });
    const { server, asked } = await shop();
    server.fault = { kind: 'standby', url: active.url };
    const error = await rejection(asked.ask(), 'SECRET_STORE_UNAVAILABLE');
    expect(error.message).to.equal(
      `Vault at ${server.url} redirects to ${active.url}: expected the same server, because the token is sent to no other. Set VAULT_ADDR to the server that answers, or let the standby forward requests.`,
    );
    expect(error.details).to.deep.include({ retryable: false, status: 307 });
    expect(active.requests).to.deep.equal([]);
  });

  it('never go to another server at the second redirect either', async () => {
    const other = await vault();
    const { url } = await loopback((request, response) => {
      response.writeHead(307, { location: request.url === '/second' ? other.url : '/second' }).end();
    });
    const error = await rejection((await asker({ env: envOf({ url }) })).ask(), 'SECRET_STORE_UNAVAILABLE');
    expect(error.message).to.include(`redirects to ${other.url}`);
    expect(other.requests).to.deep.equal([]);
  });

  for (const location of [
    'https://127.0.0.1:PORT/v1/x',
    '//localhost:PORT/v1/x',
    'http://127.0.0.1:PORT@elsewhere.example/',
    'ftp://127.0.0.1/',
  ]) {
    it(`do not follow a redirect to ${location}`, async () => {
      const { url, requests } = await loopback((request, response) => {
        const port = String(request.headers.host).split(':')[1] ?? '';
        response.writeHead(307, { location: location.replace('PORT', port) }).end();
      });
      const error = await rejection((await asker({ env: envOf({ url }) })).ask(), 'SECRET_STORE_UNAVAILABLE');
      expect(error.message).to.include('because the token is sent to no other');
      expect(requests).to.have.length(1);
    });
  }

  for (const [what, bytes, isRead] of [
    ['1 MiB', 1024 * 1024, true],
    ['one byte more', 1024 * 1024 + 1, false],
  ] as const) {
    it(`${isRead ? 'take' : 'do not take'} an answer of ${what}`, async () => {
      const body = answer.padEnd(bytes, ' ');
      const { url } = await loopback((_request, response) => response.end(body));
      const asked = await asker({ env: envOf({ url }) });
      if (isRead) expect((await asked.ask()).values).to.deep.equal(given);
      else {
        const error = await rejection(asked.ask(), 'SECRET_STORE_UNAVAILABLE');
        expect(error.message).to.include('answered with more than 1 MiB').and.to.include('split the secret');
        expect(error.retryable).to.equal(false);
      }
    });
  }

  it('measure an answer after it is unpacked', async () => {
    const packed = gzipSync(answer.padEnd(8 * 1024 * 1024, ' '));
    const { url } = await loopback((_request, response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(packed));
    const error = await rejection((await asker({ env: envOf({ url }) })).ask(), 'SECRET_STORE_UNAVAILABLE');
    expect(error.message).to.include('answered with more than 1 MiB');
  });

  it('end after timeoutMs, the login included', async () => {
    const server = await vault({ appRole: { roleId: 'role' } });
    server.fault = { kind: 'hold' };
    const asked = await asker({ auth: { method: 'approle' }, env: { VAULT_ADDR: server.url, VAULT_ROLE_ID: 'role' }, timeoutMs: 30 });
    const clock = sinon.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const late = rejection(asked.ask(), 'SECRET_STORE_UNAVAILABLE');
    await server.received(1);
    clock.tick(30);
    clock.restore();
    const error = await late;
    expect(error.message).to.equal(
      `Vault at ${server.url} did not answer for "secret/data/toolkit" within 30 ms. Check VAULT_ADDR and the network, or raise timeoutMs.`,
    );
    expect(error.details).to.deep.include({ retryable: true, timeoutMs: 30, address: `${server.url}/`, path: 'secret/data/toolkit' });
    expect(server.requests).to.have.length(1);
  });

  it('end at the server, too, and are no failure, when nobody waits any more', async () => {
    const { server, asked } = await shop(given);
    server.fault = { kind: 'hold' };
    const giveUp = new AbortController();
    const ask = rejection(asked.ask(undefined, { signal: giveUp.signal }), 'ABORTED');
    await server.received(1);
    giveUp.abort(new ToolkitError('ABORTED', 'given up'));
    await ask;
    await server.abandoned();
    server.release();
    expect((await asked.ask()).values).to.deep.equal(given);
  });

  it('say what went wrong with the connection, and keep the cause', async () => {
    const server = await vault();
    await server.close();
    const error = await rejection((await asker({ env: envOf(server) })).ask(), 'SECRET_STORE_UNAVAILABLE');
    expect(error.message).to.match(/^Vault at \S+ gave no whole answer: ECONNREFUSED\b.*\. Check VAULT_ADDR and the network\.$/);
    expect(error.cause).to.be.instanceOf(Error);
  });
});
