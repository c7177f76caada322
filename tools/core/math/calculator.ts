import type { MathNode } from 'mathjs';

/** What is needed of math.js. */
export interface Calculator {
  parse(expression: string): MathNode;
  /** In the number type of the calculator; a text has the digits of an integer. */
  number(value: number | string): unknown;
  matrix(items: unknown[]): unknown;
  /** With the significant digits of the calculator. */
  format(value: unknown): string;
  typeOf(value: unknown): string;
}

/** Digits that a decimal calculation has more than its result, so that rounding on the way does not show. */
const guardDigits = 4;

/** Returns how many significant digits a number keeps from an expression to its result; 14 at least, to which results are rounded unasked. */
export function heldDigits(precision: number): number {
  return precision > 15 ? precision + guardDigits : Math.max(precision, 14);
}

/** A calculator of its own, which shares no state with another one. Above 15 significant digits its numbers are decimal. */
export async function createCalculator(precision: number): Promise<Calculator> {
  const { all, create, isResultSet } = await import('mathjs');
  const isDecimal = precision > 15;
  const math = create(all ?? {}, isDecimal ? { number: 'BigNumber', precision: precision + guardDigits } : {});
  return {
    parse: (expression) => math.parse(expression),
    number: (value) => (isDecimal ? math.bignumber(String(value)) : Number(value)),
    matrix: (items) => math.matrix(items as never),
    format: (value) => math.format(value, { precision }),
    // Told by the name of a class, which a bundle may change.
    typeOf: (value) => (isResultSet(value) ? 'ResultSet' : math.typeOf(value)),
  };
}
