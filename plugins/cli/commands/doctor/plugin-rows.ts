import { hookNames, type Kernel } from '../../../../kernel/index.ts';

/** One plugin with its hooks and commands. */
export interface PluginRow {
  readonly name: string;
  readonly version?: string;
  /** Hooks that it taps, in the order of a call. */
  readonly hooks: readonly string[];
  readonly commands: readonly string[];
}

/** Lists the plugins in their order. */
export function pluginRows(kernel: Kernel): PluginRow[] {
  const hooks = new Map<string, string[]>();
  for (const hook of hookNames)
    for (const plugin of new Set(kernel.tapsOf(hook).map((tap) => tap.plugin))) hooks.set(plugin, [...(hooks.get(plugin) ?? []), hook]);
  return kernel.plugins.map(({ name, version, commands = [] }) => ({
    name,
    ...(version === undefined ? {} : { version }),
    hooks: hooks.get(name) ?? [],
    commands: commands.map((command) => command.name),
  }));
}
