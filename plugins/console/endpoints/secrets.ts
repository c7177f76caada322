import { type Kernel, type Logger, messageOf, type Provider, placeholdersIn } from '../../../kernel/index.ts';
import { withinLimit } from '../../shared/checks/within-limit.ts';
import { accountService } from '../../shared/oauth/account-service.ts';
import { connectedSecrets } from '../../shared/oauth/connected-secrets.ts';
import type { SecretRow } from '../wire/state.ts';
import type { Endpoint } from './endpoint.ts';

/** Time limit of looking up the names that no resolver has provided yet, in milliseconds. */
const timeoutMs = 5000;

/** Maximum number of tools of one secret. */
const maxTools = 10;

/** The secrets that tools and providers name, with their resolver and age. Never a value. */
export const secretsEndpoints: readonly Endpoint[] = [
  { method: 'GET', path: 'secrets', answer: (_request, { kernel, logger }) => secretRows(kernel, logger) },
];

async function secretRows(kernel: Kernel, logger: Logger): Promise<readonly SecretRow[]> {
  const tools = toolsBySecret(kernel);
  const names = [...tools.keys()].sort();
  const lookUp = async (): Promise<ReadonlySet<string>> => {
    await kernel.resolveSecrets(names);
    return connectedSecrets(kernel, names);
  };
  const connected = await withinLimit(lookUp, timeoutMs, 'looking up the secrets').catch((error: unknown) => {
    logger.warn(`some secrets could not be looked up for the console: ${messageOf(error)}`);
    return new Set<string>();
  });
  const [accounts] = kernel.facts(accountService);
  return kernel.mask(
    names.map((name) => {
      const secret = kernel.secret(name);
      const resolver = secret === undefined ? undefined : kernel.resolverOf(name);
      const from = resolver ?? (connected.has(name) ? accounts?.plugin : undefined);
      return {
        name,
        ...(from === undefined ? {} : { resolver: from }),
        ...(secret?.since === undefined ? {} : { since: secret.since }),
        tools: (tools.get(name) ?? []).slice(0, maxTools),
      };
    }),
  );
}

/** Returns the names of tools by each secret that a tool or a provider names. */
function toolsBySecret({ registry }: Kernel): ReadonlyMap<string, readonly string[]> {
  const bySecret = new Map<string, string[]>();
  for (const provider of registry.providers.values()) for (const name of namesOf(provider)) bySecret.set(name, []);
  for (const tool of registry.tools.values())
    for (const { secret } of tool.credentials) {
      const users = bySecret.get(secret) ?? [];
      users.push(tool.name);
      bySecret.set(secret, users);
    }
  return bySecret;
}

function namesOf({ definition }: Provider): readonly string[] {
  const { parameter_mapping: mapping = [], oauth2 } = definition;
  const ofClient = placeholdersIn([oauth2?.client_id, oauth2?.client_secret]);
  const renamed = new Map(mapping.map(({ parameter, env_pattern }) => [parameter, env_pattern]));
  return [...mapping.map(({ env_pattern }) => env_pattern), ...ofClient.map((name) => renamed.get(name) ?? name)];
}
