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

/** Beside the settings of a kernel, what a test has in place of files and stores. */
export interface TestKitOptions extends Partial<KernelOptions> {
  /** Tool definitions. A function tool may carry its function as `execution.handler`; `provider` names one of `providers`. */
  readonly tools?: readonly unknown[];
  /** Provider definitions. */
  readonly providers?: readonly unknown[];
  /** Values of secrets by name, for tools that need some; others are missing. @default no tool gets any */
  readonly secrets?: Readonly<Record<string, string>>;
}

/** A kernel for a test, with what happened in it. `await using` closes it. */
export interface TestKit extends AsyncDisposable {
  readonly kernel: Kernel;
  /** What was logged, in order; empty where the test gave a logger of its own. */
  readonly log: readonly LogRecord[];
  /** What each tap got and gave back in the calls of `call`, in order, but those of `settled`. */
  readonly effects: readonly TapEffect[];
  /** How each call ended, refusals included. */
  readonly ends: readonly CallEnd[];
  /** Calls a tool and gives its output. `options` as for `kernel.call`, such as `caller` or `signal`. Throws ToolkitError. */
  call(tool: string, parameters?: CallRequest['parameters'], options?: ExecuteOptions): Promise<JsonValue>;
  /** Discovers again, from now on with these tools where some are given. */
  reload(tools?: readonly unknown[]): Promise<Registry>;
  /** Closes the kernel. The second time it does nothing. */
  close(): Promise<void>;
}

/**
 * A kernel with the given plugins behind what every test needs: tools, providers and secrets from memory, function tools, output checks. A
 * plugin of the test takes the place of a built-in one of the same name. Close it after the test.
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
  const given: Given = { tools, providers, secrets };
  const behind = [executorFunction(), validateOutput(), ...(secrets === undefined ? [] : [credentialsPlaceholder()])];
  const kernel = await createKernel({ logger, ...settings, plugins: [behind, fromMemory(given, ends), ...plugins] });
  return {
    kernel,
    log: logger.records,
    effects,
    ends,
    async call(tool, parameters = {}, options = {}) {
      const { output } = await kernel.call({ onTap: (effect) => effects.push(effect), ...options, tool, parameters });
      return output;
    },
    reload(changed = given.tools) {
      given.tools = changed;
      return kernel.reload();
    },
    close: () => kernel.close(),
    [Symbol.asyncDispose]: () => kernel.close(),
  };
}

/** Read at each discovery. */
interface Given {
  tools: readonly unknown[];
  readonly providers: readonly unknown[];
  readonly secrets: TestKitOptions['secrets'] | undefined;
}

function fromMemory(given: Given, ends: CallEnd[]): Plugin {
  return definePlugin({
    name: 'test-kit',
    apiVersion,
    apply(kernel) {
      const { hooks } = kernel;
      reserveKeys(kernel);
      hooks.discover.tap('test-kit', (sink) => {
        for (const provider of given.providers) sink.addProvider(provider, { trust: 'operator' });
        for (const tool of given.tools) {
          const { provider, ...definition } = tool as Record<string, unknown>;
          sink.addTool(definition, { trust: 'operator' }, provider as string | undefined);
        }
      });
      hooks.resolveSecrets.tap('test-kit', (sink) => {
        for (const name of sink.missing) {
          const value = given.secrets?.[name];
          if (value !== undefined) sink.provide(name, value);
        }
      });
      hooks.settled.tap('test-kit', (end) => void ends.push(end));
    },
  })();
}
