import { normalizeText } from '../../../kernel/index.ts';
import { editDistance } from './edit-distance.ts';
import { graphemesOf, segmentsOf } from './segments.ts';
import { cosine, dice, jaroWinkler } from './similarity-scores.ts';

interface SimilarityParameters {
  readonly left: string;
  readonly right: string;
  readonly method: 'levenshtein' | 'jaro_winkler' | 'dice' | 'cosine';
}

interface Similarity {
  /** Similarity from 0 (nothing in common) to 1 (equal). */
  readonly score: number;
  /** Number of edits. Null for all methods but levenshtein. */
  readonly distance: number | null;
}

/** Measures how similar two texts are. Characters are graphemes after NFC. Takes time proportional to the product of both lengths. */
export function similarity({ left, right, method }: SimilarityParameters): Similarity {
  const [first, second] = [normalizeText(left), normalizeText(right)];
  if (first === second) return { score: 1, distance: method === 'levenshtein' ? 0 : null };
  if (method === 'cosine') return { score: cosine(wordsOf(first), wordsOf(second)), distance: null };
  const [one, other] = [graphemesOf(first), graphemesOf(second)];
  if (method === 'dice') return { score: dice(pairsOf(one), pairsOf(other)), distance: null };
  if (method === 'jaro_winkler') return { score: jaroWinkler(one, other), distance: null };
  const distance = editDistance(one, other);
  return { score: 1 - distance / Math.max(one.length, other.length), distance };
}

function wordsOf(text: string): string[] {
  const words: string[] = [];
  // Keeps the words only: each segment object holds a copy of the text, and all of them would fill the memory.
  for (const { segment, isWordLike } of segmentsOf(text, 'word')) if (isWordLike === true) words.push(segment);
  return words;
}

/** Pairs each character with the next one. */
function pairsOf(characters: readonly string[]): string[] {
  return characters.slice(1).map((character, index) => `${characters[index]}${character}`);
}
