import { setImmediate } from 'node:timers/promises';
import sinon from 'sinon';
import type { CallRequest, Kernel, PluginEntry } from '../../../kernel/index.ts';
import { limitRate } from '../../../plugins/limit-rate/index.ts';
import { afterEach } from '../../support/after-each.ts';
import { testKernel } from '../../support/test-kernel.ts';

export interface LimitedTool {
  readonly name?: string;
  readonly rate_limit?: unknown;
  readonly provider?: string;
  readonly timeout_ms?: number;
  readonly output_schema?: unknown;
}

export interface LimitedOptions {
  /** @default one tool `get` without a limit */
  readonly tools?: readonly LimitedTool[];
  /** `rate_limit` by name of the provider. */
  readonly providers?: Readonly<Record<string, unknown>>;
  readonly maxQueued?: number;
  /** Work of the tools. @default they end at once */
  readonly run?: (label: string) => unknown;
  readonly plugins?: readonly PluginEntry[];
}

export interface Limited {
  readonly kernel: Kernel;
  /** Started calls in order: the label, and milliseconds since the clock was stopped. */
  readonly starts: { readonly tool: string; readonly label: string; readonly at: number }[];
  /** The labels of what has started. */
  labels(): string[];
  call(label: string, tool?: string, more?: Omit<CallRequest, 'tool' | 'parameters'>): Promise<unknown>;
  /** Moves the clock, and lets everything happen that can happen then. */
  tick(ms: number, stepMs?: number): Promise<void>;
}

/** A kernel with function tools that note when they start, under a clock that stands still from now on, at 0. */
export async function limited({
  tools = [{}],
  providers = {},
  maxQueued,
  run = () => null,
  plugins = [],
}: LimitedOptions): Promise<Limited> {
  const clock = sinon.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] });
  const starts: { tool: string; label: string; at: number }[] = [];
  const warm = {
    name: 'warm',
    description: 'Does nothing.',
    rate_limit: { concurrency: 1 },
    execution: { type: 'function', handler: () => null },
  };
  const kernel = await testKernel({
    providers: Object.entries(providers).map(([name, rate_limit]) => ({ provider: { name }, rate_limit })),
    tools: [
      warm,
      ...tools.map(({ name = 'get', timeout_ms, ...more }) => ({
        name,
        description: 'Gets.',
        parameters: { label: { type: 'string' } },
        execution: {
          type: 'function',
          ...(timeout_ms === undefined ? {} : { timeout_ms }),
          handler: ({ label }: { label: string }) => {
            starts.push({ tool: name, label, at: Date.now() });
            return run(label);
          },
        },
        ...more,
      })),
    ],
    plugins: [limitRate(maxQueued === undefined ? {} : { maxQueued }), ...plugins],
  });
  // What the plugin loads on first use comes from the disk, which knows no clock.
  await kernel.call({ tool: 'warm' });
  const labels = (): string[] => starts.map(({ label }) => label);
  return {
    kernel,
    starts,
    labels,
    call: (label, tool = tools[0]?.name ?? 'get', more = {}) => kernel.call({ ...more, tool, parameters: { label } }),
    async tick(ms, stepMs = Math.max(ms, 1)) {
      await setImmediate();
      for (let passed = 0; passed < ms; passed += stepMs) {
        clock.tick(Math.min(stepMs, ms - passed));
        await setImmediate();
      }
    },
  };
}

/** The largest number of moments that lie in one span of this length. */
export function mostIn(spanMs: number, moments: readonly number[]): number {
  let most = 0;
  let first = 0;
  moments.forEach((moment, index) => {
    while (moment - (moments[first] ?? 0) >= spanMs) first++;
    most = Math.max(most, index - first + 1);
  });
  return most;
}

afterEach(() => sinon.restore());
