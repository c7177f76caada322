import { setImmediate } from 'node:timers/promises';
import sinon from 'sinon';
import type { CallEnd, CallOutput, CallRequest, Kernel, PluginEntry } from '../../../kernel/index.ts';
import { apiVersion, definePlugin } from '../../../kernel/index.ts';
import { cacheResults } from '../../../plugins/cache-results/index.ts';
import { credentialsPlaceholder } from '../../../plugins/credentials-placeholder/index.ts';
import type { FunctionContext } from '../../../plugins/executor-function/index.ts';
import { secretsEnv } from '../../../plugins/secrets-env/index.ts';
import { afterEach } from '../../support/after-each.ts';
import { testKernel } from '../../support/test-kernel.ts';

export type Given = Readonly<Record<string, unknown>>;

export interface CachedOptions {
  /** Result of the tool. @default its parameters and the number of the run */
  readonly run?: (parameters: Given, run: number, context: FunctionContext) => unknown;
  /** Further keys of the definition; `cache` is 1000 ms. */
  readonly definition?: Readonly<Record<string, unknown>>;
  readonly options?: Parameters<typeof cacheResults>[0];
  readonly plugins?: readonly PluginEntry[];
  /** The environment, which a test may change later. */
  readonly env?: Record<string, string>;
}

export interface Cached {
  readonly kernel: Kernel;
  readonly clock: sinon.SinonFakeTimers;
  /** The parameters of each run of the tool. */
  readonly runs: readonly Given[];
  readonly ends: readonly CallEnd[];
  call(parameters?: Given, more?: Partial<CallRequest>): Promise<CallOutput>;
}

/** A kernel with the function tool `get`, whose results are cached, under a clock that stands still. */
export async function cached({
  run = (given, count) => ({ given, count }),
  definition = {},
  options = {},
  plugins = [],
  env = {},
}: CachedOptions = {}): Promise<Cached> {
  const clock = sinon.useFakeTimers({ now: 1_000_000, toFake: ['setTimeout', 'clearTimeout', 'Date'] });
  const runs: Given[] = [];
  const ends: CallEnd[] = [];
  const witness = definePlugin({
    name: 'witness',
    apiVersion,
    apply: ({ hooks }) => hooks.settled.tap('witness', (end) => void ends.push(end)),
  });
  const handler = (given: Given, context: FunctionContext): unknown => {
    runs.push(given);
    return run(given, runs.length, context);
  };
  const any = { a: {}, b: {} };
  const warm = {
    name: 'warm',
    description: 'Does nothing.',
    cache: { ttl_ms: 1 },
    risk: 'low',
    execution: { type: 'function', handler: () => null },
  };
  const kernel = await testKernel({
    tools: [
      warm,
      {
        name: 'get',
        description: 'Gets.',
        parameters: any,
        cache: { ttl_ms: 1000 },
        risk: 'low',
        execution: { type: 'function', handler },
        ...definition,
      },
    ],
    plugins: [secretsEnv({ env }), credentialsPlaceholder(), cacheResults(options), witness(), ...plugins],
  });
  // What the plugin loads on first use comes from the disk, which knows no clock.
  await kernel.call({ tool: 'warm' });
  ends.length = 0;
  return { kernel, clock, runs, ends, call: (parameters = {}, more = {}) => kernel.call({ tool: 'get', parameters, ...more }) };
}

/** Lets everything happen that can happen without the clock. */
export const settle = (): Promise<void> => setImmediate();

afterEach(() => sinon.restore());
