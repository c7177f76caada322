import { ExpressionError, loadExpressionCompiler, type VariableTypes } from './expression.ts';

/**
 * A compiled condition. Throws when it cannot be evaluated: a missing field, mismatched types, a result that is not a boolean, or too long
 * a run.
 */
export type Condition<Variables> = (variables: Variables) => boolean;

/** Loads CEL and returns a compiler of conditions. The compiler throws ExpressionError for a text that is not CEL or does not give a bool. */
export async function loadConditionCompiler<Variables extends object>(
  types: VariableTypes<Variables>,
): Promise<(text: string) => Condition<Variables>> {
  const compile = await loadExpressionCompiler(types);
  return (text) => {
    const evaluate = compile(text, { name: 'condition', type: 'bool', description: 'true or false' });
    return (variables) => {
      const result = evaluate(variables);
      if (typeof result !== 'boolean') throw new ExpressionError(`gave a ${typeof result}: expected true or false`);
      return result;
    };
  };
}
