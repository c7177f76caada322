/** Masks the secrets that are known. */
export interface Masking {
  mask<T>(value: T): T;
  /** The length of the longest text that is recognised as a secret. */
  reach(): number;
}

export const unmasked: Masking = { mask: (value) => value, reach: () => 0 };

/** Room for the note on what is cut, with a count of up to twelve digits. */
const noteLength = 32;

/**
 * The text, masked; of a longer one the beginning, and how much there is more: at most `limit` characters. No more is masked than needed, and
 * half a secret at the cut is never shown.
 */
export function boundedText(text: string, limit: number, { mask, reach }: Masking = unmasked): string {
  // Twice, because the placeholder of a secret inside the half one may be longer than the secret.
  const margin = 2 * reach();
  if (text.length <= limit + margin) return cut(mask(text), limit, 0);
  const masked = mask(text.slice(0, limit + margin));
  return cut(masked.slice(0, Math.max(0, masked.length - margin)), limit, text.length - limit);
}

/** `more`: characters that are cut already. */
function cut(text: string, limit: number, more: number): string {
  if (text.length <= limit && more === 0) return text;
  const kept = Math.max(0, limit - noteLength);
  const left = more + Math.max(0, text.length - kept);
  return `${text.slice(0, kept).toWellFormed()}… [${left} more characters]`;
}
