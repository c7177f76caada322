import type { LRUCache } from 'lru-cache';
import Type from 'typebox';
import { apiVersion, definePlugin, parseUrl } from '../../kernel/index.ts';
import { Circuit } from './circuit.ts';

/**
 * A circuit breaker: a service that fails is left alone. After `failures` requests in a row without an answer, or with a status from 500 on
 * that is not 501, requests of tools to its origin (scheme, host and port) are refused at once (UPSTREAM_UNAVAILABLE) for `openMs`. Then one
 * request tries; when it goes well, all do again. Any other answer, a 4xx too, counts as going well. A body that breaks off later is not seen.
 * The service is left alone for all callers: one of them who makes it fail does so for the others.
 */
export const limitCircuit = definePlugin({
  name: 'limit-circuit',
  apiVersion,
  optionsSchema: Type.Object(
    {
      /** Failed requests in a row that open the circuit. @default 5 */
      failures: Type.Optional(Type.Integer({ minimum: 1 })),
      /** How long it stays open, in milliseconds. @default 30000 */
      openMs: Type.Optional(Type.Integer({ minimum: 1 })),
      /** Origins that are remembered; the one that was not used for longest is forgotten. @default 1000 */
      maxHosts: Type.Optional(Type.Integer({ minimum: 1 })),
    },
    { additionalProperties: false },
  ),
  apply({ extend, hooks, logger }, { failures = 5, openMs = 30_000, maxHosts = 1000 }) {
    let loading: ReturnType<typeof load> | undefined;
    let circuits: LRUCache<string, Circuit> | undefined;
    extend.fetch((next) => async (input, init, options) => {
      const url = parseUrl(input instanceof Request ? input.url : String(input));
      if (url === undefined) return next(input, init, options);
      loading ??= load();
      const { cockatiel, LRUCache: Cache } = await loading;
      circuits ??= new Cache({ max: maxHosts });
      // A redirect from http to https goes well also where https fails.
      const { origin, host } = url;
      const circuit = circuits.get(origin) ?? new Circuit(cockatiel, host, { failures, openMs }, logger);
      circuits.set(origin, circuit);
      const signal = init?.signal ?? (input instanceof Request ? input.signal : undefined);
      return circuit.send(() => next(input, init, options), signal);
    });
    hooks.dispose.tap('limit-circuit', () => circuits?.clear());
  },
});

async function load() {
  const [cockatiel, { LRUCache }] = await Promise.all([import('cockatiel'), import('lru-cache')]);
  return { cockatiel, LRUCache };
}
