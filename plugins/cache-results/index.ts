import Type from 'typebox';
import {
  apiVersion,
  type Call,
  type CallContext,
  definePlugin,
  type ExecutionResult,
  type Tool,
  ToolkitError,
} from '../../kernel/index.ts';
import { build } from '../shared/project/build.ts';
import { Keys } from './keys.ts';
import { RunningCalls } from './running-calls.ts';
import { SharedResults } from './shared-results.ts';
import { ResultStore } from './store.ts';

/** How long a result may be given again, in milliseconds. For tools that only read. */
const CacheSchema = Type.Object(
  { ttl_ms: Type.Integer({ minimum: 1 }) },
  { additionalProperties: false, patternProperties: { '^x-': {} } },
);

/** Before limits: a result that is here already uses nothing up. After trails, which may refuse the call. */
const early = -500;

/** The result as the executor gave it; what others make of it, they make of it each time. */
const first = -1000;

/**
 * Enforces `cache: {ttl_ms}`: the same call of the same caller, with the same credentials, gets the same result for that
 * time, and runs once when it is made several times at once. A call that is answered so has been checked, decided and approved like any
 * other; its result is checked by `validateOutput` and its end is told to `settled`, with `meta.cached: {ageMs}`. Only results of calls
 * that went well are kept, in memory, and none in which a secret shows. A call that is cancelled while others wait for it leaves the work
 * to one of them; one that fails fails for all who waited.
 *
 * Where a plugin keeps the state of several processes, such as `store-postgres`, a result that one of them has is given in the others too, for the
 * rest of its time by the clocks of their machines: to the same caller, for the same definition, code and build, with the same values of secrets
 * (what is kept has a keyed digest of them). Results of calls that brought credentials along, or have those of their caller
 * (`callerCredentials`), of tools whose handler is a function and no file, and those that are larger than a value of the store stay in their
 * process. While the store cannot be reached, the tool runs.
 */
export const cacheResults = definePlugin({
  name: 'cache-results',
  apiVersion,
  optionsSchema: Type.Object(
    {
      /** Results at most; where they are too many or too large, the tenant who has most gives way. @default 1000 */
      maxEntries: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000_000 })),
      /** What all of them may take, as JSON, in bytes. One that is larger is not kept. @default 52428800 */
      maxBytes: Type.Optional(Type.Integer({ minimum: 1 })),
    },
    { additionalProperties: false },
  ),
  apply(api, { maxEntries = 1000, maxBytes = 50 * 1024 * 1024 }) {
    const { hooks, extend, state, logger } = api;
    const cache = extend.definitionKey('cache', CacheSchema, { fingerprint: build });
    const appliesTo = (tool: Tool): boolean => cache.of(tool) !== undefined;
    const running = new RunningCalls();
    const store = new ResultStore({ maxEntries, maxBytes });
    let loading: Promise<Keys> | undefined;
    let shared: SharedResults | undefined;
    const load = async (): Promise<Keys> => {
      const { default: canonicalize } = await import('canonicalize');
      const keys = new Keys(canonicalize);
      if (state.isShared) shared = new SharedResults(api.kernel, state, logger, keys);
      return keys;
    };
    /** What another process has of a call that has just begun to run here. */
    const sharedResult = async (
      others: SharedResults,
      call: Call,
      { tenant }: CallContext,
      key: string,
    ): Promise<ReturnType<ResultStore['get']>> => {
      const place = await others.placeOf(call);
      if (place === undefined) return undefined;
      running.setPlace(call.id, place);
      const found = await others.get(place);
      const ttlMs = cache.of(call.tool)?.ttl_ms ?? 0;
      // Clocks may differ.
      const storedAt = Math.min(found?.storedAt ?? 0, Date.now());
      if (found === undefined || storedAt + ttlMs < Date.now()) return undefined;
      store.set(tenant, key, found.result, ttlMs, storedAt);
      return { result: found.result, ageMs: Date.now() - storedAt };
    };

    hooks.beforeExecute.tap({ name: 'cache-results', appliesTo }, ({ tool }) => {
      if (tool.annotations.readOnlyHint !== true) throw notReadOnly(tool);
      return undefined;
    });

    hooks.execute.for('*').tapPromise({ name: 'cache-results', stage: early, appliesTo }, async (call, context) => {
      loading ??= load();
      const key = (await loading).of(call);
      if (key === undefined) return undefined;
      for (;;) {
        // A call that has settled would never end.
        context.signal.throwIfAborted();
        const kept = store.get(key);
        if (kept !== undefined) return again(kept.result, kept.ageMs);
        const same = running.get(key);
        if (same === undefined) {
          running.begin(key, call.id, context.tenant);
          if (shared === undefined) return undefined;
          const found = await sharedResult(shared, call, context, key);
          if (found === undefined) return undefined;
          running.leave(call.id);
          return again(found.result, found.ageMs);
        }
        const ended = await same.ended;
        if (ended.type === 'result') return again(ended.result, 0);
        if (ended.type === 'failed') throw ended.error;
        if (ended.type === 'private') return undefined;
      }
    });

    hooks.validateOutput.tap({ name: 'cache-results', stage: first, appliesTo }, (result, context) => {
      const written = running.has(context.callId) ? write(result, context) : undefined;
      if (written !== undefined) running.setResult(context.callId, written);
      return undefined;
    });

    hooks.settled.tap({ name: 'cache-results', stage: first, appliesTo }, (end) => {
      const ended = running.end(end);
      const ttlMs = end.tool === undefined ? undefined : cache.of(end.tool)?.ttl_ms;
      if (ended?.result === undefined || ttlMs === undefined) return;
      store.set(ended.tenant, ended.key, ended.result, ttlMs);
      if (ended.place !== undefined) shared?.set(ended.place, ended.result, ttlMs);
    });

    hooks.dispose.tapPromise('cache-results', () => {
      store.clear();
      return shared?.close();
    });
  },
});

/** Undefined where a secret shows, which is masked for this call only, and for facts that are no JSON. */
function write(result: ExecutionResult, { mask }: CallContext): Buffer | undefined {
  if (mask(result) !== result) return undefined;
  try {
    return Buffer.from(JSON.stringify(result));
  } catch {
    return undefined;
  }
}

function again(written: Buffer, ageMs: number): ExecutionResult {
  // Own text: a result in which integers are texts already.
  const result = JSON.parse(written.toString('utf8')) as ExecutionResult;
  return { ...result, meta: { ...result.meta, cached: { ageMs } } };
}

function notReadOnly(tool: Tool): ToolkitError {
  return new ToolkitError(
    'TOOL_INVALID',
    `"${tool.name}" declares "cache", but may change something: expected a tool that only reads. Say so with "annotations: { readOnlyHint: true }" if that is true, or remove "cache".`,
    { tool: tool.name, issues: [{ path: 'cache', message: 'expected a tool that only reads', pointer: '/cache' }] },
  );
}
