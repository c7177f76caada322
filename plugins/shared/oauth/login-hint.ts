import type { Kernel, Provider } from '../../../kernel/index.ts';
import { accountService } from './account-service.ts';

/**
 * Returns the command that connects an account which supplies one of these secrets; undefined where no plugin keeps accounts, or no login
 * supplies them. `provider`: that of the tools that use them, which comes first.
 */
export function loginHint(
  kernel: Pick<Kernel, 'facts' | 'registry'>,
  secrets: readonly string[],
  provider?: Pick<Provider, 'name' | 'definition'>,
): string | undefined {
  if (kernel.facts(accountService).length === 0) return undefined;
  const { providers, presets } = kernel.registry;
  const all = [...(provider === undefined ? [] : [provider]), ...providers.values(), ...presets.values()];
  const found = all.find(({ definition }) => secrets.some((name) => Object.hasOwn(definition.oauth2?.provides ?? {}, name)));
  return found === undefined ? undefined : `toolkit auth login ${found.name}`;
}
