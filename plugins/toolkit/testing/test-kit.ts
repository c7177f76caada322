import {
  apiVersion,
  type CallEnd,
  type CallRequest,
  createKernel,
  definePlugin,
  type ExecuteOptions,
  type JsonValue,
  type Kernel,
  type KernelOptions,
  type Plugin,
  type Registry,
  type TapEffect,
} from '../../../kernel/index.ts';
import { credentialsPlaceholder } from '../../credentials-placeholder/index.ts';
import { executorFunction } from '../../executor-function/index.ts';
import { reserveKeys } from '../../shared/definition-files/reserved-keys.ts';
import { validateOutput } from '../../validate-output/index.ts';
import { type LogRecord, memoryLogger } from './memory-logger.ts';

/** Settings of a kernel, and a test's replacements for files and stores. */
export interface TestKitOptions extends Partial<KernelOptions> {
  /** Tool definitions. A function tool may have its function as `execution.handler`; `provider` names one of `providers`. */
  readonly tools?: readonly unknown[];
  /** Provider definitions. */
  readonly providers?: readonly unknown[];
  /** Values of secrets by name, for tools that need some; others are missing. @default no tool gets any */
  readonly secrets?: Readonly<Record<string, string>>;
}

/** A kernel for a test, with records of its events. `await using` closes it. */
export interface TestKit extends AsyncDisposable {
  readonly kernel: Kernel;
  /** Log records in order; empty when the test has a logger of its own. */
  readonly log: readonly LogRecord[];
  /** Input and result of each tap in calls made with `call`, in order, without taps on `settled`. */
  readonly effects: readonly TapEffect[];
  /** End of each call, including refused ones. */
  readonly ends: readonly CallEnd[];
  /** Calls a tool and returns its output. `options` as for `kernel.call`, such as `caller` or `signal`. Throws ToolkitError. */
  call(tool: string, parameters?: CallRequest['parameters'], options?: ExecuteOptions): Promise<JsonValue>;
  /** Runs discovery again; with `tools`, these replace the former ones. */
  reload(tools?: readonly unknown[]): Promise<Registry>;
  /** Closes the kernel. A second call has no effect. */
  close(): Promise<void>;
}

/**
 * Returns a kernel with the given plugins, after those that every test needs: tools, providers and secrets from memory, function tools, output checks. A
 * plugin of the test replaces a built-in one with the same name. Close it after the test.
 * @example await using kit = await createTestKit({ plugins: [myPlugin({ ttlMs: 10 })], tools: [echo] });
 */
export async function createTestKit({
  plugins = [],
  tools = [],
  providers = [],
  secrets,
  ...settings
}: TestKitOptions = {}): Promise<TestKit> {
  const logger = memoryLogger();
  const ends: CallEnd[] = [];
  const effects: TapEffect[] = [];
  const definitions: TestDefinitions = { tools, providers, secrets };
  const basePlugins = [executorFunction(), validateOutput(), ...(secrets === undefined ? [] : [credentialsPlaceholder()])];
  const kernel = await createKernel({ logger, ...settings, plugins: [basePlugins, createMemoryPlugin(definitions, ends), ...plugins] });
  return {
    kernel,
    log: logger.records,
    effects,
    ends,
    async call(tool, parameters = {}, options = {}) {
      const { output } = await kernel.call({ onTap: (effect) => effects.push(effect), ...options, tool, parameters });
      return output;
    },
    reload(changed = definitions.tools) {
      definitions.tools = changed;
      return kernel.reload();
    },
    close: () => kernel.close(),
    [Symbol.asyncDispose]: () => kernel.close(),
  };
}

/** Definitions and secrets, read at each discovery. */
interface TestDefinitions {
  tools: readonly unknown[];
  readonly providers: readonly unknown[];
  readonly secrets: TestKitOptions['secrets'] | undefined;
}

function createMemoryPlugin(definitions: TestDefinitions, ends: CallEnd[]): Plugin {
  return definePlugin({
    name: 'test-kit',
    apiVersion,
    apply(kernel) {
      const { hooks } = kernel;
      reserveKeys(kernel);
      hooks.discover.tap('test-kit', (sink) => {
        for (const provider of definitions.providers) sink.addProvider(provider, { trust: 'operator' });
        for (const tool of definitions.tools) {
          const { provider, ...definition } = tool as Record<string, unknown>;
          sink.addTool(definition, { trust: 'operator' }, provider as string | undefined);
        }
      });
      hooks.resolveSecrets.tap('test-kit', (sink) => {
        for (const name of sink.missing) {
          const value = definitions.secrets?.[name];
          if (value !== undefined) sink.provide(name, value);
        }
      });
      hooks.settled.tap('test-kit', (end) => void ends.push(end));
    },
  })();
}
