/**
 * Returns the form in which names of deciders are compared: names that look alike are one, so that nobody counts as two by a capital letter, a space, a
 * character without width, or another normalisation of Unicode.
 */
export function foldedName(name: string): string {
  return name
    .normalize('NFKC')
    .toLowerCase()
    .normalize('NFKC')
    .replace(/[\p{C}\p{Z}]/gu, '');
}
