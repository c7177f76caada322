import { expect } from 'chai';
import type { ErrorCode } from '../../../../kernel/index.ts';
import { createOAuthClient } from '../../../../plugins/shared/oauth/client.ts';
import { oauthFailureOf } from '../../../../plugins/shared/oauth/failures.ts';
import type { OAuthClient, OAuthSettings } from '../../../../plugins/shared/oauth/types.ts';
import { closedPort } from '../../../support/closed-port.ts';
import { type Script, TokenServer } from '../../../support/oauth/token-server.ts';
import { rejection } from '../../../support/rejection.ts';
import { stoppedDate } from '../../../support/stopped-date.ts';

const redirectUri = 'http://127.0.0.1/callback';

function clientOf(server: TokenServer, more: Partial<OAuthSettings> = {}): OAuthClient {
  return createOAuthClient(server.settings(more), { fetch, now: Date.now, wait: async () => {} });
}

/** An unsigned JWT: its signature is not checked, as it comes from the token endpoint. */
function idToken(claims: Readonly<Record<string, unknown>>, alg = 'RS256'): string {
  const part = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');
  const { iss, ...rest } = { iss: 'https://login.acme.example', aud: 'toolkit', sub: 'ann', iat: 1, exp: 2, ...claims };
  return `${part({ alg })}.${part({ iss, ...rest })}.c2ln`;
}

