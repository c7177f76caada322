import Type from 'typebox';
import { apiVersion, definePlugin, parseUrl } from '../../kernel/index.ts';
import { FairCache } from '../shared/fairness/fair-cache.ts';
import { Circuit, type CircuitOwner } from './circuit.ts';
import { addGauges } from './gauges.ts';
import type { SharedCircuits } from './shared-circuits.ts';
import { Standstill } from './standstill.ts';

/**
 * A circuit breaker: a failing service gets no requests for a while. After `maxFailures` requests in a row without an answer, or
 * with a status from 500 on except 501, requests of tools to its origin (scheme, host and port) are refused at once
 * (UPSTREAM_UNAVAILABLE) for `resetTimeoutMs`. Then one trial request is sent; if it succeeds, the circuit closes. Any other answer,
 * including a 4xx, counts as a success. A body that breaks off later is not noticed, and requests that fail after this process stood
 * still (stopped, asleep, or with a blocked event loop) do not count. Each tenant has circuits of its own, so
 * that no tenant can block a service for others; when the service is down, each tenant finds out by itself.
 *
 * If a plugin stores the state of several processes, such as `store-postgres`, a circuit that opens in one process opens in
 * all, one process sends the trial request for all, and if it succeeds the circuit closes in all. Only the first request, and
 * a trial request, wait for the store. While the store cannot be reached, each process has circuits of its own.
 */
export const limitCircuit = definePlugin({
  name: 'limit-circuit',
  apiVersion,
  isOffInTests: true,
  optionsSchema: Type.Object(
    {
      /** Failed requests in a row that open the circuit. @default 5 */
      maxFailures: Type.Optional(Type.Integer({ minimum: 1, mistaken_names: ['failures'] })),
      /** Time that a circuit stays open, in milliseconds. @default 30000 */
      resetTimeoutMs: Type.Optional(Type.Integer({ minimum: 1, mistaken_names: ['openMs'] })),
      /**
       * Limit of remembered circuits, one for each origin and tenant. Over it, the tenant with most loses the circuit that was not
       * used for longest. @default 1000
       */
      maxCircuits: Type.Optional(Type.Integer({ minimum: 1, mistaken_names: ['maxHosts'] })),
    },
    { additionalProperties: false },
  ),
  apply({ extend, hooks, logger, state }, { maxFailures = 5, resetTimeoutMs = 30_000, maxCircuits = 1000 }) {
    let loading: ReturnType<typeof load> | undefined;
    const circuits = new FairCache<Circuit>({ maxEntries: maxCircuits });
    const options = { maxFailures, resetTimeoutMs, standstill: new Standstill() };
    let sharing: Promise<SharedCircuits> | undefined;
    let others: SharedCircuits | undefined;
    const circuitOf = (cockatiel: Awaited<ReturnType<typeof load>>, owner: CircuitOwner): Circuit => {
      const { tenant, origin } = owner;
      const key = JSON.stringify([tenant, origin]);
      const circuit = circuits.get(key) ?? new Circuit(cockatiel, owner, options, logger, others?.of(owner));
      circuits.set(tenant, key, circuit);
      return circuit;
    };
    const share = async (cockatiel: Awaited<ReturnType<typeof load>>): Promise<SharedCircuits> => {
      const sharedOptions = { resetTimeoutMs, maxCircuits, circuitOf: (owner: CircuitOwner) => circuitOf(cockatiel, owner) };
      others = new (await import('./shared-circuits.ts')).SharedCircuits(state, logger, sharedOptions);
      return others;
    };
    addGauges({ extend }, () => circuits.values());
    extend.status('circuits', () => ({ notClosed: [...circuits.values()].flatMap(({ status }) => status ?? []) }));
    extend.fetch((next) => async (input, init, outbound) => {
      const url = parseUrl(input instanceof Request ? input.url : String(input));
      if (url === undefined) return next(input, init, outbound);
      loading ??= load();
      const cockatiel = await loading;
      if (state.isShared) {
        sharing ??= share(cockatiel);
        await (await sharing).ready();
      }
      const { tenant = '' } = outbound ?? {};
      // By origin, because a redirect from http to https succeeds even where https fails.
      const { origin, host } = url;
      const circuit = circuitOf(cockatiel, { origin, host, tenant });
      const signal = init?.signal ?? (input instanceof Request ? input.signal : undefined);
      return circuit.send(() => next(input, init, outbound), signal);
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
