import { expect } from 'chai';
import type { VaultOptions } from '../../../fixtures/servers/vault.ts';
import { type Answer, denied, failure, reading } from '../../../fixtures/servers/vault-answers.ts';
import { rejection } from '../../support/rejection.ts';
import { asker, envOf, shop, vault } from './asking.ts';

describe('secrets-vault: failures', () => {
  const refusing: { what: string; server?: VaultOptions; secretPath: string; says: string; status: number }[] = [
    {
      what: 'nothing is at the path',
      secretPath: 'secret/data/other',
      says: 'has nothing at "secret/data/other" (404). Write it with "vault kv put", or correct secretPath or the namespace; a mount of KV version 1 is not supported.',
      status: 404,
    },
    {
      what: 'no engine is mounted there',
      secretPath: 'kv/data/shop',
      says: 'has nothing at "kv/data/shop" (404: no handler for route "kv/data/shop". route entry not found.). No secrets engine is mounted there. Correct secretPath or the namespace.',
      status: 404,
    },
    {
      what: 'data/ stands at another place than behind the mount',
      secretPath: 'secret/shop/data/eu',
      says: 'It is a mount of KV version 2, where "data" stands right behind the mount, as in secret/data/shop. Correct secretPath, received "secret/shop/data/eu".',
      status: 404,
    },
    {
      what: 'the mount is KV version 1',
      server: { plainSecrets: { 'kv/data/shop': { SHOP_TOKEN: 'hidden' } } },
      secretPath: 'kv/data/shop',
      says: 'has no KV version 2 at "kv/data/shop": expected data.data, received an answer without it, as a mount of version 1 gives. Upgrade the mount with "vault kv enable-versioning", or correct secretPath.',
      status: 200,
    },
  ];
  for (const { what, server: more = {}, secretPath, says, status } of refusing) {
    it(`say so, and are final, when ${what}`, async () => {
      const server = await vault({ secrets: { 'secret/data/toolkit': { SHOP_TOKEN: 'hidden' } }, ...more });
      const error = await rejection((await asker({ env: envOf(server), secretPath })).ask(), 'SECRET_STORE_UNAVAILABLE');
      expect(error.message).to.include(`Vault at ${server.url} `).and.to.include(says).and.to.not.include('hidden');
      expect(error.details).to.deep.include({ retryable: false, address: `${server.url}/`, path: secretPath, status });
    });
  }

  for (const [state, says] of [
    [
      'deleted',
      'Version 2 of "secret/data/toolkit" in Vault at URL is deleted. Bring it back with "vault kv undelete", or write a new one with "vault kv put".',
    ],
    ['destroyed', 'Version 2 of "secret/data/toolkit" in Vault at URL is destroyed. Write a new one with "vault kv put".'],
  ] as const) {
    it(`say that the last version is ${state}, and are final`, async () => {
      const { server, asked } = await shop();
      server.mounts.write('secret/data/toolkit', { SHOP_TOKEN: 'second' });
      server.mounts.remove('secret/data/toolkit', state);
      const error = await rejection(asked.ask(), 'SECRET_STORE_UNAVAILABLE');
      expect(error.message).to.equal(says.replace('URL', server.url));
      expect(error.details).to.deep.include({ retryable: false, path: 'secret/data/toolkit', status: 404 });
    });
  }

  const answers: { what: string; answer: Answer; says: string; isFinal?: boolean; more?: Record<string, unknown> }[] = [
    {
      what: 'a sealed Vault',
      answer: failure(503, 'Vault is sealed'),
      says: 'is sealed, so that "secret/data/toolkit" cannot be asked for (503: Vault is sealed). Unseal it: vault operator unseal.',
    },
    {
      what: 'a token that is refused',
      answer: denied('permission denied', 'invalid token'),
      says: 'refuses "secret/data/toolkit" (403: 2 errors occurred: * permission denied * invalid token). Renew the token, or give its policy the capability "read" there.',
    },
    {
      what: 'a request that is refused',
      answer: failure(400, 'missing client token'),
      says: '(400: missing client token). Renew the token',
    },
    {
      what: 'an unknown status',
      answer: failure(418, 'short'),
      says: 'gave no answer of Vault for "secret/data/toolkit" (418: short). Check VAULT_ADDR.',
    },
    {
      what: 'a redirect without a place',
      answer: { status: 307 },
      says: 'gave no answer of Vault for "secret/data/toolkit" (307). Check VAULT_ADDR.',
    },
    { what: 'no content', answer: { status: 204 }, says: 'gave no answer of Vault for "secret/data/toolkit" (204). Check VAULT_ADDR.' },
    {
      what: 'a page of something else',
      answer: { status: 200, body: '<html>hidden</html>', headers: { 'content-type': 'text/html' } },
      says: 'expected JSON with data.data, received text/html. Check VAULT_ADDR: something else may answer there.',
    },
    { what: 'JSON that is cut off', answer: { status: 200, body: '{"data":{"data":{"A":"hidden' }, says: 'received application/json.' },
    { what: 'a list', answer: { status: 200, body: ['hidden'] }, says: 'expected JSON with data.data, received JSON without data.' },
    { what: 'JSON without data', answer: { status: 200, body: { ok: 'hidden' } }, says: 'received JSON without data.' },
    { what: 'data that is text', answer: { status: 200, body: { data: 'hidden' } }, says: 'received JSON without data.' },
    {
      what: 'data.data that is a list',
      answer: reading({ data: ['hidden'] }),
      says: 'received an answer without it, as a mount of version 1 gives.',
    },
    { what: 'data.data that is text', answer: reading({ data: 'hidden' }), says: 'received an answer without it' },
    {
      what: 'a deleted version with the status of success',
      answer: reading({ data: null, metadata: { version: 'hidden', deletion_time: 'x' } }),
      says: 'Version NaN of "secret/data/toolkit"',
    },
    {
      what: 'a Vault without an active node',
      answer: failure(503, 'no active Vault instance found'),
      says: 'cannot answer for "secret/data/toolkit" at the moment (503: no active Vault instance found). Try again later.',
      isFinal: false,
    },
    {
      what: 'a quota that is used up',
      answer: { ...failure(429, 'request path: rate limit quota exceeded'), headers: { 'retry-after': '7' } },
      says: '(429: request path: rate limit quota exceeded). Try again later.',
      isFinal: false,
      more: { retryAfterMs: 7000 },
    },
    {
      what: 'words without an end',
      answer: failure(500, 'x'.repeat(5000)),
      says: `(500: ${'x'.repeat(199)}…). Try again later.`,
      isFinal: false,
    },
    {
      what: 'errors that are no text',
      answer: { status: 500, body: { errors: [{ a: 'hidden' }, 7, 'seven'] } },
      says: '(500: seven)',
      isFinal: false,
    },
  ];
  for (const { what, answer, says, isFinal = true, more = {} } of answers) {
    it(`tell ${what}, and ${isFinal ? 'are final' : 'may be repeated'}`, async () => {
      const { server, asked } = await shop();
      server.fault = { kind: 'answer', answer };
      const error = await rejection(asked.ask(), 'SECRET_STORE_UNAVAILABLE');
      expect(error.message).to.include(`Vault at ${server.url}`).and.to.include(says).and.to.not.include('hidden');
      expect(error.details).to.deep.include({ retryable: !isFinal, status: answer.status, ...more });
      expect(error.cause).to.equal(undefined);
    });
  }

  it('name the namespace', async () => {
    const server = await vault({ secrets: { 'secret/data/toolkit': { SHOP_TOKEN: 'hidden' } } });
    const error = await rejection((await asker({ env: envOf(server), namespace: 'team' })).ask(), 'SECRET_STORE_UNAVAILABLE');
    expect(error.message).to.include(`Vault at ${server.url}, namespace "team" has nothing at "secret/data/toolkit"`);
  });
});
