import { startVault, type VaultOptions, type VaultServer } from '../../../fixtures/servers/vault.ts';
import { secretsVault } from '../../../plugins/secrets-vault/index.ts';
import { afterEach } from '../../support/after-each.ts';
import { type Asker, askerOf } from '../shared/remote-secrets/asker.ts';

/** The token that the stand-in takes when it is not told another. */
export const operatorToken = 'hvs.of-the-operator';

const started: VaultServer[] = [];

/** A Vault on loopback, closed after the test. */
export async function vault(options: VaultOptions = {}): Promise<VaultServer> {
  const server = await startVault(options);
  started.push(server);
  return server;
}

afterEach(async () => {
  await Promise.all(started.splice(0).map((server) => server.close()));
});

export type SecretsVaultOptions = NonNullable<Parameters<typeof secretsVault>[0]>;

/** The plugin in a real kernel, asked without the memory of the kernel in front of it. */
export function asker(options: SecretsVaultOptions): Promise<Asker> {
  return askerOf(secretsVault(options));
}

/** The variables that lead to a server, with the operator's token. */
export function envOf({ url }: { readonly url: string }, more: Readonly<Record<string, string>> = {}): Record<string, string> {
  return { VAULT_ADDR: url, VAULT_TOKEN: operatorToken, ...more };
}

/** A Vault with one secret, and the plugin that asks it. */
export async function shop(
  values: Readonly<Record<string, unknown>> = { SHOP_TOKEN: 'value-of-shop-token' },
  options: SecretsVaultOptions = {},
): Promise<{ server: VaultServer; asked: Asker }> {
  const server = await vault({ secrets: { 'secret/data/toolkit': values } });
  return { server, asked: await asker({ env: envOf(server), ...options }) };
}
