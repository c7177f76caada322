import { excerpt, isUnsafeInteger, messageOf, ToolkitError } from '../../../kernel/index.ts';
import { checkAllowed } from './allowed-expression.ts';
import { type Calculator, createCalculator } from './calculator.ts';
import { checkInteger, checkLiterals } from './large-integers.ts';
import { type Evaluated, toResult } from './result.ts';

/** Hides the noise of floating point, as in 0.1 + 0.2. */
const defaultPrecision = 14;

interface EvaluateParameters {
  readonly expression: string;
  readonly variables: Readonly<Record<string, unknown>>;
  /** Significant digits; above 15 in decimal arithmetic. @default 14, and integers that floating point holds exactly stay whole */
  readonly precision?: number;
}

/**
 * Evaluates an expression, isolated from every other call. Throws INVALID_PARAMETERS for an expression that is invalid or not allowed, and
 * OUTPUT_TOO_LARGE. May run for a very long time: an expression can call itself.
 */
export async function evaluate({ expression, variables, precision }: EvaluateParameters): Promise<Evaluated> {
  const digits = precision ?? defaultPrecision;
  const math = await createCalculator(digits);
  try {
    const tree = math.parse(expression);
    checkAllowed(tree);
    await checkLiterals(expression, digits);
    return toResult(tree.compile().evaluate(scopeOf(math, variables, digits)), math, (value) => rounded(value, precision));
  } catch (error) {
    throw ToolkitError.is(error) ? error : badExpression(error);
  }
}

/** Rounds to the given precision. Without one, an integer that floating point holds exactly keeps all its digits. */
function rounded(value: number, precision: number | undefined): number {
  return precision === undefined && Number.isSafeInteger(value) ? value : Number(value.toPrecision(precision ?? defaultPrecision));
}

function scopeOf(math: Calculator, variables: Readonly<Record<string, unknown>>, digits: number): Map<string, unknown> {
  return new Map(Object.entries(variables).map(([name, value]) => [name, mathValue(math, value, name, digits)]));
}

function mathValue(math: Calculator, value: unknown, name: string, digits: number): unknown {
  if (typeof value === 'number' || (typeof value === 'string' && isUnsafeInteger(value))) {
    checkInteger(String(value), digits, `variables.${name}`);
    return math.number(value);
  }
  if (Array.isArray(value)) return math.matrix(value.map((item) => mathValue(math, item, name, digits)));
  if (typeof value !== 'object') return value;
  const message = 'expected numbers, texts, true or false, or lists of these, received an object or null';
  const shown = excerpt(name, 60);
  throw new ToolkitError('INVALID_PARAMETERS', `Variable "${shown}": ${message}. Give each value under a name of its own.`, {
    issues: [{ path: `variables.${shown}`, message }],
  });
}

/** Converts errors of the parser and of functions. A syntax error has a position. */
function badExpression(error: unknown): ToolkitError {
  const { char } = error as { readonly char?: number };
  const reason = error instanceof RangeError ? `it is nested or repeated too deeply (${error.message})` : excerpt(messageOf(error));
  return new ToolkitError('INVALID_PARAMETERS', `The expression cannot be calculated: ${reason.replace(/\.$/, '')}. ${adviceFor(reason)}`, {
    issues: [{ path: 'expression', message: reason }],
    ...(char === undefined ? {} : { position: char }),
  });
}

function adviceFor(reason: string): string {
  if (reason.startsWith('Undefined symbol')) return 'Give its value in "variables", or correct the name.';
  if (reason.startsWith('Undefined function')) return 'Define it first, as in f(x) = x^2, or correct the name.';
  return 'Correct it; the syntax is that of math.js.';
}
