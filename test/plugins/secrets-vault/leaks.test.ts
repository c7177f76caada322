import { type AddressInfo, createServer } from 'node:net';
import path from 'node:path';
import { inspect } from 'node:util';
import { expect } from 'chai';
import { type Answer, failure } from '../../../fixtures/servers/vault-answers.ts';
import type { ToolkitError } from '../../../kernel/index.ts';
import { rejection } from '../../support/rejection.ts';
import { stoppedDate } from '../../support/stopped-date.ts';
import { temporaryFolder } from '../../support/temporary.ts';
import type { Asker } from '../shared/remote-secrets/asker.ts';
import { asker, envOf, shop, vault } from './asking.ts';

describe('secrets-vault: failures hold no secret', () => {
  const date = stoppedDate();

  /** Everything that a log or a caller may print. */
  const printed = (asked: Asker, error: ToolkitError): string =>
    inspect([error, error.toJSON(), error.stack, asked.records], { depth: 20, maxStringLength: null });

  const jwt = 'planted-jwt-of-the-pod';
  const env = { VAULT_TOKEN: 'planted-vault-token', VAULT_ROLE_ID: 'role', VAULT_SECRET_ID: 'planted-secret-id' };
  const methods = [
    { method: 'token', own: env.VAULT_TOKEN, says: '[secret VAULT_TOKEN]' },
    { method: 'approle', own: env.VAULT_SECRET_ID, says: '[secret VAULT_SECRET_ID]' },
    { method: 'kubernetes', own: jwt, says: '[secret VAULT_JWT]' },
  ] as const;
  for (const { method, own, says } of methods) {
    for (const status of [400, 403, 404, 418, 429, 500]) {
      it(`of the method ${method} that Vault gives back with ${status}, not half of one either`, async () => {
        const server = await vault();
        const jwtPath = path.join(await temporaryFolder({ jwt }), 'jwt');
        const auth = method === 'kubernetes' ? { method, jwtPath, role: 'shop' } : { method };
        const asked = await asker({ auth, env: envOf(server, env) });
        server.fault = { kind: 'answer', answer: failure(status, `bad ${own}`, `${'x'.repeat(160)}${own}`) };
        const error = await rejection(asked.ask(), 'SECRET_STORE_UNAVAILABLE');
        expect(error.message).to.include(`(${status}: bad ${says}; xxx`);
        expect(printed(asked, error)).to.not.include('planted');
      });
    }
  }

  it('of a login that Vault gives back', async () => {
    const appRole = { roleId: env.VAULT_ROLE_ID, secretId: env.VAULT_SECRET_ID };
    const server = await vault({ appRole, secrets: { 'secret/data/toolkit': {} } });
    const asked = await asker({ auth: { method: 'approle' }, env: envOf(server, env) });
    await asked.ask();
    date.tick(600_000);
    server.fault = { kind: 'answer', answer: failure(404, `bad ${server.tokens[0]}`) };
    const error = await rejection(asked.ask(), 'SECRET_STORE_UNAVAILABLE');
    expect(error.message).to.include('(404: bad [secret VAULT_TOKEN])');
    expect(printed(asked, error)).to.not.include(server.tokens[0]);
  });

  const holding: Answer[] = [
    { status: 200, body: '{"data":{"data":{"A":"planted-value"' },
    { status: 200, body: 'planted-value' },
    { status: 500, body: 'planted-value' },
    { status: 200, body: { data: { A: 'planted-value' } } },
    { status: 200, body: { data: { data: ['planted-value'] } } },
    { status: 404, body: { data: { data: null, metadata: { version: 'planted-value', deletion_time: 'planted-value' } } } },
    { status: 307, headers: { location: 'http://elsewhere.example/planted-value' } },
  ];
  for (const answer of holding) {
    it(`that is in the answer ${JSON.stringify(answer)}`, async () => {
      const { server, asked } = await shop();
      server.fault = { kind: 'answer', answer };
      const error = await rejection(asked.ask(), 'SECRET_STORE_UNAVAILABLE');
      expect(printed(asked, error)).to.not.include('planted');
    });
  }

  it('that is in an answer which is no HTTP', async () => {
    const server = createServer((socket) => socket.end('HTTP/1.1 200 OK\r\nplanted-value without a colon\r\n\r\nplanted-value'));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    try {
      const asked = await asker({ env: envOf({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }) });
      const error = await rejection(asked.ask(), 'SECRET_STORE_UNAVAILABLE');
      expect(error.message).to.match(/gave no whole answer: .*HTTP\/1\.1 protocol/);
      expect(printed(asked, error)).to.not.include('planted');
    } finally {
      server.close();
    }
  });
});
