import { ToolkitError } from '../../../kernel/index.ts';
import type { Calculator } from './calculator.ts';

/** Maximum size of a result, in characters of its JSON. */
const maxCharacters = 1024 * 1024;

export interface Evaluated {
  readonly result: unknown;
  readonly type: string;
}

/** Names of the types of a result, by their name in math.js. */
const typeNames: Readonly<Record<string, string>> = {
  number: 'number',
  BigNumber: 'bignumber',
  bigint: 'bigint',
  Fraction: 'fraction',
  Complex: 'complex',
  Unit: 'unit',
  boolean: 'boolean',
  string: 'string',
  null: 'null',
  Array: 'matrix',
  Range: 'matrix',
  DenseMatrix: 'matrix',
  SparseMatrix: 'matrix',
};

/**
 * Converts a calculated value to JSON, with its finite numbers `rounded`. Throws INVALID_PARAMETERS for other values, such as functions, and
 * OUTPUT_TOO_LARGE.
 */
export function toResult(calculated: unknown, math: Calculator, rounded: (value: number) => number): Evaluated {
  const value = lastOf(calculated, math);
  const type = typeNames[math.typeOf(value)];
  if (type === undefined) throw noValue(math.typeOf(value));
  const result = toJson(value, math, rounded);
  if (JSON.stringify(result).length <= maxCharacters) return { result, type };
  throw new ToolkitError(
    'OUTPUT_TOO_LARGE',
    `The result is larger than ${maxCharacters} characters. Reduce it, as with sum, mean or a part like A[1, 1:10].`,
    { maxCharacters },
  );
}

/** Returns the last value: several statements give one for each that does not end in `;`. */
function lastOf(calculated: unknown, math: Calculator): unknown {
  if (math.typeOf(calculated) !== 'ResultSet') return calculated;
  return (calculated as { readonly entries: readonly unknown[] }).entries.at(-1);
}

function toJson(value: unknown, math: Calculator, rounded: (value: number) => number): unknown {
  const type = math.typeOf(value);
  if (typeNames[type] === 'matrix') {
    const items = Array.isArray(value) ? value : (value as { toArray(): unknown[] }).toArray();
    return items.map((item) => toJson(item, math, rounded));
  }
  if (typeof value === 'number') return Number.isFinite(value) ? rounded(value) : String(value);
  if (typeof value === 'string' || typeof value === 'boolean' || value === null) return value;
  if (typeNames[type] === undefined) throw noValue(type);
  return typeof value === 'bigint' ? String(value) : math.format(value);
}

function noValue(type: string): ToolkitError {
  const message =
    type === 'undefined' ? 'gives no value: the last statement ends with ";", or there is none' : `gives a ${type}, expected a value`;
  const advice = type === 'function' ? 'Call the function, as in f(2).' : 'End with the expression that you want to know.';
  return new ToolkitError('INVALID_PARAMETERS', `The expression ${message}. ${advice}`, { issues: [{ path: 'expression', message }] });
}
