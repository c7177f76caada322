import { ToolkitError } from '../../../kernel/index.ts';

/** Maximum size of a result, in characters of its JSON. */
export const maxResultCharacters = 4 * 1024 * 1024;

/**
 * Returns the rest of a budget of characters after a value is written as JSON. Below 0 when it does not fit. Stops there: a small value
 * that is shared many times can be endlessly long as JSON.
 */
export function remainingBudget(value: unknown, budget: number): number {
  if (budget < 0 || value === undefined) return budget;
  if (typeof value === 'string') return budget - value.length - 2;
  if (typeof value !== 'object' || value === null) return budget - String(value).length;
  let remaining = budget - 2;
  for (const key of Object.keys(value)) {
    remaining = remainingBudget((value as Record<string, unknown>)[key], Array.isArray(value) ? remaining - 1 : remaining - key.length - 4);
    if (remaining < 0) return remaining;
  }
  return remaining;
}

export function resultTooLarge(): ToolkitError {
  return new ToolkitError(
    'OUTPUT_TOO_LARGE',
    `The result of the query is larger than ${maxResultCharacters} characters. Ask for less: a filter, a slice, single properties.`,
    { maxCharacters: maxResultCharacters },
  );
}
