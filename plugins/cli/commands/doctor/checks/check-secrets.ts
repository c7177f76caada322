import type { Finding } from '../../../../../kernel/index.ts';
import { type Kernel, ToolkitError } from '../../../../../kernel/index.ts';
import { count } from '../../../../shared/checks/count.ts';
import { serverListing } from '../../../../shared/exposure/server-listing.ts';
import { connectedSecrets } from '../../../../shared/oauth/connected-secrets.ts';
import { loginHint } from '../../../../shared/oauth/login-hint.ts';
import { resolverChain } from '../../../../shared/project/resolver-chain.ts';
import { unreadEnvFile } from '../../../../shared/project/unread-env-file.ts';
import { findSecrets, isMissing, type SecretFinding, secretNames } from '../../../../shared/secrets/secret-findings.ts';
import { usedTools } from '../../../../shared/secrets/used-tools.ts';
import { formatFew } from '../../../../shared/terminal/few.ts';

/** Maximum number of providers with a finding of their own. */
const maxProviders = 12;

/** Reports the secret resolvers and, by provider, the required secrets that are missing. Never prints a value. */
export async function checkSecrets(kernel: Kernel, folder: string): Promise<Finding[]> {
  const tools = [...kernel.registry.tools.values()];
  const resolvers = resolversOf(kernel);
  const none: Finding = {
    check: 'Secrets',
    state: 'warning',
    message: 'no resolver is configured: tools that need a secret cannot run',
    hint: 'List secretResolver() or a plugin such as secretsEnv() in the configuration.',
  };
  if (resolvers.length === 0) return [none];
  const from = `resolvers, in order: ${resolvers.join(', ')}`;
  try {
    await kernel.resolveSecrets(secretNames(tools));
    const connected = await connectedSecrets(kernel, secretNames(tools));
    const findings = findSecrets(kernel, usedTools(kernel, tools, connected), connected);
    const names = findings.filter(isMissing).map(({ secret }) => secret);
    const unread = await unreadEnvFile(kernel, folder, names);
    const file: Finding[] = unread === undefined ? [] : [{ check: 'Secrets', state: 'warning', message: unread }];
    return [{ check: 'Secrets', state: 'ok', message: from }, ...missing(findings, kernel), ...file];
  } catch (error) {
    if (!ToolkitError.is(error)) throw error;
    const hint = 'Correct its options or make it reachable; "toolkit secrets check" asks again.';
    const unknown = findSecrets(kernel, tools).filter(isMissing);
    const rest: Finding = {
      check: 'Secrets',
      state: 'not checked',
      message: `${count(unknown.length, 'name')} that were not found yet`,
    };
    return [{ check: 'Secrets', state: 'problem', message: `${from}. ${error.message}`, hint }, ...(unknown.length === 0 ? [] : [rest])];
  }
}

function missing(findings: readonly SecretFinding[], kernel: Kernel): Finding[] {
  const { tools } = kernel.registry;
  const hiding = kernel.facts(serverListing).find(({ value }) => value.onlyAvailable === true);
  const byProvider = new Map<string, { names: string[]; tools: Set<string>; url: string | undefined }>();
  for (const { secret, tools: users } of findings.filter(isMissing)) {
    for (const user of users) {
      const provider = tools.get(user)?.provider;
      const name = provider?.name ?? 'tools without a provider';
      const own = byProvider.get(name) ?? { names: [], tools: new Set(), url: provider?.definition.provider.documentation_url };
      if (!own.names.includes(secret)) own.names.push(secret);
      own.tools.add(user);
      byProvider.set(name, own);
    }
  }
  const first = [...byProvider].slice(0, maxProviders).map(([provider, { names, tools: users, url }]) => ({
    check: 'Secrets',
    state: 'warning' as const,
    message: `${provider}: ${formatFew(names)} missing; ${count(users.size, 'tool')} cannot run without${hiding === undefined ? '' : ` (not listed: "onlyAvailable" of ${hiding.plugin})`}`,
    hint: `Set the environment variable${names.length === 1 ? '' : 's'}, or add to a configured store${byLogin(kernel, names, provider)}${url === undefined ? '.' : `. Where to get it: ${url}`}`,
  }));
  const others = byProvider.size - first.length;
  if (others <= 0) return first;
  const message = `secrets of ${others} more providers are missing`;
  return [...first, { check: 'Secrets', state: 'warning', message, hint: '"toolkit secrets check" shows them all.' }];
}

function byLogin(kernel: Kernel, names: readonly string[], provider: string): string {
  const command = loginHint(kernel, names, kernel.registry.providers.get(provider));
  return command === undefined ? '' : `, or log in: ${command}`;
}

/** Lists the names of the resolvers in the order in which they are asked. */
function resolversOf(kernel: Kernel): string[] {
  const chains = new Map(kernel.facts(resolverChain).map(({ plugin, value }) => [plugin, value]));
  return [...new Set(kernel.tapsOf('resolveSecrets').flatMap(({ plugin, name }) => chains.get(plugin) ?? [name]))];
}
