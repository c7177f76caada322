import { type Issue, sentence, ToolkitError } from './errors.ts';
import type { Plugin } from './plugin.ts';

/** Holds the options of a plugin against its schema. Throws PLUGIN_INVALID with every problem at once. */
export async function checkOptions(plugin: Plugin): Promise<void> {
  const { name, options, optionsSchema } = plugin;
  const isEmpty = typeof options === 'object' && options !== null && Object.keys(options).length === 0;
  if (isEmpty && (optionsSchema as { required?: readonly string[] } | undefined)?.required === undefined) return;
  const { checkValue } = await import('./schema/check-value.ts');
  const issues: readonly Issue[] = checkValue(optionsSchema ?? { type: 'object', additionalProperties: false }, options);
  if (issues.length === 0) return;
  const shown = issues.map(({ path, message }) => `${path === '' ? '(options)' : path} ${message}`).join('; ');
  throw new ToolkitError('PLUGIN_INVALID', sentence(`The options of plugin "${name}" are wrong: ${shown}`), { plugin: name, issues });
}
