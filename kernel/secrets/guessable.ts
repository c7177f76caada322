/** Minimum length of a value that cannot be found by trying all values. */
const shortestSafe = 8;

/**
 * True for a value that a model can find by trying all possible values, such as a PIN. If results masked it everywhere, the mask would confirm
 * the right guess. Therefore it is masked only in the calls that use it.
 */
export function isGuessable(value: string): boolean {
  return value.length < shortestSafe || /^\d+$/.test(value);
}
