import Type from 'typebox';
import { apiVersion, definePlugin, parseUrl } from '../../kernel/index.ts';
import { FairCache } from '../shared/fairness/fair-cache.ts';
import { Circuit, type CircuitOwner } from './circuit.ts';
import type { SharedCircuits } from './shared-circuits.ts';

/**
 * A circuit breaker: a service that fails is left alone. After `failures` requests in a row without an answer, or with a status from 500 on
 * that is not 501, requests of tools to its origin (scheme, host and port) are refused at once (UPSTREAM_UNAVAILABLE) for `openMs`. Then one
 * request tries; when it goes well, all do again. Any other answer, a 4xx too, counts as going well. A body that breaks off later is not seen.
 * Each tenant has circuits of its own, so that nobody can make a service fail for the others; when it is down, each finds that out.
 *
 * Where a plugin keeps the state of several processes, such as `store-postgres`, a circuit that opens in one of them opens in all, one of them
 * tries for all, and when that goes well it closes in all. They tell each other; no request but the first, and one that tries, waits for the
 * store. While that cannot be reached, each process has circuits of its own.
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
  apply({ extend, hooks, logger, state }, { failures = 5, openMs = 30_000, maxHosts = 1000 }) {
    let loading: ReturnType<typeof load> | undefined;
    const circuits = new FairCache<Circuit>({ maxEntries: maxHosts });
    let sharing: Promise<SharedCircuits> | undefined;
    let others: SharedCircuits | undefined;
    const circuitOf = (cockatiel: Awaited<ReturnType<typeof load>>, owner: CircuitOwner): Circuit => {
      const { tenant, origin } = owner;
      const key = JSON.stringify([tenant, origin]);
      const circuit = circuits.get(key) ?? new Circuit(cockatiel, owner, { failures, openMs }, logger, others?.of(owner));
      circuits.set(tenant, key, circuit);
      return circuit;
    };
    const share = async (cockatiel: Awaited<ReturnType<typeof load>>): Promise<SharedCircuits> => {
      const options = { openMs, most: maxHosts, circuitOf: (owner: CircuitOwner) => circuitOf(cockatiel, owner) };
      others = new (await import('./shared-circuits.ts')).SharedCircuits(state, logger, options);
      return others;
    };
    extend.status('circuits', () => ({ notClosed: [...circuits.values()].flatMap(({ status }) => status ?? []) }));
    extend.fetch((next) => async (input, init, options) => {
      const url = parseUrl(input instanceof Request ? input.url : String(input));
      if (url === undefined) return next(input, init, options);
      loading ??= load();
      const cockatiel = await loading;
      if (state.isShared) {
        sharing ??= share(cockatiel);
        await (await sharing).ready();
      }
      const { tenant = '' } = options ?? {};
      // A redirect from http to https goes well also where https fails.
      const { origin, host } = url;
      const circuit = circuitOf(cockatiel, { origin, host, tenant });
      const signal = init?.signal ?? (input instanceof Request ? input.signal : undefined);
      return circuit.send(() => next(input, init, options), signal);
    });
    hooks.dispose.tapPromise('limit-circuit', () => {
      circuits.clear();
      return others?.close();
    });
  },
});

function load() {
  return import('cockatiel');
}
