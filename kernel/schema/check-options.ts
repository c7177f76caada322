import type { TSchema } from 'typebox';
import { sentence, ToolkitError } from '../errors.ts';

interface Configured {
  readonly name: string;
  readonly options: unknown;
  readonly optionsSchema?: TSchema;
}

/** Checks the options of a plugin against its schema. Throws PLUGIN_INVALID with all issues. */
export async function checkOptions({ name, options, optionsSchema }: Configured): Promise<void> {
  const isEmpty = typeof options === 'object' && options !== null && Object.keys(options).length === 0;
  if (isEmpty && (optionsSchema as { required?: readonly string[] } | undefined)?.required === undefined) return;
  // Imported only when there are options, to keep the start fast.
  const { checkValue } = await import('./check-value.ts');
  const issues = checkValue(optionsSchema ?? { type: 'object', additionalProperties: false }, options);
  if (issues.length === 0) return;
  const shown = issues.map(({ path: place, message }) => `${place === '' ? '(options)' : place} ${message}`).join('; ');
  throw new ToolkitError('PLUGIN_INVALID', sentence(`The options of plugin "${name}" are wrong: ${shown}`), { plugin: name, issues });
}
