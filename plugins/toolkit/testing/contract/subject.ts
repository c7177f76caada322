import {
  type ExecuteOptions,
  hookNames,
  isPlainObject,
  type Plugin,
  type PluginEntry,
  type PluginFactory,
  ToolkitError,
} from '../../../../kernel/index.ts';
import { createTestKit, type TestKit, type TestKitOptions } from '../test-kit.ts';
import { type CapturedOutput, captureOutput } from './capture-output.ts';
import { type PluginRecord, recordPlugin } from './record-plugin.ts';
import { sampleTools } from './sample-tools.ts';

export interface PluginCheckOptions {
  /** Plugins that it needs. @default none */
  readonly beside?: readonly PluginEntry[];
  /** Additional keys for the definitions of the called tools, such as the definition key of the plugin. @default none */
  readonly toolKeys?: Readonly<Record<string, unknown>>;
  /** URL of the plugin's module, such as `import.meta.resolve('./index.js')`. With it, the effects of importing the module are checked too. */
  readonly module?: string;
  /** Folder that relative paths in its options start from. @default process.cwd() */
  readonly cwd?: string;
  /** Time limit of each hook, in milliseconds. @default 10000 */
  readonly limitMs?: number;
}

/** Thrown by a check that cannot run, because of a failure that another check reports. */
export class SkippedCheck extends Error {}

/** End of a call. */
export type Outcome = { readonly output: unknown } | { readonly error: ToolkitError };

/** The plugin under test. Work that several checks need is done once. */
export class Subject {
  readonly factory: PluginFactory<unknown>;
  readonly options: unknown;
  /** Serialized options, before anything ran. */
  readonly optionsBefore: string;
  readonly settings: PluginCheckOptions;
  readonly record: PluginRecord = { added: [], late: [], sources: [], thrown: [] };
  readonly #done = new Map<string, Promise<unknown>>();

  constructor(factory: PluginFactory<unknown>, options: unknown, settings: PluginCheckOptions) {
    this.factory = factory;
    this.options = options;
    this.optionsBefore = serializeOptions(options);
    this.settings = settings;
  }

  /** Returns a new plugin with the options under test. Throws Unreached. */
  plugin(): Plugin {
    let made: unknown;
    try {
      made = this.factory(this.options);
    } catch (error) {
      throw new SkippedCheck('the factory throws', { cause: error });
    }
    if (isPlainObject(made)) return made as unknown as Plugin;
    throw new SkippedCheck('the factory gives no plugin');
  }

  /** Starts a kernel with the plugin, or another one, and the tools of `sampleTools`. Rejects when it does not start. */
  start(plugin: Plugin = this.plugin(), more: TestKitOptions = {}): Promise<TestKit> {
    const { beside = [], toolKeys = {}, limitMs = 10_000, cwd = process.cwd() } = this.settings;
    return createTestKit({
      tools: sampleTools(toolKeys),
      secrets: { CONTRACT_SECRET: contractSecret },
      timeoutsMs: Object.fromEntries(hookNames.map((hook) => [hook, limitMs])),
      cwd,
      ...more,
      plugins: [beside, recordPlugin(plugin, this.record), ...(more.plugins ?? [])],
    });
  }

  /** Runs `work` with a kernel, and closes it. Throws Unreached when no kernel starts. */
  async withKernel<T>(work: (kit: TestKit) => Promise<T>, more?: TestKitOptions): Promise<T> {
    const kit = await this.start(undefined, more).catch((error: unknown) => {
      throw new SkippedCheck('no kernel starts', { cause: error });
    });
    try {
      return await work(kit);
    } finally {
      // Another check covers an error while closing.
      await kit.close().catch(() => {});
    }
  }

  /** Does the same for checks that call tools. Throws Unreached for a plugin that breaks every call. */
  async withCalls<T>(work: (kit: TestKit) => Promise<T>): Promise<T> {
    const { result: outcome } = await this.makeOrdinaryCall();
    if ('error' in outcome && isBroken(outcome.error)) throw new SkippedCheck('calls break', { cause: outcome.error });
    return this.withKernel(work);
  }

  /** Makes a valid call from host code, from the start of a kernel to its end. Throws Unreached. */
  makeOrdinaryCall(): Promise<CapturedOutput<Outcome>> {
    return this.once('ordinary call', () =>
      captureOutput(() => this.withKernel((kit) => outcomeOf(kit, 'contract_echo', { text: 'hello' }))),
    );
  }

  once<T>(name: string, work: () => Promise<T>): Promise<T> {
    const done = this.#done.get(name) ?? work();
    this.#done.set(name, done);
    return done as Promise<T>;
  }
}

/** Serializes options, with functions as their names. */
export function serializeOptions(options: unknown): string {
  return JSON.stringify(options, (_key, value: unknown) => (typeof value === 'function' ? `function ${value.name}` : value)) ?? '';
}

/** Value of the secret that the sample tools use. */
export const contractSecret = 'Vq7mZr2xKd9fTw4hPb6nJc3s';

export async function outcomeOf(
  kit: TestKit,
  tool: string,
  parameters: Readonly<Record<string, unknown>> = {},
  options: ExecuteOptions = {},
): Promise<Outcome> {
  try {
    return { output: await kit.call(tool, parameters, options) };
  } catch (error) {
    if (ToolkitError.is(error)) return { error };
    throw error;
  }
}

/** Returns a member of the output; undefined without one. */
export function memberOf(outcome: Outcome | undefined, name: string): unknown {
  return outcome !== undefined && 'output' in outcome && isPlainObject(outcome.output) ? outcome.output[name] : undefined;
}

/** True when plugin code broke the call, in contrast to a refusal. */
export function isBroken({ code, details }: ToolkitError): boolean {
  return code.startsWith('PLUGIN_') || (code === 'TIMEOUT' && details.plugin !== undefined && details.hook !== 'execute');
}
