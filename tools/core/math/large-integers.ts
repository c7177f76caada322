import type { MathNode } from 'mathjs';
import { excerpt, isUnsafeInteger, ToolkitError } from '../../../kernel/index.ts';
import { createCalculator, significantDigits } from './calculator.ts';

/** Maximum precision, in significant digits. */
const maxPrecision = 64;

/** A constant of a decimal calculation, with its significant digits. */
interface Decimal {
  isInteger(): boolean;
  toFixed(): string;
}

/**
 * Throws INVALID_PARAMETERS for a valid expression with an integer beyond 2^53 that a calculation with this precision would round. Numbers
 * with a fraction or an exponent are rounded as always.
 */
export async function checkLiterals(expression: string, precision: number): Promise<void> {
  // An integer in another base has fewer digits than in decimal.
  const isInBase = /0[xbo]/i.test(expression);
  if (!isInBase && !/\d{16}/.test(expression)) return;
  const decimal = await createCalculator(maxPrecision);
  decimal.parse(expression).traverse((node) => {
    const digits = integerOf(node, decimal.typeOf);
    if (digits !== undefined && (isInBase || expression.includes(digits))) checkInteger(digits, precision, 'expression');
  });
}

/** Throws INVALID_PARAMETERS for an integer beyond 2^53 that a calculation with this precision would round. `path` is its path. */
export function checkInteger(digits: string, precision: number, path: string): void {
  const significant = digits.replace(/^-|0+$/g, '').length;
  if (!isUnsafeInteger(digits) || significant <= significantDigits(precision)) return;
  const shown = excerpt(path, 60);
  const message = `has the integer ${excerpt(digits, 80)}, beyond 2^53, of which ${significantDigits(precision)} of ${significant} digits would be kept`;
  const advice =
    significant > maxPrecision
      ? `At most ${maxPrecision} digits can be asked for`
      : `Give "precision" from ${Math.max(16, significant)} to ${maxPrecision}`;
  throw new ToolkitError('INVALID_PARAMETERS', `"${shown}" ${message}. ${advice}.`, { issues: [{ path: shown, message }] });
}

function integerOf(node: MathNode, typeOf: (value: unknown) => string): string | undefined {
  if (node.type !== 'ConstantNode') return undefined;
  const { value } = node as unknown as { readonly value: unknown };
  if (typeOf(value) !== 'BigNumber' || !(value as Decimal).isInteger()) return undefined;
  return (value as Decimal).toFixed();
}
