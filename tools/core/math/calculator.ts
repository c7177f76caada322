import type { MathNode } from 'mathjs';

/** The part of math.js that the tools use. */
export interface Calculator {
  parse(expression: string): MathNode;
  /** Converts to the number type of the calculator. A text holds the digits of an integer. */
  number(value: number | string): unknown;
  matrix(items: unknown[]): unknown;
  /** Formats a value with the significant digits of the calculator. */
  format(value: unknown): string;
  typeOf(value: unknown): string;
}

/** Extra digits of a decimal calculation, so that the rounding of intermediate results does not show. */
const guardDigits = 4;

/** Returns the significant digits that a calculation keeps. At least 14, the default rounding of results. */
export function significantDigits(precision: number): number {
  return precision > 15 ? precision + guardDigits : Math.max(precision, 14);
}

/** Creates a calculator that shares no state with another one. Above 15 significant digits its numbers are decimal. */
export async function createCalculator(precision: number): Promise<Calculator> {
  const { all, create, isResultSet } = await import('mathjs');
  const isDecimal = precision > 15;
  const math = create(all ?? {}, isDecimal ? { number: 'BigNumber', precision: precision + guardDigits } : {});
  return {
    parse: (expression) => math.parse(expression),
    number: (value) => (isDecimal ? math.bignumber(String(value)) : Number(value)),
    matrix: (items) => math.matrix(items as never),
    format: (value) => math.format(value, { precision }),
    // math.js decides by the name of a class, which a bundler may change.
    typeOf: (value) => (isResultSet(value) ? 'ResultSet' : math.typeOf(value)),
  };
}
