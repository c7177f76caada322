import type { CheckServices, Finding, PluginCheck } from '../../kernel/index.ts';
import type { AccountsOptions } from './options.ts';

/** Checks of accounts: those that need a login, and a store that not all processes share. */
export const accountChecks: readonly PluginCheck<AccountsOptions>[] = [
  {
    name: 'Accounts',
    async run(_options, { kernel, state, isListed }: CheckServices): Promise<readonly Finding[]> {
      if (kernel === undefined || !isListed) return [];
      return (await import('./check-accounts.ts')).checkAccounts(kernel, state);
    },
  },
];
