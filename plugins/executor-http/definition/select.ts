import { createRequire } from 'node:module';
import Type from 'typebox';
import { type Issue, messageOf } from '../../../kernel/index.ts';

type Library = typeof import('@jmespath-community/jmespath');
export type CompiledSelect = ReturnType<Library['compile']>;

/**
 * A JMESPath expression that makes the output out of the answer, before it is checked against `output_schema`, which describes what it gives, and before it
 * is shortened for a model. `error_when` and `paginate` see the answer as it came; of several pages it gets what they are together.
 */
export const SelectSchema = Type.String({ minLength: 1, maxLength: 10_000 });

/** Loads the library when a definition says `select`, and not at every start. */
export function jmespath(): Library {
  return createRequire(import.meta.url)('@jmespath-community/jmespath') as Library;
}

/** Checks that it is an expression, which the schema cannot. */
export function checkSelect(expression: string): readonly Issue[] {
  const { compile } = jmespath();
  const problem = problemOf(compile, expression);
  if (problem === undefined) return [];
  const before = expression.slice(0, firstFailure(compile, expression, problem)).split('\n');
  const place = `line ${before.length}, column ${(before.at(-1)?.length ?? 0) + 1}`;
  return [{ path: 'select', pointer: '/select', message: `is no JMESPath expression: ${problem} (${place} of it)` }];
}

function problemOf(compile: Library['compile'], expression: string): string | undefined {
  try {
    compile(expression);
    return undefined;
  } catch (error) {
    return messageOf(error).replace(/\.$/, '');
  }
}

/** The library does not say where a mistake is. It reads from left to right: the shortest beginning that fails in the same way ends with it. */
function firstFailure(compile: Library['compile'], expression: string, problem: string): number {
  if (problem.includes('EOF')) return expression.length;
  const end = Array.from(expression, (_, index) => index + 1).find((length) => problemOf(compile, expression.slice(0, length)) === problem);
  return (end ?? expression.length + 1) - 1;
}
