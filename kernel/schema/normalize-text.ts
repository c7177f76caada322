import { ToolkitError } from '../errors.ts';

/**
 * Maximum number of combining marks in a row, in code points. Normalization sorts them in quadratic time: hundreds of thousands would block the
 * process for hours. Real texts have at most 30 (Unicode UAX #15, 13).
 */
export const maxMarks = 128;

/** Matches marks, and the two letters that become marks in NFKC and NFKD. */
const marks = /[\p{M}\uff9e\uff9f]+/gu;

export type NormalForm = 'NFC' | 'NFD' | 'NFKC' | 'NFKD';

/** Returns the text in a Unicode normalization form. Throws INVALID_PARAMETERS for more than `maxMarks` combining marks in a row. */
export function normalizeText(text: string, form: NormalForm = 'NFC'): string {
  // A text with as few UTF-16 units cannot have more marks.
  const excess = text.length <= maxMarks ? undefined : marksExcess(text);
  if (excess === undefined) return text.normalize(form);
  throw new ToolkitError('INVALID_PARAMETERS', `A text cannot be normalized: ${excess}. Take them out.`);
}

/** Returns the excess over `maxMarks`, as words for a message; undefined if there is none. */
export function marksExcess(text: string): string | undefined {
  for (const [run] of text.matchAll(marks)) {
    const count = run.length <= maxMarks ? run.length : [...run].length;
    if (count > maxMarks) return `expected at most ${maxMarks} combining marks in a row, received ${count}`;
  }
  return undefined;
}
