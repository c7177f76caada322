/** Returns true when two numbers agree to about 12 digits. */
export function isNear(a: number, b: number): boolean {
  return a === b || Math.abs(a - b) <= 1e-12 * Math.max(Math.abs(a), Math.abs(b));
}
