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
  const found = kernel.facts(accountService).length === 0 ? undefined : loginProvider(kernel, secrets, provider);
  return found === undefined ? undefined : `toolkit auth login ${found.name}`;
}

/** Returns the provider whose login supplies one of these secrets. `provider`: that of the tools that use them, which comes first. */
export function loginProvider<P extends Pick<Provider, 'name' | 'definition'>>(
  { registry: { providers, presets } }: Pick<Kernel, 'registry'>,
  secrets: readonly string[],
  provider?: P,
): P | Provider | undefined {
  const all = [...(provider === undefined ? [] : [provider]), ...providers.values(), ...presets.values()];
  return all.find(({ definition }) => secrets.some((name) => Object.hasOwn(definition.oauth2?.provides ?? {}, name)));
}
