import Type from 'typebox';
import { apiVersion, definePlugin } from '../../kernel/index.ts';
import { LocalEngine } from './local-engine.ts';

const weekMs = 7 * 24 * 60 * 60 * 1000;

/**
 * Keeps durable calls (`durable: true`) in the store of the configuration and makes them, each once, by `calls-once`: with `storePostgres()` by all
 * processes that share it, with `storeLibsql()` by those of one machine, also after a restart; without a store by this process as long as it
 * lives. A process that is killed leaves its calls to the others, who go on within five seconds. A process takes calls when it serves, or
 * has submitted one.
 */
export const engineLocal = definePlugin({
  name: 'engine-local',
  apiVersion,
  optionsSchema: Type.Object(
    {
      /** Durable calls that this process makes at the same time; 0: it submits them, and others make them. @default 4 */
      concurrency: Type.Optional(Type.Integer({ minimum: 0, maximum: 1000 })),
      /** How long a call is kept after its end, in milliseconds. @default 604800000: a week */
      keepMs: Type.Optional(Type.Integer({ minimum: 1000 })),
      /** Calls of one caller that have not ended, those that wait for a person too; more are refused (RATE_LIMITED). @default 10000 */
      maxCalls: Type.Optional(Type.Integer({ minimum: 1 })),
      /** Of a call with its parameters, and of its result, in bytes of JSON. @default 1048576 */
      maxBytes: Type.Optional(Type.Integer({ minimum: 1000, maximum: 4_000_000 })),
      /** How often a call is made that is refused for now (rate limit, open circuit, a store that is away) or whose process died. @default 10 */
      maxAttempts: Type.Optional(Type.Integer({ minimum: 1 })),
    },
    { additionalProperties: false },
  ),
  apply(
    { extend, hooks, logger, state },
    { concurrency = 4, keepMs = weekMs, maxCalls = 10_000, maxBytes = 1024 * 1024, maxAttempts = 10 },
  ) {
    let engine: LocalEngine | undefined;
    extend.callEngine((host) => {
      engine = new LocalEngine({ host, state, logger, concurrency, keepMs, maxCalls, maxBytes, maxAttempts });
      return engine;
    });
    hooks.serve.tapPromise('engine-local', async ({ work }) => engine?.start(work));
    hooks.dispose.tapPromise('engine-local', async () => engine?.close());
  },
});
