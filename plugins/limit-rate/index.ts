import Type from 'typebox';
import { apiVersion, definePlugin, type Tool } from '../../kernel/index.ts';
import { halfOfPlaces } from '../shared/fairness/half-of-places.ts';
import { build } from '../shared/project/build.ts';
import { checkFence } from './check-fence.ts';
import { addGauges } from './gauges.ts';
import { type RateLimit, RateLimitSchema } from './limit.ts';
import type { EnteringCall, Limits, OwnedLimit } from './limits.ts';
import { LocalLimits } from './local-limits.ts';

/** Late: a plugin that answers in place of the tool needs no permit, and nothing may come between the permit and the start. */
const lastStage = 1000;

/** Before plugins that may hang: a call that has ended must hold nothing. */
const firstStage = -1000;

/**
 * Enforces the `rate_limit` of tools and of their providers. A call that must wait does so within its own time limit, and
 * starts when the limits of its tool and of its provider both allow it. A free place goes to the tenant that holds the fewest, and
 * among equals in turn; calls of one tenant start in order. A limit counts the calls of all callers. A call that sends several requests, by `retry` or
 * `paginate`, counts once. A function tool that calls another tool holds its own slot meanwhile: with one slot for both,
 * neither ends before its time limit.
 *
 * If a plugin stores the state of several processes, such as `store-postgres`, the limits hold for all of them together. Each
 * process has a queue of its own, whose first call asks the store. `requests` are counted in windows of `per_ms`. A window
 * begins with the first start after the end of the previous one. No window has more starts than `requests`, but a span across
 * two windows may have up to twice as many; a single process allows them in no span. `concurrency` is a number of slots. A slot
 * belongs to a process until its call ends; no clock decides about it. The slots of a killed process are free again when
 * others find it dead: on one machine within two seconds, with PostgreSQL after about ten. A process that stands still keeps its
 * slots, and so does one that cannot reach the store while no other can. A process that alone is cut off for longer loses its
 * slots while its calls run on: up to twice as many then run, unless the limit has `fence: true`. When it is back, its calls
 * come before those that wait. If the store cannot be reached, calls are refused (STATE_UNAVAILABLE) and do not run without a limit.
 */
export const limitRate = definePlugin({
  name: 'limit-rate',
  apiVersion,
  isOffInTests: true,
  optionsSchema: Type.Object(
    {
      /**
       * Limit of calls that wait for one rate limit; one tenant may have half of them. Further calls are refused (RATE_LIMITED). 0
       * allows none to wait. @default 1000
       */
      maxQueued: Type.Optional(Type.Integer({ minimum: 0 })),
    },
    { additionalProperties: false },
  ),
  apply({ extend, hooks, state, logger }, { maxQueued = 1000 }) {
    const rateLimit = extend.definitionKey('rate_limit', RateLimitSchema, { on: 'both', check: checkFence, fingerprint: build });
    const appliesTo = (tool: Tool): boolean => rateLimit.of(tool) !== undefined || rateLimit.ofProvider(tool) !== undefined;
    const running = new Map<string, EnteringCall>();
    const waitLimits = { maxWaiting: maxQueued, maxOfTenant: halfOfPlaces(maxQueued) };
    let loading: Promise<Limits> | undefined;
    let limits: Limits | undefined;
    const load = async (): Promise<Limits> => {
      if (!state.isShared) limits = new LocalLimits(waitLimits);
      else limits = new (await import('./shared/shared-limits.ts')).SharedLimits(waitLimits, { state, logger });
      return limits;
    };

    const waiting = addGauges({ extend });
    extend.status('queues', () => limits?.status() ?? {});
    hooks.execute.for('*').tapPromise({ name: 'limit-rate', stage: lastStage, appliesTo }, async ({ id, tool }, context) => {
      const declared = [
        { owner: `the tool "${tool.name}"`, declared: rateLimit.of(tool) },
        { owner: `the provider "${tool.provider?.name}"`, declared: rateLimit.ofProvider(tool) },
      ].filter(isDeclared);
      // Loaded once, so that calls continue in the order in which they came.
      loading ??= load();
      const loaded = await loading;
      // Nothing may be awaited from here until the call is in the queue: a call that has settled would never give its slot back.
      const { signal, tenant } = context;
      signal.throwIfAborted();
      const call = loaded.admit({ tool, tenant }, declared);
      running.set(id, call);
      const entering = call.enter(signal);
      if (entering === undefined) return undefined;
      waiting.count++;
      await entering.finally(() => waiting.count--);
      return undefined;
    });
    hooks.settled.tap({ name: 'limit-rate', stage: firstStage, appliesTo }, ({ id }) => {
      running.get(id)?.end();
      running.delete(id);
    });
    hooks.dispose.tapPromise('limit-rate', () => limits?.close(running.values()));
  },
});

function isDeclared(limit: { readonly owner: string; readonly declared: RateLimit | undefined }): limit is OwnedLimit {
  return limit.declared !== undefined;
}
