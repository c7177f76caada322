import type { CheckServices, ConfiguredCheck, ConfiguredPlugin, Finding, Kernel } from '../../../kernel/index.ts';

/** A check of a plugin, and whether the configuration lists the plugin. */
export interface ListedCheck {
  readonly check: ConfiguredCheck;
  readonly isListed: boolean;
}

/** Returns the checks of the listed plugins, and of the built-in ones that are not listed. */
export function pluginChecks(kernel: Pick<Kernel, 'plugins'> | undefined, builtIn: readonly ConfiguredPlugin[]): readonly ListedCheck[] {
  const listed = kernel?.plugins ?? [];
  const others = builtIn.filter((plugin) => !listed.some(({ name }) => name === plugin.name));
  const checksOf = (plugins: readonly ConfiguredPlugin[], isListed: boolean): ListedCheck[] =>
    plugins.flatMap(({ checks = [] }) => checks.map((check) => ({ check, isListed })));
  return [...checksOf(others, false), ...checksOf(listed, true)];
}

/** Runs a check of a plugin, which must not change the services of others. */
export async function runPluginCheck({ check, isListed }: ListedCheck, services: Omit<CheckServices, 'isListed'>): Promise<Finding[]> {
  return [...(await check.run({ ...services, isListed }))];
}
