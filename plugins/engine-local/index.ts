import Type from 'typebox';
import { apiVersion, definePlugin } from '../../kernel/index.ts';
import { engineOptions, engineOptionsOf } from '../shared/calls/engine-options.ts';
import { addGauges } from '../shared/calls/gauges.ts';
import { leavesRunsIn } from '../shared/calls/leaves-runs.ts';
import { callChecks } from './checks.ts';
import { callCommands } from './commands.ts';
import { LocalEngine } from './local-engine.ts';
import { refuseSeveralMachines } from './one-machine.ts';

/**
 * Stores durable calls (`durable: true`) in the store of the configuration, and runs each of them once, by `calls-once`. It is the engine of one
 * machine: with `storeLibsql()` all its processes run them, also after a restart; without a store this process runs them, while it lives. A store
 * that several machines share is refused: `engine-bullmq` is the engine of those. Calls of a killed process are continued by others within three
 * seconds. A process runs calls when it serves, or after it has submitted one; a command that only decides leaves them to others.
 */
export const engineLocal = definePlugin({
  name: 'engine-local',
  apiVersion,
  optionsSchema: Type.Object(engineOptions, { additionalProperties: false }),
  commands: callCommands,
  checks: callChecks,
  apply(api, options) {
    const { extend, hooks, logger, state } = api;
    let engine: LocalEngine | undefined;
    extend.callEngine((host) => {
      refuseSeveralMachines(state);
      engine = new LocalEngine({
        host,
        state,
        logger,
        leavesRuns: leavesRunsIn(api),
        ...engineOptionsOf(options),
      });
      return engine;
    });
    addGauges({ extend }, () => state);
    hooks.serve.tapPromise('engine-local', async ({ work }) => engine?.start(work));
    hooks.dispose.tapPromise('engine-local', async () => engine?.close());
  },
});
