/** An exact matrix of decimal numbers: numerators over one shared denominator. Numbers count as written in decimal, so that 0.1 is a tenth. */
export interface DecimalMatrix {
  readonly numerators: readonly (readonly bigint[])[];
  readonly denominator: bigint;
}

/** Significant digits of a quotient before it is rounded to a number, which needs 17. */
const quotientDigits = 40;

export function toDecimals(rows: readonly (readonly number[])[]): DecimalMatrix {
  const parts = rows.map((row) => row.map(partsOf));
  const places = Math.max(0, ...parts.flat().map(({ exponent }) => -exponent));
  return {
    numerators: parts.map((row) => row.map(({ digits, exponent }) => digits * 10n ** BigInt(exponent + places))),
    denominator: 10n ** BigInt(places),
  };
}

/** Splits a number into `digits * 10^exponent`. */
function partsOf(value: number): { digits: bigint; exponent: number } {
  const [, whole = '0', fraction = '', power = '0'] = /^(-?\d+)(?:\.(\d+))?(?:e([+-]\d+))?$/.exec(String(value)) ?? [];
  return { digits: BigInt(whole + fraction), exponent: Number(power) - fraction.length };
}

/** Returns the nearest number. Infinite beyond the range of numbers. */
export function quotient(numerator: bigint, denominator: bigint): number {
  const scale = quotientDigits + lengthOf(denominator) - lengthOf(numerator);
  const [scaled, divisor] = scale >= 0 ? [numerator * 10n ** BigInt(scale), denominator] : [numerator, denominator * 10n ** BigInt(-scale)];
  const digits = scaled / divisor;
  return digits === 0n ? 0 : Number(`${digits}e${-scale}`);
}

function lengthOf(value: bigint): number {
  return String(value).length;
}
