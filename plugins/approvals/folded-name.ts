import { normalizeText } from '../../kernel/index.ts';

/**
 * Returns the form in which names of deciders are compared: names that look alike are one, so that nobody counts as two by a capital letter, a space, a
 * character without width, or another normalisation of Unicode.
 */
export function foldedName(name: string): string {
  const folded = normalizeText(normalizeText(name, 'NFKC').toLowerCase(), 'NFKC');
  return folded.replace(/[\p{C}\p{Z}]/gu, '');
}
