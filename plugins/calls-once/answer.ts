import { loadExpressionCompiler, type VariableTypes } from '../shared/conditions/expression.ts';
import type { Span, Spans } from './timing.ts';
import type { Verify } from './verify.ts';

/** Conclusion from the answer of a verification. `unclear`: with the reason. */
export type Answer =
  | { readonly type: 'happened'; readonly result: unknown }
  | { readonly type: 'not happened' }
  | { readonly type: 'unclear'; readonly why: string };

interface VerificationInput {
  readonly output: unknown;
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly attempt: Span;
}

/** An answer to be evaluated, with the time of the attempt. */
type GivenAnswer = Omit<VerificationInput, 'attempt'> & { readonly attempt: Spans };

/** Evaluates an answer with the expressions of "verify". Throws ExpressionError when they fail on it. */
export type EvaluateAnswer = (asked: GivenAnswer) => Answer;

interface Variables extends VerificationInput {
  readonly found: readonly unknown[];
}

const variableTypes: VariableTypes<Variables> = { output: 'dyn', parameters: 'map', attempt: 'dyn', found: 'list' };

/** Compiles the expressions of "verify". Throws ExpressionError for an invalid one. */
export async function compileVerification({ found = '[output]', when = 'true', result = 'found[0]' }: Verify): Promise<EvaluateAnswer> {
  const { found: _, ...inputTypes } = variableTypes;
  const options = { functions: { 'during(dyn, dyn): bool': during }, isMixed: true };
  const listOf = (await loadExpressionCompiler<VerificationInput>(inputTypes, options))(found, {
    name: '"found"',
    type: 'list',
    description: 'a list',
  });
  const compile = await loadExpressionCompiler<Variables>(variableTypes, options);
  const holds = compile(when, { name: '"when"', type: 'bool', description: 'true or false' });
  const resultOf = compile(result, { name: '"result"' });
  return ({ attempt: { near, wide }, ...given }) => {
    const list = listOf({ ...given, attempt: near });
    const nearby = listOf({ ...given, attempt: wide });
    if (!Array.isArray(list) || !Array.isArray(nearby)) return { type: 'unclear', why: '"found" gave no list' };
    const variables = { ...given, attempt: near, found: list };
    if (holds(variables) !== true) return { type: 'unclear', why: `"when" does not hold for ${list.length} found` };
    // Which of them is of the attempt would be decided by the clocks of two machines.
    if (nearby.length > list.length)
      return { type: 'unclear', why: `${nearby.length} found within two minutes of the attempt, ${list.length} of them in its time` };
    if (list.length > 1) return { type: 'unclear', why: `${list.length} were found` };
    return list.length === 0 ? { type: 'not happened' } : { type: 'happened', result: withoutBigints(resultOf(variables)) };
  };
}

/** A time without a time zone is rejected. */
const zone = /(Z|[+-]\d\d:?\d\d|GMT|UT|UTC)$/i;

/** True when a moment lies in the span. */
function during(moment: unknown, { beginsAt, endsAt }: Span): boolean {
  if (moment === null) return false;
  const at = typeof moment === 'string' ? Date.parse(zone.test(moment) ? moment : '') : Number(moment) * 1000;
  if (!Number.isFinite(at)) throw new Error('during() was given no moment');
  return at >= beginsAt && at <= endsAt;
}

/** Converts bigints, which CEL uses for integers: to numbers, beyond 2^53 to texts. */
function withoutBigints(value: unknown): unknown {
  const exact = (inner: bigint): unknown => (Number.isSafeInteger(Number(inner)) ? Number(inner) : String(inner));
  // Own text: written on the same line.
  return JSON.parse(JSON.stringify(value, (_, inner: unknown) => (typeof inner === 'bigint' ? exact(inner) : inner)));
}
