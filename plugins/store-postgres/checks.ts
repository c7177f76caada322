import type { PluginCheck } from '../../kernel/index.ts';

/** Checks of the store: it is written, read and deleted from once; and thoroughly, the database and the rights of the role. */
export const postgresChecks: readonly PluginCheck<{ readonly url?: string }>[] = [
  {
    name: 'Store',
    async run(_options, services) {
      const { checkStore } = await import('../shared/checks/check-store.ts');
      return checkStore('store-postgres', services);
    },
  },
  {
    name: 'Store',
    isThorough: true,
    async run({ url }, { env }) {
      const [{ examineStore }, { postgresUrl }] = await Promise.all([
        import('./doctor/examine-store.ts'),
        import('../shared/state/postgres-url.ts'),
      ]);
      return examineStore(postgresUrl('store-postgres', url ?? env['TOOLKIT_STORE_URL']?.trim() ?? '', () => {}));
    },
  },
];
