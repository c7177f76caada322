import { expect } from 'chai';
import type { VaultServer } from '../../../fixtures/servers/vault.ts';
import { rejection } from '../../support/rejection.ts';
import { asker, shop } from './asking.ts';

describe('secrets-vault: when Vault cannot be asked', () => {
  const outages: { what: string; begin: (server: VaultServer) => unknown }[] = [
    { what: 'is not running', begin: (server) => server.close() },
    { what: 'drops the connection', begin: (server) => Object.assign(server, { fault: { kind: 'drop' } }) },
    { what: 'breaks off in the answer', begin: (server) => Object.assign(server, { fault: { kind: 'cut' } }) },
    ...[408, 412, 429, 472, 473, 500, 501, 502, 503, 504].map((status) => ({
      what: `answers with ${status}`,
      begin: (server: VaultServer) => Object.assign(server, { fault: { kind: 'answer', answer: { status, body: '<h1>no</h1>' } } }),
    })),
  ];
  for (const { what, begin } of outages) {
    it(`because it ${what}, the failure may be repeated`, async () => {
      const { server, asked } = await shop();
      await begin(server);
      const error = await rejection(asked.ask(), 'SECRET_STORE_UNAVAILABLE');
      expect(error.retryable).to.equal(true);
      expect(error.message).to.include(`Vault at ${server.url}`);
      expect(error.details).to.include({ address: `${server.url}/`, path: 'secret/data/toolkit' });
    });
  }

  it("because it is not configured, the failure is a warning with onError 'skip'", async () => {
    const asked = await asker({ env: {}, onError: 'skip' });
    expect((await asked.ask()).values).to.deep.equal({});
    expect(asked.logged('warn')[0]).to.include('Set VAULT_ADDR');
  });
});
