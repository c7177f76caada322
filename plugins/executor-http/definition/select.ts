import { createRequire } from 'node:module';
import Type from 'typebox';
import { type Issue, messageOf } from '../../../kernel/index.ts';

type Library = typeof import('@jmespath-community/jmespath');
export type CompiledSelect = ReturnType<Library['compile']>;

/**
 * A JMESPath expression that makes the output from the answer. It runs before the output is checked against `output_schema`
 * and before it is shortened for a model. `error_when` and `paginate` see the original answer; of several pages it gets the
 * combined answer.
 */
export const SelectSchema = Type.String({ minLength: 1, maxLength: 10_000 });

/** Loads the library when a definition uses `select`, and not at every start. */
export function jmespath(): Library {
  return createRequire(import.meta.url)('@jmespath-community/jmespath') as Library;
}

/** Returns an issue for a text that is no JMESPath expression. */
export function checkSelect(expression: string): readonly Issue[] {
  const { compile } = jmespath();
  const problem = compileError(compile, expression);
  if (problem === undefined) return [];
  const textBefore = expression.slice(0, findFailurePosition(compile, expression, problem)).split('\n');
  const position = `line ${textBefore.length}, column ${(textBefore.at(-1)?.length ?? 0) + 1}`;
  return [{ path: 'select', pointer: '/select', message: `is no JMESPath expression: ${problem} (${position} of it)` }];
}

function compileError(compile: Library['compile'], expression: string): string | undefined {
  try {
    compile(expression);
    return undefined;
  } catch (error) {
    return messageOf(error).replace(/\.$/, '');
  }
}

/**
 * Returns the position of the mistake, which the library does not report. It parses from left to right, so the shortest prefix
 * that fails in the same way ends with the mistake.
 */
function findFailurePosition(compile: Library['compile'], expression: string, problem: string): number {
  if (problem.includes('EOF')) return expression.length;
  const end = Array.from(expression, (_, index) => index + 1).find(
    (length) => compileError(compile, expression.slice(0, length)) === problem,
  );
  return (end ?? expression.length + 1) - 1;
}
