import type { Kernel } from '../../kernel/index.ts';
import { accountsOfKernel } from '../../plugins/accounts/accounts-fact.ts';
import { TokenServer } from '../support/oauth/token-server.ts';
import { plantedTokens } from './planted.ts';

/** An authorization server that issues the planted values: as access token, and as a further member of the answer. */
export async function startTokenServer(): Promise<TokenServer> {
  const server = await TokenServer.start({
    issue: (kind, random) => (kind === 'access' ? (plantedTokens['PLAIN_TOKEN'] ?? '') : `vQ7mKx-${kind}-${random}`),
  });
  server.more = { wild: plantedTokens['WILD_SECRET'] };
  return server;
}

/** The definition file of the provider, by name. */
export function plantedProvider({ url }: TokenServer): Readonly<Record<string, string>> {
  const provider = {
    provider: { name: 'planted' },
    base_url: url,
    oauth2: {
      issuer: url,
      auth_url: `${url}/authorize`,
      token_url: `${url}/token`,
      client_id: 'toolkit',
      client_secret: 'toolkit-secret',
      scopes: { read: ['read'] },
      provides: { PLAIN_TOKEN: 'access_token', WILD_SECRET: 'wild' },
      account_path: 'account',
    },
    parameter_mapping: Object.keys(plantedTokens).map((name) => ({ parameter: name, env_pattern: name, required: false })),
  };
  return { 'planted/definition.yaml': JSON.stringify(provider) };
}

/** Connects an account of the caller `default`. */
export async function connectPlanted(kernel: Kernel, server: TokenServer): Promise<void> {
  const [fact] = kernel.facts(accountsOfKernel);
  if (fact === undefined) throw new Error('the kernel keeps no accounts');
  const accounts = await fact.value.open();
  const client = await accounts.client('planted');
  const request = await client.begin({ redirectUri: 'http://127.0.0.1/callback', scopes: ['read'] });
  const tokens = await client.finish(request, server.authorize(request.url).searchParams);
  const owner = await accounts.ownerOf({ tenant: 'default', caller: 'default', provider: 'planted' });
  await accounts.save(owner, tokens, ['read']);
}
