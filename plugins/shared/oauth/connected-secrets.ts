import type { Kernel } from '../../../kernel/index.ts';
import { accountService } from './account-service.ts';

/**
 * Returns those of the secrets that a connected account of the caller `default` supplies. Empty where no plugin keeps accounts, and while it is not
 * known: a call reports why.
 */
export async function connectedSecrets(kernel: Pick<Kernel, 'facts'>, secrets: readonly string[]): Promise<ReadonlySet<string>> {
  const owner = { caller: 'default', tenant: 'default' };
  const found = await Promise.all(
    kernel.facts(accountService).map(async ({ value }) => (await value.connected?.(owner, secrets).catch(() => [])) ?? []),
  );
  return new Set(found.flatMap((names) => [...names]));
}
