import type { Tool } from '../../../kernel/index.ts';

/** Handling of a result that does not match `output_schema`, as in the definition key `output_check`. */
export type OutputCheck = 'error' | 'warn' | 'off';

/**
 * Returns how the results of a tool are checked: as its definition says, else `error`, and `warn` for a tool of a source, whose schema was written
 * by others.
 */
export function outputCheckOf({ definition, origin }: Pick<Tool, 'definition' | 'origin'>): OutputCheck {
  const { output_check: written } = definition as { readonly output_check?: OutputCheck };
  return written ?? (origin.source === undefined ? 'error' : 'warn');
}
