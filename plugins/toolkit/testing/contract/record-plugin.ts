import type { Extend, HookName, Plugin, PluginApi, Source } from '../../../../kernel/index.ts';

/** Record of a plugin's actions in its kernels. */
export interface PluginRecord {
  /** Tapped hooks, and additions with `extend`; one entry for each. */
  readonly added: string[];
  /** Additions after `apply` had ended; they were not made. */
  readonly late: string[];
  /** Added sources; one entry for each addition. */
  readonly sources: { readonly name: string; readonly source: Source }[];
  /** Errors thrown by its taps. */
  readonly thrown: { readonly hook: HookName; readonly error: unknown }[];
}

type Run = (...given: unknown[]) => unknown;

/** Wraps a plugin to record its additions and errors. Late additions are recorded and not passed on. */
export function recordPlugin(plugin: Plugin, record: PluginRecord): Plugin {
  return {
    ...plugin,
    async apply(api) {
      const state = { isApplied: false };
      const note = (addition: string): boolean => {
        (state.isApplied ? record.late : record.added).push(addition);
        return !state.isApplied;
      };
      try {
        await plugin.apply(recordApi(api, note, record));
      } finally {
        state.isApplied = true;
      }
    },
  };
}

function recordApi(api: PluginApi, note: (addition: string) => boolean, record: PluginRecord): PluginApi {
  const port = (own: object, hook: HookName): object =>
    replaceFunctions(own, (_method, add) => (options, run) => {
      if (note(`hooks.${hook}`)) add.call(own, options, typeof run === 'function' ? recordErrors(run as Run, hook, record) : run);
    });
  const hooks = new Proxy(api.hooks, {
    get(target, name) {
      const own = Reflect.get(target, name) as unknown;
      if (name === 'execute') return { for: (key: string) => port(api.hooks.execute.for(key), 'execute') };
      return typeof own === 'object' && own !== null ? port(own, name as HookName) : own;
    },
  }) as PluginApi['hooks'];
  const extend = replaceFunctions(api.extend, (method, add) => (...callArguments: unknown[]) => {
    if (method === 'source') record.sources.push({ name: String(callArguments[0]), source: callArguments[1] as Source });
    return note(`extend.${method}`) ? add.apply(api.extend, callArguments) : undefined;
  }) as Extend;
  return new Proxy(api, { get: (target, name) => (name === 'hooks' ? hooks : name === 'extend' ? extend : Reflect.get(target, name)) });
}

/** Returns a proxy whose functions are replaced. */
function replaceFunctions(target: object, replace: (method: string, own: Run) => Run): object {
  return new Proxy(target, {
    get(object, name) {
      const own = Reflect.get(object, name) as unknown;
      return typeof own === 'function' ? replace(String(name), own as Run) : own;
    },
  });
}

function recordErrors(run: Run, hook: HookName, { thrown }: PluginRecord): Run {
  const fail = (error: unknown): never => {
    thrown.push({ hook, error });
    throw error;
  };
  return (...callArguments) => {
    try {
      const returned = run(...callArguments);
      return returned instanceof Promise ? returned.catch(fail) : returned;
    } catch (error) {
      return fail(error);
    }
  };
}
