import { distance } from 'fastest-levenshtein';

/**
 * Returns the number of insertions, deletions and replacements (Levenshtein) between two lists of characters, each up to 65,534 long. The
 * library compares UTF-16 code units, so each distinct character is mapped to one code unit. Characters that only one list has match nothing
 * and share a code unit.
 */
export function editDistance(left: readonly string[], right: readonly string[]): number {
  const inRight = new Set(right);
  const codeUnits = new Map<string, string>();
  for (const character of left)
    if (inRight.has(character) && !codeUnits.has(character)) codeUnits.set(character, String.fromCharCode(codeUnits.size + 2));
  const encode = (characters: readonly string[], other: string): string =>
    characters.map((character) => codeUnits.get(character) ?? other).join('');
  return distance(encode(left, '\u0000'), encode(right, '\u0001'));
}
