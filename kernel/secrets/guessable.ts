/** Shorter values can be tried out one after the other. */
const shortestSafe = 8;

/**
 * True for a value of which a model can send every one there may be, such as a PIN: were it masked in what a model gets back, the mask would tell which
 * of them it is. So it is masked in the calls that use it, and nowhere else.
 */
export function isGuessable(value: string): boolean {
  return value.length < shortestSafe || /^\d+$/.test(value);
}
