import type { JsonSchema } from '../../../kernel/index.ts';

/** Returns a conditional schema. Editors then report errors of the matching branch only. */
export function when(condition: JsonSchema, holds: JsonSchema, otherwise?: JsonSchema): JsonSchema {
  // biome-ignore lint/suspicious/noThenProperty: a key of JSON Schema.
  return { if: condition, then: holds, ...(otherwise === undefined ? {} : { else: otherwise }) };
}
