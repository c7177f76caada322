import { ExpressionError, expressionCompiler, type VariableTypes } from './expression.ts';

/** Throws when it cannot be evaluated: a missing field, a mismatch of types, a result that is not true or false, too long a run. */
export type Condition<Variables> = (variables: Variables) => boolean;

/** Loads CEL and gives what compiles conditions; compiling throws ExpressionError for what is not CEL or does not give a bool. */
export async function conditionCompiler<Variables extends object>(
  types: VariableTypes<Variables>,
): Promise<(text: string) => Condition<Variables>> {
  const compile = await expressionCompiler(types);
  return (text) => {
    const evaluate = compile(text, { what: 'condition', type: 'bool', means: 'true or false' });
    return (variables) => {
      const result = evaluate(variables);
      if (typeof result !== 'boolean') throw new ExpressionError(`gave a ${typeof result}: expected true or false`);
      return result;
    };
  };
}
