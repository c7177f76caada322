import { distance } from 'fastest-levenshtein';

/**
 * Insertions, deletions and replacements (Levenshtein) that lead from one list of characters to another, each list up to 65,534 long. The
 * library compares UTF-16 code units, so each different character gets one as its sign. Characters that only one list has match nothing
 * and share one.
 */
export function editDistance(left: readonly string[], right: readonly string[]): number {
  const inRight = new Set(right);
  const signs = new Map<string, string>();
  for (const character of left)
    if (inRight.has(character) && !signs.has(character)) signs.set(character, String.fromCharCode(signs.size + 2));
  const written = (characters: readonly string[], other: string): string =>
    characters.map((character) => signs.get(character) ?? other).join('');
  return distance(written(left, '\u0000'), written(right, '\u0001'));
}
