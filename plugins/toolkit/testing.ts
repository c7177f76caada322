/** What plugin and tool authors need in their tests. Works with every test runner. */
import {
  apiVersion,
  createKernel,
  definePlugin,
  flattenPlugins,
  type HookName,
  hookNames,
  type Kernel,
  type Logger,
  type LogMeta,
  messageOf,
  type Plugin,
  type PluginEntry,
  type PluginFactory,
} from '../../kernel/index.ts';
import { executorFunction } from '../executor-function/index.ts';
import { reserveKeys } from '../shared/definition-files/reserved-keys.ts';
import { validateOutput } from '../validate-output/index.ts';

export { type InvalidToolRuleCase, type ToolRuleCase, type ToolRuleCases, toolRuleTester } from './tool-rule-tester.ts';

export interface LogRecord {
  readonly level: keyof Logger;
  readonly message: string;
  readonly meta?: LogMeta;
}

/** A logger that keeps its records. */
export function memoryLogger(): Logger & { readonly records: readonly LogRecord[] } {
  const records: LogRecord[] = [];
  const keep = (level: keyof Logger) => (message: string, meta?: LogMeta) =>
    void records.push({ level, message, ...(meta === undefined ? {} : { meta }) });
  return { records, error: keep('error'), warn: keep('warn'), info: keep('info'), debug: keep('debug') };
}

export interface TestKernelOptions {
  readonly plugins?: readonly PluginEntry[];
  /** Tool definitions; a function tool may carry its function as `execution.handler`. */
  readonly tools?: readonly unknown[];
  readonly providers?: readonly unknown[];
  readonly logger?: Logger;
}

/** A kernel with the given tools, function tools and output checks, and the given plugins. Close it after the test. */
export function createTestKernel({
  plugins = [],
  tools = [],
  providers = [],
  logger = memoryLogger(),
}: TestKernelOptions): Promise<Kernel> {
  const given = definePlugin({
    name: 'test-tools',
    apiVersion,
    apply(kernel) {
      reserveKeys(kernel);
      kernel.hooks.discover.tap('test-tools', (sink) => {
        for (const provider of providers) sink.addProvider(provider, { trust: 'operator' });
        for (const tool of tools) {
          const name = (tool as { provider?: string }).provider;
          const { provider: _provider, ...definition } = tool as Record<string, unknown>;
          sink.addTool(definition, { trust: 'operator' }, name);
        }
      });
    },
  });
  return createKernel({ plugins: [[executorFunction(), validateOutput()], given(), ...plugins], logger });
}

/**
 * Holds a plugin against the contract: it has a name and an apiVersion, applies with the given options, taps at least one hook or adds a
 * command, refuses an option that nobody knows, can be applied twice to different kernels, and closes cleanly. Returns what is wrong.
 */
export async function checkPlugin<Options>(
  factory: PluginFactory<Options>,
  options?: Options,
  beside: readonly PluginEntry[] = [],
): Promise<readonly string[]> {
  const problems: string[] = [];
  const plugin = factory(options);
  for (const round of ['first', 'second']) {
    try {
      const kernel = await createKernel({ plugins: [...beside, factory(options)], logger: memoryLogger() });
      if (!doesSomething(plugin, kernel)) problems.push('taps no hook and adds no command');
      await kernel.close();
      await kernel.close();
    } catch (error) {
      problems.push(`${round} kernel: ${messageOf(error)}`);
    }
  }
  try {
    const kernel = await createKernel({ plugins: [...beside, plugin.withOptions({ noSuchOptionAtAll: true })], logger: memoryLogger() });
    await kernel.close();
    problems.push('accepts an option that it does not know');
  } catch {
    // As it should be.
  }
  if (flattenPlugins([plugin]).length !== 1) problems.push('is not one plugin');
  return [...new Set(problems)];
}

function doesSomething(plugin: Plugin, kernel: Kernel): boolean {
  const isTapped = (hook: HookName): boolean =>
    kernel.tapsOf(hook).some((name) => name === plugin.name || name.startsWith(`${plugin.name}:`));
  return (plugin.commands ?? []).length > 0 || hookNames.some(isTapped);
}
