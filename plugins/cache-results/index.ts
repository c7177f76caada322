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
import { addGauges } from './gauges.ts';
import { CacheKeys } from './keys.ts';
import { RunningCalls } from './running-calls.ts';
import { SharedResults } from './shared-results.ts';
import { ResultStore } from './store.ts';

/** Lifetime of a cached result, in milliseconds. For read-only tools. */
const CacheSchema = Type.Object(
  { ttl_ms: Type.Integer({ minimum: 1 }) },
  { additionalProperties: false, patternProperties: { '^x-': {} } },
);

/** Stage before limits, because a cached result uses up nothing, and after audit trails, which may refuse the call. */
const beforeLimits = -500;

/** First stage: caches the executor's own result. Later plugins change it again for each call. */
const beforeAllPlugins = -1000;

/**
 * Enforces `cache: {ttl_ms}`. The same call of the same caller with the same credentials gets the same result for that time, and concurrent
 * calls run once. A call with a cached result is checked, decided and approved like any other; its result passes `validateOutput`, and `settled` runs
 * with `meta.cached: {ageMs}`. Only successful results are cached, in memory, and none that contains a secret. When a call is cancelled while others
 * wait for it, one of them runs instead; when it fails, it fails for all of them.
 *
 * With a plugin that shares state between processes, such as `store-postgres`, cached results are shared too, for the rest of their lifetime by the
 * clocks of the machines: for the same caller, definition, code and build, and the same values of secrets (the store has a keyed digest of them).
 * These results stay in their process: of calls with credentials of their own or of their caller (`callerCredentials`), of tools whose handler is a
 * function without a file, and results larger than a value of the store. While the store is unreachable, the tool runs.
 */
export const cacheResults = definePlugin({
  name: 'cache-results',
  apiVersion,
  isOffInTests: true,
  optionsSchema: Type.Object(
    {
      /** Maximum number of results. When there are too many or they are too large, those of the tenant with most are evicted first. @default 1000 */
      maxEntries: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000_000 })),
      /** Maximum total size of the results as JSON, in bytes. A larger result is not cached. @default 52428800 */
      maxBytes: Type.Optional(Type.Integer({ minimum: 1 })),
    },
    { additionalProperties: false },
  ),
  apply(api, { maxEntries = 1000, maxBytes = 50 * 1024 * 1024 }) {
    const { hooks, extend, state, logger } = api;
    const cache = extend.definitionKey('cache', CacheSchema, { fingerprint: build });
    const appliesTo = (tool: Tool): boolean => cache.of(tool) !== undefined;
    const reads = addGauges(api);
    const running = new RunningCalls();
    const store = new ResultStore({ maxEntries, maxBytes });
    let loading: Promise<CacheKeys> | undefined;
    let shared: SharedResults | undefined;
    const load = async (): Promise<CacheKeys> => {
      const { default: canonicalize } = await import('canonicalize');
      const keys = new CacheKeys(canonicalize);
      if (state.isShared) shared = new SharedResults(api.kernel, state, logger, keys);
      return keys;
    };
    /** Returns another process's result for a call that has just begun here. */
    const sharedResult = async (
      sharedResults: SharedResults,
      call: Call,
      { tenant }: CallContext,
      key: string,
    ): Promise<ReturnType<ResultStore['get']>> => {
      const sharedKey = await sharedResults.sharedKeyOf(call);
      if (sharedKey === undefined) return undefined;
      running.setSharedKey(call.id, sharedKey);
      const found = await sharedResults.get(sharedKey);
      const ttlMs = cache.of(call.tool)?.ttl_ms ?? 0;
      // Clocks of machines may differ.
      const storedAt = Math.min(found?.storedAt ?? 0, Date.now());
      if (found === undefined || storedAt + ttlMs < Date.now()) return undefined;
      store.set(tenant, key, found.result, ttlMs, storedAt);
      return { result: found.result, ageMs: Date.now() - storedAt };
    };

    /** Returns a result from the cache, or that of a running call. Undefined when the call must run. */
    const read = async (call: Call, context: CallContext, key: string): Promise<ExecutionResult | undefined> => {
      for (;;) {
        // Begun after it has settled, a call would never end.
        context.signal.throwIfAborted();
        const cached = store.get(key);
        if (cached !== undefined) return cachedResult(cached.result, cached.ageMs);
        const runningCall = running.get(key);
        if (runningCall === undefined) {
          running.begin(key, call.id, context.tenant);
          if (shared === undefined) return undefined;
          const found = await sharedResult(shared, call, context, key);
          if (found === undefined) return undefined;
          running.abandon(call.id);
          return cachedResult(found.result, found.ageMs);
        }
        const ended = await runningCall.ended;
        if (ended.type === 'result') return cachedResult(ended.result, 0);
        if (ended.type === 'failed') throw ended.error;
        if (ended.type === 'private') return undefined;
      }
    };

    hooks.beforeExecute.tap({ name: 'cache-results', appliesTo }, ({ tool }) => {
      if (tool.annotations.readOnlyHint !== true) throw notReadOnly(tool);
      return undefined;
    });

    hooks.execute.for('*').tapPromise({ name: 'cache-results', stage: beforeLimits, appliesTo }, async (call, context) => {
      loading ??= load();
      const key = (await loading).keyOf(call);
      if (key === undefined) return undefined;
      const result = await read(call, context, key);
      if (result === undefined) reads.miss++;
      else reads.hit++;
      return result;
    });

    hooks.validateOutput.tap({ name: 'cache-results', stage: beforeAllPlugins, appliesTo }, (result, context) => {
      const written = running.has(context.callId) ? serialize(result, context) : undefined;
      if (written !== undefined) running.setResult(context.callId, written);
      return undefined;
    });

    hooks.settled.tap({ name: 'cache-results', stage: beforeAllPlugins, appliesTo }, (end) => {
      const ended = running.end(end);
      const ttlMs = end.tool === undefined ? undefined : cache.of(end.tool)?.ttl_ms;
      if (ended?.result === undefined || ttlMs === undefined) return;
      store.set(ended.tenant, ended.key, ended.result, ttlMs);
      if (ended.sharedKey !== undefined) shared?.set(ended.sharedKey, ended.result, ttlMs);
    });

    hooks.dispose.tapPromise('cache-results', () => {
      store.clear();
      return shared?.close();
    });
  },
});

/** Serializes a result. Undefined when it contains a secret, which is masked for this call only, or is not JSON. */
function serialize(result: ExecutionResult, { mask }: CallContext): Buffer | undefined {
  if (mask(result) !== result) return undefined;
  try {
    return Buffer.from(JSON.stringify(result));
  } catch {
    return undefined;
  }
}

function cachedResult(written: Buffer, ageMs: number): ExecutionResult {
  // Own text: large integers in it are texts already.
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
