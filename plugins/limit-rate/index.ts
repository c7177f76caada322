import type PQueue from 'p-queue';
import Type from 'typebox';
import { apiVersion, definePlugin, type Tool, ToolkitError } from '../../kernel/index.ts';
import { build } from '../shared/project/build.ts';
import { Admission } from './admission.ts';
import { type FullLine, Limit, type RateLimit, RateLimitSchema } from './limit.ts';

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
  apply(kernel, { maxQueued = 1000 }) {
    const rateLimit = kernel.extend.definitionKey('rate_limit', RateLimitSchema, { on: 'both', fingerprint: build });
    const appliesTo = (tool: Tool): boolean => rateLimit.of(tool) !== undefined || rateLimit.ofProvider(tool) !== undefined;
    const limits = new Map<string, Limit>();
    const running = new Map<string, Admission>();
    const timers = new Set<NodeJS.Timeout>();
    let loading: Promise<typeof import('p-queue')> | undefined;
    const places = { maxWaiting: maxQueued, maxOfTenant: Math.ceil(maxQueued / 2) };
    const later = (giveBack: () => void, ms: number): void => {
      const timer = setTimeout(() => {
        timers.delete(timer);
        giveBack();
      }, ms);
      timers.add(timer.unref());
    };
    const limitOf = (Queue: typeof PQueue, owner: string, written: RateLimit | undefined): Limit[] => {
      if (written === undefined) return [];
      // By what is written, so that a reload does not forget who has just started.
      const key = `${owner} ${JSON.stringify(written)}`;
      const limit = limits.get(key) ?? new Limit(Queue, owner, written);
      limits.set(key, limit);
      return [limit];
    };

    kernel.extend.status('queues', () =>
      Object.fromEntries([...limits.values()].flatMap(({ owner, status }) => (status === undefined ? [] : [[owner, status]]))),
    );
    kernel.hooks.execute.for('*').tapPromise({ name: 'limit-rate', stage: last, appliesTo }, async ({ id, tool }, context) => {
      const [ofTool, ofProvider] = [rateLimit.of(tool), rateLimit.ofProvider(tool)];
      // Once, so that calls go on in the order in which they came.
      loading ??= import('p-queue');
      const { default: Queue } = await loading;
      // From here to the line nothing is awaited: a call that has settled would never give its place back.
      const { signal, tenant } = context;
      signal.throwIfAborted();
      const own = [
        ...limitOf(Queue, `the tool "${tool.name}"`, ofTool),
        ...limitOf(Queue, `the provider "${tool.provider?.name}"`, ofProvider),
      ];
      for (const limit of own) {
        const full = limit.fullFor(tenant, places);
        if (full !== undefined) throw tooMany(tool, limit, full);
      }
      const admission = new Admission(tenant, own, later);
      running.set(id, admission);
      await admission.enter(signal);
      return undefined;
    });
    kernel.hooks.settled.tap({ name: 'limit-rate', stage: first, appliesTo }, ({ id }) => {
      running.get(id)?.end();
      running.delete(id);
    });
    kernel.hooks.dispose.tap('limit-rate', () => {
      for (const timer of timers) clearTimeout(timer);
      timers.clear();
    });
  },
});

function tooMany(tool: Tool, { owner, waitMs }: Limit, { waiting, of }: FullLine): ToolkitError {
  const whose = of === 'tenant' ? ' of this caller' : '';
  const line = waiting === 0 ? 'and none may wait' : `and ${waiting} calls${whose} wait already`;
  return new ToolkitError(
    'RATE_LIMITED',
    `"${tool.name}" was not run: the rate limit of ${owner} is reached, ${line}. Call again later, or less often.`,
    { tool: tool.name, retryAfterMs: waitMs },
  );
}
