import { isPlainObject, type Kernel } from '../../../../kernel/index.ts';

/** Returns the effective options of a plugin, from flags and configuration; empty when it is not listed. */
export function optionsOf(kernel: Pick<Kernel, 'plugins'> | undefined, plugin: string): Readonly<Record<string, unknown>> {
  const options = kernel?.plugins.find(({ name }) => name === plugin)?.options;
  return isPlainObject(options) ? options : {};
}
