import { expect } from 'chai';
import { createOAuthClient } from '../../../../plugins/shared/oauth/client.ts';
import type { DeviceAuthorization } from '../../../../plugins/shared/oauth/types.ts';
import { json, loopback } from '../../../support/loopback.ts';
import { type Script, TokenServer } from '../../../support/oauth/token-server.ts';
import { rejection } from '../../../support/rejection.ts';

const refused = (error: string): Script => ({ answer: { status: 400, body: { error } } });

describe('a login by device', () => {
  async function waitsWith(
    server: TokenServer,
    more: Partial<DeviceAuthorization> = {},
  ): Promise<{ readonly waits: number[]; readonly outcome: unknown }> {
    const waits: number[] = [];
    const wait = async (ms: number): Promise<void> => void waits.push(ms);
    const client = createOAuthClient(server.settings(), { fetch, now: Date.now, wait });
    const device = { ...(await client.beginDevice(['read'])), ...more };
    server.decideDevice(device.userCode);
    const outcome = await client.finishDevice(device).catch((error: unknown) => error);
    return { waits, outcome };
  }

  it('asks at the interval, more slowly when told, and after a lost answer', async () => {
    const server = await TokenServer.start();
    server.next(
      refused('authorization_pending'),
      refused('slow_down'),
      { answer: { status: 429, body: '' } },
      { answer: { status: 503, body: 'busy' } },
    );
    const { waits, outcome } = await waitsWith(server);
    expect(waits).to.deep.equal([5000, 5000, 10_000, 15_000, 30_000]);
    expect(outcome).to.include({ account: 'ann@acme.example' });
  });

  it('ends with the life of its code, whatever the server says', async () => {
    const server = await TokenServer.start();
    server.next(...Array<Script>(100).fill(refused('authorization_pending')));
    const { waits, outcome } = await waitsWith(server, { expiresInMs: 20_000 });
    expect(waits).to.deep.equal([5000, 5000, 5000, 5000]);
    expect(outcome).to.deep.include({ code: 'AUTH_FAILED' });
    expect(String(outcome)).to.include('expired_token').and.include('Log in again');
  });

  it('ends at once when the server refuses it', async () => {
    const server = await TokenServer.start();
    server.next(refused('access_denied'));
    const { waits, outcome } = await waitsWith(server);
    expect(waits).to.have.length(1);
    expect(String(outcome)).to.include('Access was not allowed');
  });

  it('ends when the caller cancels it between two questions', async () => {
    const server = await TokenServer.start();
    const cancel = new AbortController();
    const wait = async (_ms: number, signal: AbortSignal | undefined): Promise<void> => {
      cancel.abort();
      signal?.throwIfAborted();
    };
    const client = createOAuthClient(server.settings(), { fetch, now: Date.now, wait });
    const error = await rejection(client.finishDevice(await client.beginDevice(['read']), cancel.signal), 'ABORTED');
    expect(error.details['oauth']).to.deep.equal({ kind: 'unsent' });
    expect(server.requests).to.deep.equal([]);
  });

  const answer = { device_code: 'dc', user_code: 'ABCD', verification_uri: 'https://acme.example/device', expires_in: 600 };
  const taken: readonly [string, object, Partial<DeviceAuthorization>][] = [
    ['no interval', answer, { intervalMs: 5000, expiresInMs: 600_000 }],
    ['texts for numbers', { ...answer, interval: '7', expires_in: '60' }, { intervalMs: 7000, expiresInMs: 60_000 }],
    ['no life, and interval 0', { ...answer, interval: 0, expires_in: undefined }, { intervalMs: 5000, expiresInMs: 900_000 }],
    ['lives of years', { ...answer, interval: 1e9, expires_in: 1e12 }, { intervalMs: 60_000, expiresInMs: 3_600_000 }],
    [
      'an older name of the address',
      { ...answer, verification_uri: undefined, verification_url: 'https://acme.example/d' },
      { verificationUri: 'https://acme.example/d' },
    ],
  ];
  for (const [name, body, expected] of taken)
    it(`takes ${name}`, async () => {
      const { url } = await loopback((_request, response) => json(response, body));
      const server = await TokenServer.start();
      const client = createOAuthClient(server.settings({ deviceUrl: url, operatorOrigins: [url] }), { fetch, now: Date.now });
      expect(await client.beginDevice(['read'])).to.include({ deviceCode: 'dc', userCode: 'ABCD', ...expected });
    });

  const hostile: readonly [string, object, string][] = [
    ['an address that runs a program', { ...answer, verification_uri: 'javascript:alert(1)' }, 'its "verification_uri" cannot be used'],
    [
      'a second address that runs a program',
      { ...answer, verification_uri_complete: 'file:///bin/sh' },
      'its "verification_uri" cannot be used',
    ],
    ['no address', { ...answer, verification_uri: undefined }, 'there is none'],
    ['a user code that writes on the terminal', { ...answer, user_code: '\u001b[2J' }, 'expected "user_code"'],
    ['no device code', { ...answer, device_code: undefined }, 'expected "device_code"'],
    ['an error with status 200', { error: 'device_flow_disabled' }, 'device_flow_disabled'],
  ];
  for (const [name, body, says] of hostile)
    it(`is refused with ${name}`, async () => {
      const { url } = await loopback((_request, response) => json(response, body));
      const server = await TokenServer.start();
      const client = createOAuthClient(server.settings({ deviceUrl: url, operatorOrigins: [url] }), { fetch, now: Date.now });
      const code = 'error' in body ? 'AUTH_FAILED' : 'UPSTREAM_UNAVAILABLE';
      expect((await rejection(client.beginDevice(['read']), code)).message).to.include(says);
    });
});

