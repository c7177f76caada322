import Type from 'typebox';
import { apiVersion, definePlugin, type StateStore, ToolkitError } from '../../kernel/index.ts';
import { engineOptions, engineOptionsOf } from '../shared/calls/engine-options.ts';
import { addGauges } from '../shared/calls/gauges.ts';
import { callsPlugin, earlierCallsPlugins } from '../shared/calls/key-spaces.ts';
import { leavesRunsIn } from '../shared/calls/leaves-runs.ts';
import { movableState } from '../shared/calls/movable-state.ts';
import { postgresUrl } from '../shared/state/postgres-url.ts';
import { BullMqEngine } from './bullmq-engine.ts';

/**
 * Stores durable calls (`durable: true`) in the store of the configuration, as `engine-local` does, and dispatches them to the processes of several
 * machines by a queue of BullMQ in PostgreSQL. Needs a store that machines share, such as `storePostgres()`, and the package `bullmq`. A process
 * runs calls when it serves, or after it has submitted one; a command that only decides leaves them to others.
 */
export const engineBullmq = definePlugin({
  name: 'engine-bullmq',
  apiVersion,
  optionsSchema: Type.Object(
    {
      /** URL of the database for the tables of BullMQ, in the schema `toolkit_bullmq`. @default the environment variable TOOLKIT_STORE_URL */
      url: Type.Optional(Type.String({ minLength: 1 })),
      ...engineOptions,
    },
    { additionalProperties: false },
  ),
  apply(api, { url: given, ...options }) {
    const { extend, hooks, logger, maskAlso } = api;
    const url = postgresUrl('engine-bullmq', given, maskAlso);
    let engine: BullMqEngine | undefined;
    let store: StateStore | undefined;
    extend.fact(movableState, {
      what: 'durable calls',
      keysOf: callsPlugin,
      isActedOn: true,
      move: async (from) => opened(engine).takeOn(from),
    });
    extend.callEngine((host) => {
      const state = host.stateOf(callsPlugin);
      if (state.spansMachines !== true) throw withoutStore();
      store = state;
      const earlier = earlierCallsPlugins.map(host.stateOf);
      engine = new BullMqEngine({ host, state, logger, url, earlier, leavesRuns: leavesRunsIn(api), ...engineOptionsOf(options) });
      return engine;
    });
    addGauges({ extend }, () => store);
    hooks.serve.tapPromise('engine-bullmq', async ({ work }) => engine?.start(work));
    hooks.dispose.tapPromise('engine-bullmq', async () => engine?.close());
  },
});

function withoutStore(): ToolkitError {
  return new ToolkitError(
    'PLUGIN_INVALID',
    'engine-bullmq keeps calls in a store that several machines share, and this configuration lists none. Add storePostgres(), or use engineLocal() on one machine.',
  );
}

function opened(engine: BullMqEngine | undefined): BullMqEngine {
  if (engine !== undefined) return engine;
  throw new ToolkitError('ABORTED', 'engine-bullmq takes calls on only while its kernel is open.');
}
