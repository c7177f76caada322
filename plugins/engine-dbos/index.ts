import Type from 'typebox';
import { apiVersion, definePlugin, ToolkitError } from '../../kernel/index.ts';
import { engineOptions, engineOptionsOf } from '../shared/calls/engine-options.ts';
import { HostKeys } from '../shared/keys/host-keys.ts';
import { postgresUrl } from '../shared/state/postgres-url.ts';
import { DbosEngine } from './dbos-engine.ts';

/**
 * Stores durable calls (`durable: true`) in the store of the configuration, as `engine-local` does, and dispatches them to the processes that
 * run them by a queue of DBOS Transact in PostgreSQL. Needs a store that processes share, such as `storePostgres()`, and the package
 * `@dbos-inc/dbos-sdk`. DBOS runs once in a process. A process runs calls when it serves, or after it has submitted one.
 */
export const engineDbos = definePlugin({
  name: 'engine-dbos',
  apiVersion,
  optionsSchema: Type.Object(
    {
      /** URL of the database for the tables of DBOS, in the schema `toolkit_dbos`. @default the environment variable TOOLKIT_STORE_URL */
      url: Type.Optional(Type.String({ minLength: 1 })),
      ...engineOptions,
    },
    { additionalProperties: false },
  ),
  apply({ extend, hooks, logger, maskAlso, state }, { url: given, ...options }) {
    const url = postgresUrl('engine-dbos', given, maskAlso);
    const cipher = new HostKeys({ logger, maskAlso }).cipher('turns of calls');
    let engine: DbosEngine | undefined;
    extend.callEngine((host) => {
      if (!state.isShared) throw withoutStore();
      engine = new DbosEngine({ host, state, logger, url, cipher, ...engineOptionsOf(options) });
      return engine;
    });
    hooks.serve.tapPromise('engine-dbos', async ({ work }) => engine?.start(work));
    hooks.dispose.tapPromise('engine-dbos', async () => engine?.close());
  },
});

function withoutStore(): ToolkitError {
  return new ToolkitError(
    'PLUGIN_INVALID',
    'engine-dbos keeps calls in a store that processes share, and this configuration lists none. Add storePostgres(), or use engineLocal().',
  );
}
