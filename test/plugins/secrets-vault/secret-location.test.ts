import { expect } from 'chai';
import { rejection } from '../../support/rejection.ts';
import { asker, type SecretsVaultOptions } from './asking.ts';

describe('secrets-vault: options and variables that lead nowhere', () => {
  const unconfigured: { what: string; options: SecretsVaultOptions; says: string }[] = [
    {
      what: 'without an address',
      options: { env: {} },
      says: 'The address of Vault is missing: expected a URL such as https://vault.example:8200. Set VAULT_ADDR, or the option address.',
    },
    { what: 'with an empty address', options: { env: { VAULT_ADDR: '' } }, says: 'The address of Vault is missing' },
    {
      what: 'with an address without a scheme',
      options: { env: { VAULT_ADDR: 'vault.example:8200' } },
      says: '(VAULT_ADDR) is wrong: expected a URL such as https://vault.example:8200, received a text without "https://" in front. Correct it.',
    },
    { what: 'with a token for an address', options: { env: { VAULT_ADDR: 'hvs.hidden' } }, says: 'received a text without "https://"' },
    { what: 'with the address of a file', options: { address: 'file:///etc/passwd' }, says: '(address) is wrong' },
    { what: 'with the address of a socket', options: { address: 'unix:///run/vault.sock' }, says: 'received the scheme "unix"' },
    { what: 'with an address that is no URL', options: { address: 'https://hidden host:8200' }, says: 'received one that is no URL' },
    { what: 'with an address with a password', options: { address: 'https://me:hidden@h' }, says: 'one with a user name or password' },
    { what: 'with an address with a query', options: { address: 'https://h?token=hidden' }, says: 'one with a query or fragment' },
    { what: 'with a namespace of two lines', options: { address: 'http://h', namespace: 'a\nb' }, says: 'The namespace (VAULT_NAMESPACE)' },
    {
      what: 'with a path without data/',
      options: { address: 'http://h', secretPath: 'secret/shop' },
      says: 'expected the mount, "data" and a name, received string "secret/shop". Perhaps write "secret/data/shop".',
    },
    {
      what: 'with a path of the mount alone',
      options: { address: 'http://h', secretPath: 'secret' },
      says: 'Perhaps write "secret/data/toolkit".',
    },
    {
      what: 'with a path that ends with data',
      options: { address: 'http://h', secretPath: 'secret/shop/data' },
      says: 'Perhaps write "secret/data/shop".',
    },
    {
      what: 'with a path that begins with data',
      options: { address: 'http://h', secretPath: 'data/shop' },
      says: 'Perhaps write "data/data/shop".',
    },
    ...['secret/data/../../sys', 'secret/data/./shop', 'secret//data/shop', 'secret/data/\ud800', '/'].map((secretPath) => ({
      what: `with the path ${JSON.stringify(secretPath)}`,
      options: { address: 'http://h', secretPath },
      says: 'The option secretPath is no path of Vault: expected names with single slashes between them',
    })),
  ];
  for (const { what, options, says } of unconfigured) {
    it(`are an error that says what to correct, and is final, ${what}`, async () => {
      const error = await rejection((await asker({ env: { VAULT_TOKEN: 'hvs.x' }, ...options })).ask(), 'SECRET_STORE_UNAVAILABLE');
      expect(error.message).to.include(says).and.to.not.include('hidden');
      expect(error.retryable).to.equal(false);
    });
  }
});
