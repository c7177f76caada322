import Type from 'typebox';
import { apiVersion, definePlugin, type Tool } from '../../kernel/index.ts';
import { build } from '../shared/project/build.ts';
import { type RateLimit, RateLimitSchema } from './limit.ts';
import type { EnteringCall, Limits, OwnedLimit } from './limits.ts';
import { LocalLimits } from './local-limits.ts';

/** Late: what answers in place of the tool needs no permit, and nothing comes between the permit and the start. */
const last = 1000;

/** Before plugins that may hang: a call that has ended holds nothing. */
const first = -1000;

/**
 * Enforces the `rate_limit` of tools and of their providers. A call that has to wait stands in line within its own time limit, and starts
 * when the limits of its tool and of its provider both let it. Where calls of several tenants wait, theirs start in turn, and each one's
 * in the order in which they came. A limit counts the calls of all callers; what one call sends
 * again by its `retry`, or page by page by its `paginate`, counts once. A function tool that calls another tool holds its own place
 * meanwhile: with one place for both, neither ends before its time limit.
 *
 * Where a plugin keeps the state of several processes, such as `store-postgres`, the limits hold for all of them together. Each process has a line
 * of its own, and the first of it asks. `requests` are counted in windows of `per_ms`, the next of which begins with the first start after the
 * end of the last: no window has more starts than `requests`, but a span across the border of two may have up to twice as many, where a single
 * process allows them in no span. `concurrency` is places that calls lease: those of a process that was killed are there again within five
 * seconds; a process that stands still for more than three loses its places while its calls run on. A store that cannot be reached refuses the
 * call (STATE_UNAVAILABLE): it does not run unlimited.
 */
export const limitRate = definePlugin({
  name: 'limit-rate',
  apiVersion,
  optionsSchema: Type.Object(
    {
      /** Calls that may wait for one limit, half of them of one tenant; more are refused (RATE_LIMITED). 0 lets none wait. @default 1000 */
      maxQueued: Type.Optional(Type.Integer({ minimum: 0 })),
    },
    { additionalProperties: false },
  ),
  apply({ extend, hooks, state, logger }, { maxQueued = 1000 }) {
    const rateLimit = extend.definitionKey('rate_limit', RateLimitSchema, { on: 'both', fingerprint: build });
    const appliesTo = (tool: Tool): boolean => rateLimit.of(tool) !== undefined || rateLimit.ofProvider(tool) !== undefined;
    const running = new Map<string, EnteringCall>();
    const places = { maxWaiting: maxQueued, maxOfTenant: Math.ceil(maxQueued / 2) };
    let loading: Promise<Limits> | undefined;
    let limits: Limits | undefined;
    const load = async (): Promise<Limits> => {
      const { default: Queue } = await import('p-queue');
      if (!state.isShared) limits = new LocalLimits(Queue, places);
      else limits = new (await import('./shared/shared-limits.ts')).SharedLimits(Queue, places, { state, logger });
      return limits;
    };

    extend.status('queues', () => limits?.status() ?? {});
    hooks.execute.for('*').tapPromise({ name: 'limit-rate', stage: last, appliesTo }, async ({ id, tool }, context) => {
      const written = [
        { owner: `the tool "${tool.name}"`, written: rateLimit.of(tool) },
        { owner: `the provider "${tool.provider?.name}"`, written: rateLimit.ofProvider(tool) },
      ].filter(isWritten);
      // Once, so that calls go on in the order in which they came.
      loading ??= load();
      const loaded = await loading;
      // From here to the line nothing is awaited: a call that has settled would never give its place back.
      const { signal, tenant } = context;
      signal.throwIfAborted();
      const call = loaded.admit({ tool, tenant }, written);
      running.set(id, call);
      await call.enter(signal);
      return undefined;
    });
    hooks.settled.tap({ name: 'limit-rate', stage: first, appliesTo }, ({ id }) => {
      running.get(id)?.end();
      running.delete(id);
    });
    hooks.dispose.tapPromise('limit-rate', () => limits?.close(running.values()));
  },
});

function isWritten(limit: { readonly owner: string; readonly written: RateLimit | undefined }): limit is OwnedLimit {
  return limit.written !== undefined;
}
