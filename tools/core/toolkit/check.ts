import type { FunctionContext } from '../../../plugins/executor-function/index.ts';
import { checkDefinition, type Finding } from '../../../plugins/shared/definition-files/check-definition.ts';

interface Validation {
  readonly valid: boolean;
  readonly errors: readonly Finding[];
  readonly warnings: readonly Finding[];
}

/** Says what is wrong with a tool definition, as it would be told when it is loaded. Nothing is registered. */
export function validateTool({ yaml }: { readonly yaml: string }, { tools }: FunctionContext): Validation {
  const { errors, warnings } = checkDefinition(yaml, tools);
  return { valid: errors.length === 0, errors, warnings };
}
