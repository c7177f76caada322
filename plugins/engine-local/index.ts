import Type from 'typebox';
import { apiVersion, definePlugin } from '../../kernel/index.ts';
import { engineOptions, engineOptionsOf } from '../shared/calls/engine-options.ts';
import { LocalEngine } from './local-engine.ts';

/**
 * Keeps durable calls (`durable: true`) in the store of the configuration and makes them, each once, by `calls-once`: with `storePostgres()` by all
 * processes that share it, with `storeLibsql()` by those of one machine, also after a restart; without a store by this process as long as it
 * lives. A process that is killed leaves its calls to the others, who go on within five seconds. A process takes calls when it serves, or
 * has submitted one.
 */
export const engineLocal = definePlugin({
  name: 'engine-local',
  apiVersion,
  optionsSchema: Type.Object(engineOptions, { additionalProperties: false }),
  apply({ extend, hooks, logger, state }, options) {
    let engine: LocalEngine | undefined;
    extend.callEngine((host) => {
      engine = new LocalEngine({ host, state, logger, ...engineOptionsOf(options) });
      return engine;
    });
    hooks.serve.tapPromise('engine-local', async ({ work }) => engine?.start(work));
    hooks.dispose.tapPromise('engine-local', async () => engine?.close());
  },
});
