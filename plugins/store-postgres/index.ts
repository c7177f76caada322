import Type from 'typebox';
import { apiVersion, definePlugin, ToolkitError } from '../../kernel/index.ts';
import { HostKeys } from '../shared/keys/host-keys.ts';
import { EncryptedStore } from '../shared/state/encrypted-store.ts';
import { postgresUrl } from '../shared/state/postgres-url.ts';
import { postgresChecks } from './checks.ts';
import { PostgresTable } from './postgres-table.ts';

/**
 * Stores the state of plugins in PostgreSQL (13 and newer), shared by all processes that use it on any machine: used approvals, sessions,
 * limits, cached results, long results. Values are encrypted with TOOLKIT_KEY, which must be the same in all processes. Creates its tables in
 * the first schema of the search path. Needs the package `pg`.
 */
export const storePostgres = definePlugin({
  name: 'store-postgres',
  apiVersion,
  optionsSchema: Type.Object(
    {
      /** URL such as `postgresql://user:password@host/database?sslmode=verify-full`. @default the environment variable TOOLKIT_STORE_URL */
      url: Type.Optional(Type.String({ minLength: 1 })),
      /** Maximum number of connections, not counting one that listens. @default 5 */
      maxConnections: Type.Optional(Type.Integer({ minimum: 1, maximum: 1000 })),
    },
    { additionalProperties: false },
  ),
  checks: postgresChecks,
  apply({ extend, logger, maskAlso }, { url: configuredUrl, maxConnections = 5 }) {
    const url = postgresUrl('store-postgres', configuredUrl, maskAlso);
    const keys = new HostKeys({ logger, maskAlso });
    const open = async (): Promise<PostgresTable> => {
      if (keys.isPersistent) return PostgresTable.open({ url, maxConnections, logger });
      throw new ToolkitError('STATE_UNAVAILABLE', 'The store cannot be used: there is no key that other processes have. Set TOOLKIT_KEY.', {
        retryable: false,
      });
    };
    extend.stateStore(new EncryptedStore(open, keys.cipher('state'), { spansMachines: true }));
  },
});
