import type { Static, TSchema } from 'typebox';
import { configureChecks, type PluginCheck } from './check.ts';
import type { Command } from './command.ts';
import { ToolkitError } from './errors.ts';
import type { Extend } from './extend.ts';
import type { PluginFlags } from './flag.ts';
import type { HookSignature } from './hooks.ts';
import { describeValue, isPlainObject } from './json/json.ts';
import type { ConfiguredPlugin, Kernel } from './kernel-api.ts';
import type { LogFormat, LogLevel } from './log/log-settings.ts';
import type { Logger } from './log/logger.ts';
import type { OutboundFetch } from './outbound.ts';
import type { StateStore } from './state/state-store.ts';
import type { HookName } from './taps/hook-names.ts';
import type { TapOptions } from './taps/tap-options.ts';
import type { MaybePromise } from './time/maybe-promise.ts';

/** The version of the plugin API. A plugin with another `apiVersion` is refused (PLUGIN_INVALID). */
export const apiVersion = 1;

/** One extension point as a plugin sees it. */
export interface HookPort<H extends HookName> {
  tap(options: string | TapOptions, run: HookSignature<H>): void;
  tapPromise(
    options: string | TapOptions,
    run: (...args: Parameters<HookSignature<H>>) => MaybePromise<ReturnType<HookSignature<H>>>,
  ): void;
}

export type PluginHooks = { readonly [H in Exclude<HookName, 'execute'>]: HookPort<H> } & {
  readonly execute: { for(executionType: string): HookPort<'execute'> };
};

/** The argument of `apply`. `hooks` and `extend` work only during `apply`; the rest works as long as the kernel lives. */
export interface PluginApi {
  readonly hooks: PluginHooks;
  readonly logger: Logger;
  readonly extend: Extend;
  /** Base folder of relative paths in options: the folder of the configuration file, else the working directory. */
  readonly cwd: string;
  /** Masks one more value in logs, errors and outputs from now on, such as a bearer token that the plugin holds. */
  maskAlso(name: string, value: string): void;
  /**
   * Fetches outside of calls, through the outbound guard, as `trust: 'package'` unless the options say otherwise: say `operator` only for a
   * host that the operator wrote. Works after `apply`. Pass a signal: nothing else ends the request.
   */
  readonly fetch: OutboundFetch;
  /** State that outlives a call, under this plugin's own keys. Shared by all processes if a plugin provides a shared store, else in memory. */
  readonly state: StateStore;
  /** The running kernel: registry, calls. Read it inside a tap: before every plugin is applied it throws PLUGIN_INVALID. */
  readonly kernel: Kernel;
}

/** A plugin with its options, as listed in the configuration. */
export interface Plugin extends ConfiguredPlugin, PluginFlags<unknown> {
  readonly apiVersion: number;
  readonly optionsSchema?: TSchema;
  readonly commands?: readonly Command[];
  readonly isOffInTests?: boolean;
  apply(kernel: PluginApi): MaybePromise<void>;
  /** Returns the same plugin; the given options take precedence over its own. */
  withOptions(options: Readonly<Record<string, unknown>>): Plugin;
}

/** An entry of the configuration: a plugin, a preset (a list, nested to any depth), or a falsy value, which is skipped. */
export type PluginEntry = Plugin | readonly PluginEntry[] | false | null | undefined | '' | 0;

export interface PluginDefinition<Options> extends PluginFlags<Options> {
  readonly name: string;
  readonly version?: string;
  readonly apiVersion: number;
  readonly optionsSchema?: TSchema;
  readonly commands?: readonly Command[];
  /** Findings about this plugin for `toolkit doctor`. */
  readonly checks?: readonly PluginCheck<Options>[];
  /** True when `toolkit test` leaves out the plugin's taps, so that a repeated example never waits, is answered from a cache, or is counted. @default false */
  readonly isOffInTests?: boolean;
  apply(kernel: PluginApi, options: Options): MaybePromise<void>;
}

export type PluginFactory<Options> = (options?: Options) => Plugin;

