import type { PluginCheck } from '../../kernel/index.ts';

/** Check of the store: it is written, read and deleted from once. */
export const libsqlChecks: readonly PluginCheck<unknown>[] = [
  {
    name: 'Store',
    async run(_options, services) {
      const { checkStore } = await import('../shared/checks/check-store.ts');
      return checkStore('store-libsql', services);
    },
  },
];
