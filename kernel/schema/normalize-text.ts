import { ToolkitError } from '../errors.ts';

/**
 * Most combining marks in a row, in code points: normalization puts them in order, which takes the square of their number, hours for some
 * hundred thousand, in which nothing else runs. Texts of people have at most 30 (Unicode UAX #15, 13).
 */
export const maxMarks = 128;

/** Marks, and the two letters that become marks in NFKC and NFKD. */
const marks = /[\p{M}\uff9e\uff9f]+/gu;

export type NormalForm = 'NFC' | 'NFD' | 'NFKC' | 'NFKD';

/** The text in a form of Unicode normalization. Throws INVALID_PARAMETERS for more than `maxMarks` combining marks in a row. */
export function normalizeText(text: string, form: NormalForm = 'NFC'): string {
  // Of as many UTF-16 units none can be more.
  const excess = text.length <= maxMarks ? undefined : marksExcess(text);
  if (excess === undefined) return text.normalize(form);
  throw new ToolkitError('INVALID_PARAMETERS', `A text cannot be normalized: ${excess}. Take them out.`);
}

/** The excess of marks over `maxMarks`, in words for a message; undefined where there is none. */
export function marksExcess(text: string): string | undefined {
  for (const [run] of text.matchAll(marks)) {
    const count = run.length <= maxMarks ? run.length : [...run].length;
    if (count > maxMarks) return `expected at most ${maxMarks} combining marks in a row, received ${count}`;
  }
  return undefined;
}