describe('a hostile token endpoint', () => {
  const secret = 'super-secret-answer-token';
  const tokens = { access_token: secret, token_type: 'Bearer' };
  const html = { 'content-type': 'text/html' };
  const cases: readonly {
    readonly name: string;
    readonly script: Script;
    readonly more?: Partial<OAuthSettings>;
    readonly code: ErrorCode;
    readonly oauth: object;
    readonly says: string;
  }[] = [
    {
      name: '10 MB',
      script: { answer: { body: `{"access_token":"${'a'.repeat(10_000_000)}"}` } },
      code: 'UPSTREAM_UNAVAILABLE',
      oauth: { kind: 'unanswered' },
      says: 'it has more than 1048576 bytes',
    },
    {
      name: 'HTML with status 200',
      script: { answer: { headers: html, body: `<html>${secret}</html>` } },
      code: 'UPSTREAM_UNAVAILABLE',
      oauth: { kind: 'unanswered' },
      says: 'expected a JSON object, received HTML',
    },
    {
      name: 'nothing',
      script: { answer: { body: '' } },
      code: 'UPSTREAM_UNAVAILABLE',
      oauth: { kind: 'unanswered' },
      says: 'received nothing',
    },
    {
      name: 'a redirect to a private host',
      script: { answer: { status: 307, headers: { location: 'http://169.254.169.254/latest' }, body: '' } },
      code: 'UPSTREAM_UNAVAILABLE',
      oauth: { kind: 'unanswered' },
      says: 'a redirect is not followed',
    },
    {
      name: 'an error page with status 503',
      script: { answer: { status: 503, headers: html, body: '<h1>busy</h1>' } },
      code: 'UPSTREAM_UNAVAILABLE',
      oauth: { kind: 'unanswered' },
      says: 'received 503',
    },
    { name: 'a cut connection', script: 'lose', code: 'UPSTREAM_UNAVAILABLE', oauth: { kind: 'unanswered' }, says: 'got no usable answer' },
    {
      name: 'status 200 with an error, as GitHub has',
      script: { answer: { body: { error: 'bad_verification_code', error_description: 'The code passed is incorrect or expired.' } } },
      code: 'AUTH_FAILED',
      oauth: { kind: 'refused', error: 'invalid_grant' },
      says: 'The code passed is incorrect or expired',
    },
    {
      name: 'status 200 with ok: false, as Slack has',
      script: { answer: { body: { ok: false, error: 'invalid_code' } } },
      code: 'AUTH_FAILED',
      oauth: { kind: 'refused', error: 'invalid_grant' },
      says: 'invalid_grant',
    },
    {
      name: 'status 400 with an error of its own, as HubSpot has',
      script: { answer: { status: 400, body: { status: 'BAD_AUTH_CODE', message: 'missing or unknown auth code' } } },
      code: 'AUTH_FAILED',
      oauth: { kind: 'refused', error: 'bad_auth_code' },
      says: 'missing or unknown auth code',
    },
    {
      name: 'status 403 as HTML',
      script: { answer: { status: 403, headers: html, body: '<h1>no</h1>' } },
      code: 'AUTH_FAILED',
      oauth: { kind: 'refused', error: 'http_403' },
      says: 'http_403',
    },
    {
      name: 'too many requests',
      script: { answer: { status: 429, headers: { 'retry-after': '7' }, body: '' } },
      code: 'RATE_LIMITED',
      oauth: { kind: 'refused', error: 'http_429' },
      says: 'Try again later',
    },
    {
      name: 'a challenge in place of the error',
      script: { answer: { status: 401, headers: { 'www-authenticate': 'Basic realm="x"' }, body: { error: 'invalid_client' } } },
      code: 'AUTH_FAILED',
      oauth: { kind: 'refused', error: 'invalid_client' },
      says: 'Check the client id',
    },
    {
      name: 'fewer scopes than were asked for',
      script: { answer: { body: { ...tokens, scope: 'read' } } },
      code: 'AUTH_FAILED',
      oauth: { kind: 'refused', error: 'invalid_scope' },
      says: 'not granted: write',
    },
    {
      name: 'a token with a line end',
      script: { answer: { body: { access_token: 'abc\r\nx-admin: yes' } } },
      code: 'UPSTREAM_UNAVAILABLE',
      oauth: { kind: 'unanswered' },
      says: 'expected "access_token" as one word',
    },
    {
      name: 'a value with a line end',
      script: { answer: { body: { ...tokens, instance: 'abc\r\nx-admin: yes' } } },
      more: { provides: { ACME_INSTANCE: 'instance' } },
      code: 'UPSTREAM_UNAVAILABLE',
      oauth: { kind: 'unanswered' },
      says: 'expected "instance" on one line',
    },
    {
      name: 'a refusal in a sentence',
      script: { answer: { status: 400, body: { error: 'This code is too old.' } } },
      code: 'AUTH_FAILED',
      oauth: { kind: 'refused', error: 'http_400' },
      says: 'This code is too old',
    },
    {
      name: 'a token that is an object',
      script: { answer: { body: { access_token: { toString: secret } } } },
      code: 'UPSTREAM_UNAVAILABLE',
      oauth: { kind: 'unanswered' },
      says: 'expected "access_token" as one word',
    },
    {
      name: 'no token',
      script: { answer: { body: { refresh_token: secret } } },
      code: 'UPSTREAM_UNAVAILABLE',
      oauth: { kind: 'unanswered' },
      says: 'expected "access_token" in the answer, received none',
    },
    {
      name: 'a token that needs a proof',
      script: { answer: { body: { ...tokens, token_type: 'DPoP' } } },
      code: 'UPSTREAM_UNAVAILABLE',
      oauth: { kind: 'unanswered' },
      says: 'expected a bearer token',
    },
    {
      name: 'the id_token of another client',
      script: { answer: { body: { ...tokens, id_token: idToken({ aud: 'other' }) } } },
      more: { issuer: 'https://login.acme.example' },
      code: 'INVALID_PARAMETERS',
      oauth: { kind: 'mismatch' },
      says: '"aud" (audience)',
    },
    {
      name: 'the id_token of another client where no issuer is known',
      script: { change: (answer) => ({ ...answer, id_token: idToken({ aud: 'other' }) }) },
      more: { issuer: undefined as never },
      code: 'INVALID_PARAMETERS',
      oauth: { kind: 'mismatch' },
      says: '"aud" (audience)',
    },
    {
      name: 'the id_token of another issuer',
      script: { answer: { body: { ...tokens, id_token: idToken({ iss: 'https://evil.example' }) } } },
      more: { issuer: 'https://login.acme.example' },
      code: 'INVALID_PARAMETERS',
      oauth: { kind: 'mismatch' },
      says: '"iss" (issuer)',
    },
    {
      name: 'an id_token with the nonce of another login',
      script: { answer: { body: { ...tokens, id_token: idToken({ nonce: 'n' }) } } },
      more: { issuer: 'https://login.acme.example' },
      code: 'INVALID_PARAMETERS',
      oauth: { kind: 'mismatch' },
      says: '"nonce"',
    },
  ];
  for (const { name, script, more, code, oauth, says } of cases) {
    it(`is refused in words: ${name}`, async () => {
      const server = await TokenServer.start();
      const client = clientOf(server, more);
      const request = await client.begin({ redirectUri, scopes: ['read', 'write'] });
      const redirect = server.authorize(request.url).searchParams;
      if (more !== undefined) redirect.delete('iss');
      server.next(script);
      const error = await rejection(client.finish(request, redirect), code);
      expect(error.details['oauth']).to.deep.equal(oauth);
      expect(error.message).to.include(says);
      expect(error.message.length).to.be.below(450);
      for (const hidden of [secret, 'toolkit-secret', request.verifier ?? '', redirect.get('code') ?? ''])
        expect(JSON.stringify([error.message, error.details, String(error.cause)])).to.not.include(hidden);
    });
  }

  it('cannot show a secret of the request in its words, in any spelling', async () => {
    const server = await TokenServer.start();
    const login = server.issue();
    const spellings = [
      login.refreshToken ?? '',
      Buffer.from('toolkit:toolkit-secret').toString('base64'),
      encodeURIComponent('toolkit-secret'),
    ];
    for (const spelling of spellings) {
      server.next({ answer: { status: 400, body: { error: 'invalid_grant', error_description: `${spelling} ${'x'.repeat(10_000)}` } } });
      const error = await rejection(clientOf(server).refresh(login), 'AUTH_FAILED');
      expect(error.message).to.not.include(spelling);
      expect(error.message.length).to.be.below(450);
    }
    server.next({ answer: { status: 400, body: { error: login.refreshToken } } });
    const error = await rejection(clientOf(server).refresh(login), 'AUTH_FAILED');
    expect(JSON.stringify(error)).to.not.include(login.refreshToken);
  });

  it('gets no request when its address is not safe', async () => {
    const server = await TokenServer.start();
    const unsafe = ['http://acme.example/token', 'ftp://acme.example/token', 'https://user:word@acme.example/token', 'nonsense'];
    for (const tokenUrl of unsafe) {
      const error = await rejection(clientOf(server, { tokenUrl }).refresh(server.issue()), 'UPSTREAM_UNAVAILABLE');
      expect(error.details['oauth']).to.deep.equal({ kind: 'unsent' });
    }
    const notOperators = clientOf(server, { operatorOrigins: [] });
    expect(oauthFailureOf(await rejection(notOperators.refresh(server.issue()), 'UPSTREAM_UNAVAILABLE'))).to.deep.equal({ kind: 'unsent' });
    expect(server.requests).to.deep.equal([]);
  });

  it('is told from one that nothing reached', async () => {
    const server = await TokenServer.start();
    const url = `http://127.0.0.1:${await closedPort()}`;
    const client = clientOf(server, { tokenUrl: `${url}/token`, operatorOrigins: [url] });
    const error = await rejection(client.refresh(server.issue()), 'UPSTREAM_UNAVAILABLE');
    expect(error.details['oauth']).to.deep.equal({ kind: 'unsent' });
    expect(error.message).to.match(/was not sent: .*ECONNREFUSED/);
  });

  it('is told from a login that the caller ends', async () => {
    const server = await TokenServer.start();
    const gate = server.hold();
    const cancel = new AbortController();
    const refreshed = rejection(clientOf(server).refresh(server.issue(), cancel.signal), 'ABORTED');
    await gate.reached;
    cancel.abort();
    expect((await refreshed).details['oauth']).to.deep.equal({ kind: 'unanswered' });
    expect((await rejection(clientOf(server).refresh(server.issue(), cancel.signal), 'ABORTED')).details['oauth']).to.deep.equal({
      kind: 'unsent',
    });
    gate.open();
  });
});

describe('a token endpoint that sends one byte a second', () => {
  const clock = stoppedDate({ stopsTimers: true });

  it('is left after 15 seconds', async () => {
    const server = await TokenServer.start();
    let byte = (): void => {};
    const begun = new Promise<void>((resolve) => {
      const respond: Extract<Script, { respond: unknown }>['respond'] = (response) => {
        response.writeHead(200, { 'content-type': 'application/json' });
        byte = () => response.write(' ');
        byte();
        resolve();
      };
      server.next({ respond });
    });
    const refreshed = rejection(clientOf(server).refresh(server.issue()), 'UPSTREAM_UNAVAILABLE');
    await begun;
    for (let second = 0; second < 16; second++) {
      byte();
      clock.tick(1000);
    }
    const error = await refreshed;
    expect(error.details['oauth']).to.deep.equal({ kind: 'unanswered' });
    expect(error.message).to.include('not complete within 15 s');
  });
});