describe('revoking a login', () => {
  async function revoked(status: number, body: unknown, revokeMethod: 'post' | 'delete' = 'post') {
    const { url, requests } = await loopback((_request, response) =>
      body === '' ? response.writeHead(status).end() : json(response, body, status),
    );
    const server = await TokenServer.start();
    const settings = server.settings({ revokeUrl: `${url}/revoke`, operatorOrigins: [url], revokeMethod });
    const tokens = server.issue();
    const client = createOAuthClient(settings, { fetch, now: Date.now });
    return { outcome: await client.revoke(tokens).catch((error: unknown) => error), requests, tokens };
  }

  for (const [status, body] of [
    [200, ''],
    [204, ''],
    [200, { ok: true, revoked: true }],
    [400, { error: 'invalid_token' }],
    [200, { ok: false, error: 'token_revoked' }],
  ] as const)
    it(`succeeds with ${status} ${JSON.stringify(body)}`, async () => {
      const { outcome, requests, tokens } = await revoked(status, body);
      expect(outcome).to.equal(true);
      expect(new URLSearchParams(requests[0]?.body).get('token')).to.equal(tokens.refreshToken);
    });

  for (const [status, body, says] of [
    [200, { ok: false, error: 'invalid_auth' }, 'invalid_auth'],
    [503, 'busy', 'received 503'],
    [401, { error: 'invalid_client' }, 'invalid_client'],
    [404, '', 'http_404'],
  ] as const)
    it(`fails with ${status} ${JSON.stringify(body)}`, async () => {
      expect(String((await revoked(status, body)).outcome)).to.include(says);
    });

  it('takes a token that GitHub does not find for a dead one', async () => {
    expect((await revoked(404, { message: 'Not Found', status: '404' }, 'delete')).outcome).to.equal(true);
  });

  it('deletes the access token where the service wants it', async () => {
    const { outcome, requests, tokens } = await revoked(204, '', 'delete');
    expect(outcome).to.equal(true);
    expect(requests[0]).to.deep.include({ method: 'DELETE', body: JSON.stringify({ access_token: tokens.accessToken }) });
    expect(requests[0]?.headers.authorization).to.equal(`Basic ${Buffer.from('toolkit:toolkit-secret').toString('base64')}`);
  });
});
