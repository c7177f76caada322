/** Parses JSON of the server. A number that JavaScript cannot hold exactly becomes text. Written here because the package stands alone. */
export function parseJson(text: string): unknown {
  // Nearly all numbers are short; testing is cheaper than rewriting.
  // Own text: none of its numbers is rounded.
  if (!/[\d.]{16}|\d[eE]/.test(text)) return JSON.parse(text);
  const exact = text.replace(/"(?:[^"\\]+|\\.)*"|-?\d[\d.]*(?:[eE][+-]?\d+)?/g, (token) =>
    token.startsWith('"') || isExact(token) ? token : `"${token}"`,
  );
  // Own text: the numbers that would be rounded are quoted.
  return JSON.parse(exact);
}

/** True for a number that a double holds exactly. Integers beyond 2^53 never count, so that one list has one type. */
function isExact(token: string): boolean {
  const value = Number(token);
  if (!Number.isFinite(value) || (Number.isInteger(value) && !Number.isSafeInteger(value))) return false;
  return sameDecimal(token, String(value));
}

/** True when both texts write the same decimal number. */
function sameDecimal(first: string, second: string): boolean {
  const [one, two] = [digitsOf(first), digitsOf(second)];
  return one.digits === two.digits && (one.digits === '' || one.exponent === two.exponent);
}

/** Returns the number as 0.digits × 10^exponent, without outer zeros and without its sign. */
function digitsOf(text: string): { readonly digits: string; readonly exponent: number } {
  const [mantissa = '', power = '0'] = text.replace('-', '').split(/e/i);
  const [whole = '', fraction = ''] = mantissa.split('.');
  const all = whole + fraction;
  const significant = all.replace(/^0+/, '');
  return { digits: significant.replace(/0+$/, ''), exponent: whole.length - (all.length - significant.length) + Number(power) };
}
