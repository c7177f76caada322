import type { JsonSchema } from '../../../kernel/index.ts';

/** What must hold where something else does. Of all that fails, editors then tell what is wrong in the branch that was meant. */
export function when(condition: JsonSchema, holds: JsonSchema, otherwise?: JsonSchema): JsonSchema {
  // biome-ignore lint/suspicious/noThenProperty: a key of JSON Schema.
  return { if: condition, then: holds, ...(otherwise === undefined ? {} : { else: otherwise }) };
}
