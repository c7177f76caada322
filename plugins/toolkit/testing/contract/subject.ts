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
import { type Captured, capturedOutput } from './captured-output.ts';
import { type PluginRecord, recordedPlugin } from './recorded-plugin.ts';
import { sampleTools } from './sample-tools.ts';

export interface PluginCheckOptions {
  /** Plugins that it needs beside it. @default none */
  readonly beside?: readonly PluginEntry[];
  /** What the tools that are called say in their definitions beside the usual, such as the definition key of the plugin. @default nothing */
  readonly toolKeys?: Readonly<Record<string, unknown>>;
  /** Address of the plugin's module, such as `import.meta.resolve('./index.js')`: then it is also looked at what importing it does. */
  readonly module?: string;
  /** Where relative paths in its options start. @default process.cwd() */
  readonly cwd?: string;
  /** How long each hook may take, in milliseconds. @default 10000 */
  readonly limitMs?: number;
}

/** A check has nothing to say, because something that it needs fails: another check says so. */
export class Unreached extends Error {}

/** How a call ended, and what was printed meanwhile. */
export type Outcome = { readonly output: unknown } | { readonly error: ToolkitError };

/** A plugin that is held against the contract. What several checks ask for is done once. */
export class Subject {
  readonly factory: PluginFactory<unknown>;
  readonly options: unknown;
  /** As they were before anything ran. */
  readonly optionsBefore: string;
  readonly settings: PluginCheckOptions;
  readonly record: PluginRecord = { added: [], late: [], sources: [], thrown: [] };
  readonly #done = new Map<string, Promise<unknown>>();

  constructor(factory: PluginFactory<unknown>, options: unknown, settings: PluginCheckOptions) {
    this.factory = factory;
    this.options = options;
    this.optionsBefore = writtenOptions(options);
    this.settings = settings;
  }

  /** The plugin with the options under test. Throws Unreached. */
  plugin(): Plugin {
    let made: unknown;
    try {
      made = this.factory(this.options);
    } catch (error) {
      throw new Unreached('the factory throws', { cause: error });
    }
    if (isPlainObject(made)) return made as unknown as Plugin;
    throw new Unreached('the factory gives no plugin');
  }

  /** A kernel with the plugin, or another one, and the tools of `sampleTools`. Rejects with what is wrong with its start. */
  start(plugin: Plugin = this.plugin(), more: TestKitOptions = {}): Promise<TestKit> {
    const { beside = [], toolKeys = {}, limitMs = 10_000, cwd = process.cwd() } = this.settings;
    return createTestKit({
      tools: sampleTools(toolKeys),
      secrets: { CONTRACT_SECRET: contractSecret },
      timeoutsMs: Object.fromEntries(hookNames.map((hook) => [hook, limitMs])),
      cwd,
      ...more,
      plugins: [beside, recordedPlugin(plugin, this.record), ...(more.plugins ?? [])],
    });
  }

  /** Works with a kernel and closes it. Throws Unreached where none starts. */
  async within<T>(work: (kit: TestKit) => Promise<T>, more?: TestKitOptions): Promise<T> {
    const kit = await this.start(undefined, more).catch((error: unknown) => {
      throw new Unreached('no kernel starts', { cause: error });
    });
    try {
      return await work(kit);
    } finally {
      // Whether it closes well is a check of its own.
      await kit.close().catch(() => {});
    }
  }

  /** The same, for checks that call tools: a plugin whose taps break every call has nothing more to say here. */
  async calling<T>(work: (kit: TestKit) => Promise<T>): Promise<T> {
    const { result: outcome } = await this.ordinaryCall();
    if ('error' in outcome && isBroken(outcome.error)) throw new Unreached('calls break', { cause: outcome.error });
    return this.within(work);
  }

  /** A call that nothing is wrong with, made by a program, from the start of a kernel to its end. Throws Unreached. */
  ordinaryCall(): Promise<Captured<Outcome>> {
    return this.once('ordinary call', () => capturedOutput(() => this.within((kit) => outcomeOf(kit, 'contract_echo', { text: 'hello' }))));
  }

  once<T>(name: string, work: () => Promise<T>): Promise<T> {
    const done = this.#done.get(name) ?? work();
    this.#done.set(name, done);
    return done as Promise<T>;
  }
}

/** Functions, of which there is no JSON, by their names. */
export function writtenOptions(options: unknown): string {
  return JSON.stringify(options, (_key, value: unknown) => (typeof value === 'function' ? `function ${value.name}` : value)) ?? '';
}

/** The value of the secret that the tools of the contract use. */
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

/** Undefined where there is none. */
export function memberOf(outcome: Outcome | undefined, name: string): unknown {
  return outcome !== undefined && 'output' in outcome && isPlainObject(outcome.output) ? outcome.output[name] : undefined;
}

/** Whether plugin code broke the call, and did not refuse it. */
export function isBroken({ code, details }: ToolkitError): boolean {
  return code.startsWith('PLUGIN_') || (code === 'TIMEOUT' && details.plugin !== undefined && details.hook !== 'execute');
}
