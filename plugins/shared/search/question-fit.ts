import type { FoundTool, IndexData } from './build-index.ts';
import { foreignNouns, foreignServices } from './foreign-subjects.ts';
import type { Stem } from './terms.ts';
import { isStopWord, withWordsOfLiterals } from './words.ts';

/** Number of top hits to judge. One of them must be about the question. */
const lookedAt = 3;

/** Weight from which a tool covers a word: it is in the name or tags, or occurs several times. One intent alone gives about 0.6. */
const coveredWeight = 1.5;

/** Weight below which a word is only among a tool's parameters. */
const mentionedWeight = 0.4;

/** Score, in units of a word that no other tool has, from which a hit fits whatever else the question says. */
const sufficientScore = { withForeignThing: 2.75, withForeignService: 5, atAll: 2.1 } as const;

/** Maximum number of tools that have a word for it to be distinctive. */
const maxToolsOfDistinctiveWord = 1;

/** Minimum share of the question's information that a weak hit must cover. */
const minShare = 0.2;

/** A word of a question by its stem, with its weight in each hit. */
interface SubjectWord {
  readonly stem: string;
  readonly written: string;
  readonly rarity: number;
  /** Number of tools that have the word. */
  readonly tools: number;
  readonly inHits: readonly number[];
}

/**
 * True when the best hits are about the question, judged by how many of its nouns they cover: a question about music fits no tool that
 * happens to have "play". Values in the question (quoted text, addresses, file names, codes, names of people) are no nouns.
 */
export function fitsQuestion(question: string, found: readonly FoundTool[], read: IndexData, stem: Stem): boolean {
  const hits = found.slice(0, lookedAt);
  const [best] = hits;
  if (best === undefined) return false;
  if (read.names.findIn(question).size > 0) return true;
  const words = subjectWords(question, hits, read, stem);
  if (words.length === 0) return true;
  const strength = best.score / rarestWord(read.count);
  const isForeign = (list: ReadonlySet<string>): boolean => {
    const stems = stemsOf(list, stem);
    return words.some((word) => (list.has(word.written) || stems.has(word.stem)) && word.inHits.every((weight) => weight < coveredWeight));
  };
  if (strength < sufficientScore.withForeignService && isForeign(foreignServices)) return false;
  if (strength < sufficientScore.withForeignThing && isForeign(foreignNouns)) return false;
  if (strength >= sufficientScore.atAll) return true;
  const isMissed = words.some(
    ({ tools, inHits }) => tools <= maxToolsOfDistinctiveWord && inHits.every((weight) => weight < mentionedWeight),
  );
  return !isMissed && shareOf(words) >= minShare;
}

const knownStems = new WeakMap<ReadonlySet<string>, ReadonlySet<string>>();

function stemsOf(list: ReadonlySet<string>, stem: Stem): ReadonlySet<string> {
  const known = knownStems.get(list) ?? new Set([...list].map(stem));
  knownStems.set(list, known);
  return known;
}

/** Returns the largest share of the words' information that one hit covers. */
function shareOf(words: readonly SubjectWord[]): number {
  const all = words.reduce((sum, { rarity }) => sum + rarity, 0);
  const hits = words[0]?.inHits ?? [];
  const shares = hits.map((_, hit) => words.reduce((sum, { rarity, inHits }) => sum + rarity * Math.min(1, inHits[hit] ?? 0), 0) / all);
  return Math.max(...shares);
}

function subjectWords(
  question: string,
  hits: readonly FoundTool[],
  { count, terms, postings }: IndexData,
  stem: Stem,
): readonly SubjectWord[] {
  const written = new Set([...possibleNouns(question), ...possibleNouns(literalWords(question))].filter((word) => !isStopWord(word)));
  return [...written].map((word) => {
    const stemmed = stem(word.replace(/\d+$/, '') || word);
    const term = terms.get(stemmed);
    const has = term === undefined ? 0 : postings.count(term);
    return {
      stem: stemmed,
      written: word,
      rarity: rarityOf(has, count),
      tools: has,
      inHits: hits.map(({ id }) => (term === undefined ? 0 : postings.weightOf(term, id))),
    };
  });
}

function literalWords(question: string): string {
  return withWordsOfLiterals(question).slice(question.length);
}

/** Returns the words of a question that may be nouns, in lower case. Of names inside a sentence, only known services. */
function possibleNouns(question: string): readonly string[] {
  const unquoted = question.replace(/"[^"]*"|“[^”]*”|(?<!\w)'[^']*'(?!\w)|\{\{[^}]*\}\}/g, ' ');
  const tokens = unquoted.split(/\s+/);
  return tokens.flatMap((token, index) => {
    const word = token.replace(/^[([]+|[.,;:!?)\]]+$/g, '').replace(/['’](?:s|re|ve|ll|d|m|t)$/, '');
    const isFirst = index === 0 || /[.!?:]$/.test(tokens[index - 1] ?? '');
    const small = word.toLowerCase();
    if (foreignServices.has(small) && !/^[A-Z]{5,}/.test(word)) return [small];
    if (/^(?:qr|mp3|mp4|tv)$/i.test(word)) return [small];
    if (!/^\p{L}\p{Ll}*(?:-\p{Ll}+)*$/u.test(word)) return [];
    const isName = !isFirst && /^\p{Lu}/u.test(word) && !foreignNouns.has(small);
    return isName ? [] : small.split('-');
  });
}

/** Returns the information of a word that `has` of `count` tools have, as in the score. */
function rarityOf(has: number, count: number): number {
  return Math.log(1 + (count - has + 0.5) / (has + 0.5));
}

function rarestWord(count: number): number {
  return rarityOf(0, count);
}