/**
 * Defines a plugin and returns its factory; a configuration calls it with options: `plugins: [officeHours()]`. `apply` runs once, when
 * the kernel starts, and adds taps. Options are checked against `optionsSchema` first: invalid ones are refused (PLUGIN_INVALID).
 * @example const officeHours = definePlugin({ name: 'office-hours', apiVersion: 1, apply: ({ hooks }) => hooks.beforeExecute.tap('hours', close) });
 */
export function definePlugin<S extends TSchema>(
  definition: Omit<PluginDefinition<Static<S>>, 'optionsSchema'> & { readonly optionsSchema: S },
): PluginFactory<Static<S>>;
export function definePlugin(
  definition: Omit<PluginDefinition<Readonly<Record<string, never>>>, 'optionsSchema'>,
): PluginFactory<Readonly<Record<string, never>>>;
export function definePlugin<Options>(definition: PluginDefinition<Options>): PluginFactory<Options> {
  const { apply, checks, ...rest } = definition;
  const create = (options: Options): Plugin => ({
    ...rest,
    ...(checks === undefined ? {} : { checks: configureChecks(checks, options) }),
    options,
    apply: (kernel) => apply(kernel, options),
    withOptions: (more) => create({ ...options, ...more }),
  });
  return (options) => create(options ?? ({} as Options));
}

export interface ToolkitConfig {
  readonly plugins: readonly PluginEntry[];
  /** @default 'info' */
  readonly logLevel?: LogLevel;
  /** @default 'json' when NODE_ENV is production, else 'simple' */
  readonly logFormat?: LogFormat;
  /** Time limits of hooks in milliseconds. `execute` is the limit of tools without `timeout_ms`. @default `defaultTimeoutsMs`, hook by hook */
  readonly timeoutsMs?: Readonly<Partial<Record<HookName, number>>>;
}

/** Returns the configuration unchanged. It gives an editor the types of `toolkit.config.ts`. */
export function defineConfig(config: ToolkitConfig): ToolkitConfig {
  return config;
}

/**
 * Returns the plugins of a configuration, in order. A plugin listed directly, or later, replaces the entry of the same name from a
 * preset, at the preset's position. Throws for a name that is listed twice directly.
 */
export function flattenPlugins(entries: readonly unknown[]): readonly Plugin[] {
  const plugins = new Map<string, { plugin: Plugin; byHand: boolean }>();
  const visit = (entry: unknown, place: string, byHand: boolean): void => {
    if (entry === false || entry === null || entry === undefined || entry === '' || entry === 0) return;
    if (Array.isArray(entry)) {
      for (const [index, inner] of entry.entries()) visit(inner, `${place}[${index}]`, false);
      return;
    }
    const plugin = checkPlugin(entry, place);
    const twin = plugins.get(plugin.name);
    if (twin?.byHand === true && byHand) {
      throw new ToolkitError('PLUGIN_INVALID', `${place}: the plugin "${plugin.name}" is listed twice. Keep one entry.`, {
        plugin: plugin.name,
      });
    }
    if (twin?.byHand !== true) plugins.set(plugin.name, { plugin, byHand });
  };
  for (const [index, entry] of entries.entries()) visit(entry, `plugins[${index}]`, true);
  return [...plugins.values()].map(({ plugin }) => plugin);
}

function checkPlugin(entry: unknown, place: string): Plugin {
  const refuse = (expected: string, received: string): never => {
    throw new ToolkitError('PLUGIN_INVALID', `${place} is not a plugin: expected ${expected}, received ${received}.`);
  };
  if (typeof entry === 'function') refuse('a plugin object', `a function. Call it: ${entry.name || 'plugin'}()`);
  if (!isPlainObject(entry)) return refuse('a plugin object made by definePlugin', describeValue(entry));
  const { name, apply } = entry;
  if (typeof name !== 'string' || name === '') return refuse('a "name" of at least one character', describeValue(name));
  if (typeof apply !== 'function') return refuse(`an "apply" function in "${name}"`, describeValue(apply));
  if (entry['apiVersion'] !== apiVersion)
    return refuse(
      `apiVersion ${apiVersion} in "${name}"`,
      `${describeValue(entry['apiVersion'])}. Install a version of the plugin made for this toolkit`,
    );
  return entry as unknown as Plugin;
}
