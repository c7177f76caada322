/** Masks the known secrets. */
export interface Masking {
  mask<T>(value: T): T;
  /** Returns the maximum length of a text that is recognised as a secret, in UTF-16 units. */
  reach(): number;
}

export const unmasked: Masking = { mask: (value) => value, reach: () => 0 };

/** Length of the note about the cut, with a count of up to twelve digits. */
const noteLength = 32;

/**
 * Returns the masked text. Cuts a longer one to `limit` characters, including a note with the number of characters that follow. Masks no more
 * than needed, and never shows half a secret at the cut.
 */
export function boundedText(text: string, limit: number, { mask, reach }: Masking = unmasked): string {
  // Twice, because the mask of a secret inside the cut one may be longer than that secret.
  const margin = 2 * reach();
  if (text.length <= limit + margin) return cut(mask(text), limit, 0);
  const masked = mask(text.slice(0, limit + margin));
  return cut(masked.slice(0, Math.max(0, masked.length - margin)), limit, text.length - limit);
}

/** `more`: number of characters that were cut before. */
function cut(text: string, limit: number, more: number): string {
  if (text.length <= limit && more === 0) return text;
  const kept = Math.max(0, limit - noteLength);
  const left = more + Math.max(0, text.length - kept);
  return `${text.slice(0, kept).toWellFormed()}… [${left} more characters]`;
}
