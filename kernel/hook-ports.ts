import { ToolkitError } from './errors.ts';
import type { HookPort, PluginHooks } from './plugin.ts';
import { didYouMean } from './schema/nearest.ts';
import { type HookName, hookNames } from './taps/hook-names.ts';
import type { TapOptions } from './taps/tap-options.ts';

/** Adds one tap of the plugin. */
export type AddTap = (
  place: { readonly hook: HookName; readonly key?: string; readonly isSync: boolean },
  options: string | TapOptions,
  run: unknown,
) => void;

/** Returns the hooks object of a plugin. Reading an unknown hook throws PLUGIN_INVALID; test with `'name' in hooks`. */
export function hookPorts(plugin: string, add: AddTap): PluginHooks {
  const port = (hook: HookName, key?: string): HookPort<HookName> => {
    const place = { hook, ...(key === undefined ? {} : { key }) };
    return {
      tap: (options, run) => add({ ...place, isSync: true }, options, run),
      tapPromise: (options, run) => add({ ...place, isSync: false }, options, run),
    };
  };
  const ports = hookNames.map((name) => [name, name === 'execute' ? executePorts(plugin, port) : port(name)]);
  return known(Object.fromEntries(ports) as PluginHooks, (name) => {
    throw new ToolkitError('PLUGIN_INVALID', `Plugin "${plugin}": ${missingHook(name)}`, { plugin });
  });
}

function missingHook(name: string): string {
  return `there is no hook "${name}".${didYouMean(name, hookNames) || ` The hooks are ${hookNames.join(', ')}.`}`;
}

/** Returns the ports of `execute`, one for each execution type. */
function executePorts(plugin: string, port: (hook: 'execute', key: string) => unknown): object {
  return known({ for: (key: string) => port('execute', key) }, (name) => {
    const advice = 'Say for which type of execution: hooks.execute.for("http"), or for("*") to run before those of every type.';
    throw new ToolkitError('PLUGIN_INVALID', `Plugin "${plugin}" asks for hooks.execute.${name}. ${advice}`, { plugin, hook: 'execute' });
  });
}

/** Returns a proxy that refuses unknown names, except those that the language itself reads. */
function known<T extends object>(members: T, refuse: (name: string) => never): T {
  return new Proxy(members, {
    get: (target, name) => {
      if (typeof name === 'symbol' || name in target || name === 'then' || name === 'toJSON') return Reflect.get(target, name);
      return refuse(name);
    },
  });
}
