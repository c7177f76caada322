import Type from 'typebox';
import { apiVersion, definePlugin, parseUrl } from '../../kernel/index.ts';
import { FairCache } from '../shared/fairness/fair-cache.ts';
import { Circuit } from './circuit.ts';

/**
 * A circuit breaker: a service that fails is left alone. After `failures` requests in a row without an answer, or with a status from 500 on
 * that is not 501, requests of tools to its origin (scheme, host and port) are refused at once (UPSTREAM_UNAVAILABLE) for `openMs`. Then one
 * request tries; when it goes well, all do again. Any other answer, a 4xx too, counts as going well. A body that breaks off later is not seen.
 * Each tenant has circuits of its own, so that nobody can make a service fail for the others; when it is down, each finds that out.
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
      /** Circuits that are remembered, one for each origin and tenant; the tenant who has most gives way, with the one not used for longest. @default 1000 */
      maxHosts: Type.Optional(Type.Integer({ minimum: 1 })),
    },
    { additionalProperties: false },
  ),
  apply({ extend, hooks, logger }, { failures = 5, openMs = 30_000, maxHosts = 1000 }) {
    let loading: ReturnType<typeof load> | undefined;
    const circuits = new FairCache<Circuit>({ maxEntries: maxHosts });
    extend.status('circuits', () => ({ notClosed: [...circuits.values()].flatMap(({ status }) => status ?? []) }));
    extend.fetch((next) => async (input, init, options) => {
      const url = parseUrl(input instanceof Request ? input.url : String(input));
      if (url === undefined) return next(input, init, options);
      loading ??= load();
      const cockatiel = await loading;
      const { tenant = '' } = options ?? {};
      // A redirect from http to https goes well also where https fails.
      const { origin, host } = url;
      const key = JSON.stringify([tenant, origin]);
      const circuit = circuits.get(key) ?? new Circuit(cockatiel, { host, tenant }, { failures, openMs }, logger);
      circuits.set(tenant, key, circuit);
      const signal = init?.signal ?? (input instanceof Request ? input.signal : undefined);
      return circuit.send(() => next(input, init, options), signal);
    });
    hooks.dispose.tap('limit-circuit', () => circuits.clear());
  },
});

function load() {
  return import('cockatiel');
}
