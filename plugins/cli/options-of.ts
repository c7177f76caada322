import { isPlainObject, type Kernel } from '../../kernel/index.ts';

/** The options of a plugin, as flags and the configuration give them; empty where it is not there. */
export function optionsOf(kernel: Pick<Kernel, 'plugins'> | undefined, plugin: string): Readonly<Record<string, unknown>> {
  const options = kernel?.plugins.find(({ name }) => name === plugin)?.options;
  return isPlainObject(options) ? options : {};
}
