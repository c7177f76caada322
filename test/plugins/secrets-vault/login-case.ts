import type { VaultOptions, VaultServer } from '../../../fixtures/servers/vault.ts';
import type { Asker } from '../shared/remote-secrets/asker.ts';
import { asker, type SecretsVaultOptions, vault } from './asking.ts';

const secrets = { 'secret/data/toolkit': { SHOP_TOKEN: 'value-of-shop-token' } };
export const given = { SHOP_TOKEN: 'value-of-shop-token' };
export const appRole = { roleId: 'role-of-the-shop', secretId: 'secret-id-of-the-shop' };
export const kubernetes = { role: 'shop', jwt: 'eyJhbGciOi.of-the-pod.signature' };
export const roleEnv = { VAULT_ROLE_ID: appRole.roleId, VAULT_SECRET_ID: appRole.secretId };

export interface LoginCase {
  readonly server?: VaultOptions;
  readonly auth: SecretsVaultOptions['auth'];
  readonly env?: Readonly<Record<string, string>>;
  readonly options?: SecretsVaultOptions;
}

/** A Vault that knows both logins, and the plugin that asks it. */
export async function start({
  server: more = {},
  auth,
  env = {},
  options = {},
}: LoginCase): Promise<{ server: VaultServer; asked: Asker }> {
  const server = await vault({ secrets, appRole, kubernetes, ...more });
  return {
    server,
    asked: await asker({ env: { VAULT_ADDR: server.url, ...env }, ...(auth === undefined ? {} : { auth }), ...options }),
  };
}

/** Method, path, token and body of what was asked. */
export const sent = (server: VaultServer) =>
  server.requests.map(({ method, url, headers, body }) => [method, url, headers['x-vault-token'], body === '' ? '' : JSON.parse(body)]);

/** A read as it is in `sent`. */
export const read = (token: string) => ['GET', '/v1/secret/data/toolkit', token, ''];
