import { setImmediate } from 'node:timers/promises';
import type { Tool } from '../../../kernel/index.ts';
import type { Postings } from './postings.ts';
import { fitsQuestion } from './question-fit.ts';
import { type FoundTool, type ReadTools, readTools } from './read-tools.ts';
import { askedTerms, kindOfTerm, pairOfStems, readWords, type Stem, type TermKind } from './terms.ts';
import { isSilentQuestion, withWordsOfLiterals } from './words.ts';

export interface Search {
  readonly query: string;
  readonly limit: number;
  /** Others are left out, as if there were none. @default all */
  readonly isWanted?: (id: number) => boolean;
}

export interface ToolIndex {
  /** The best first, in the order of names where two are equal. Others get their turn between two terms. */
  search(wanted: Search): Promise<readonly FoundTool[]>;
  /** True where tools that were found for a query are about what it asks for. */
  fits(query: string, found: readonly FoundTool[]): boolean;
}

interface Kept {
  readonly tools: readonly Tool[];
  readonly index: Promise<ToolIndex>;
}

/** Places of terms that are looked at before others get their turn: about 1 ms. */
const slicePostings = 50_000;

/** Of a query: what comes later is left out. */
const maxCharacters = 1_000;

/** Callers with different rights see different lists; this many are kept for each registry. */
const maxKept = 4;

/** How soon more of the same word counts no more (BM25F). */
const saturation = 1.5;

/** What terms of a query count; a number is mostly a value. */
const kindWeights: Readonly<Record<TermKind, number>> = { word: 1, number: 0.3, written: 0.5, pair: 0.3, piece: 0.15 };

/** What a word counts that only resembles the one in the query. */
const similarWeight = 0.3;

/** By the first tool of the list. A reload makes new tools, and the old indices go with the old ones. */
const kept = new WeakMap<Tool, readonly Kept[]>();

/**
 * An index over these tools, whose ids are places in the list. Built on the first search (about 0.05 ms a tool) and used again for the same
 * list.
 */
export async function indexOf(tools: readonly Tool[]): Promise<ToolIndex> {
  const { stemmer } = await import('stemmer');
  const [first] = tools;
  if (first === undefined) return { search: async () => [], fits: () => false };
  const known = kept.get(first) ?? [];
  const found = known.find((entry) => isSame(entry.tools, tools));
  const entry = found ?? { tools, index: build(tools, stemmer) };
  kept.set(first, [entry, ...known.filter((other) => other !== entry)].slice(0, maxKept));
  return entry.index;
}

function isSame(left: readonly Tool[], right: readonly Tool[]): boolean {
  return left.length === right.length && left.every((tool, place) => tool === right[place]);
}

async function build(tools: readonly Tool[], stem: Stem): Promise<ToolIndex> {
  const read = await readTools(tools, stem);
  return {
    async search({ query: asked, limit, isWanted = () => true }) {
      const query = asked.slice(0, maxCharacters);
      const scores = await scoresOf(query, read, stem);
      const best = scores.reduce((most, score) => Math.max(most, score), 1);
      for (const [id, exactness] of read.named.in(query)) scores[id] = (scores[id] as number) + best * exactness;
      return bestOf(scores, { limit, isWanted, nameOf: (id) => tools[id]?.name ?? '' });
    },
    fits: (asked, found) => fitsQuestion(asked.slice(0, maxCharacters), found, read, stem),
  };
}

/** By place in the list; 0 where nothing fits. */
async function scoresOf(query: string, { count, terms, postings, vocabulary }: ReadTools, stem: Stem): Promise<Float64Array> {
  const scores = new Float64Array(count);
  if (isSilentQuestion(query)) return scores;
  let looked = 0;
  for (const term of new Set(askedTerms(readWords(withWordsOfLiterals(query), stem), pairOfStems))) {
    const kind = kindOfTerm(term);
    const number = terms.get(term);
    const isUnknown = number === undefined || postings.count(number) === 0;
    const isUnknownWord = isUnknown && kind === 'word';
    for (const { term: meant, likeness } of isUnknownWord ? vocabulary.similar(term) : [{ term, likeness: 1 }]) {
      const place = terms.get(meant);
      if (place === undefined) continue;
      const isSupport = kind === 'piece';
      const has = postings.count(place);
      addScores(scores, postings, place, {
        isSupport,
        factor: kindWeights[kind] * rarity(has, count) * (isUnknownWord ? likeness * similarWeight : 1),
      });
      looked += has;
    }
    if (looked < slicePostings && !isUnknownWord) continue;
    looked = 0;
    await setImmediate();
  }
  return scores;
}

/** The fewer tools have a term, the more it tells. */
function rarity(has: number, count: number): number {
  return Math.log(1 + (count - has + 0.5) / (has + 0.5));
}

/** `isSupport`: it raises what was found, and finds nothing by itself. */
function addScores(
  scores: Float64Array,
  postings: Postings,
  term: number,
  { isSupport, factor }: { readonly isSupport: boolean; readonly factor: number },
): void {
  const { ids, weights } = postings;
  const end = postings.end(term);
  for (let place = postings.start(term); place < end; place++) {
    const id = ids[place] as number;
    if (isSupport && scores[id] === 0) continue;
    const weight = weights[place] as number;
    scores[id] = (scores[id] as number) + (factor * weight * (saturation + 1)) / (weight + saturation);
  }
}

interface Choice extends Required<Omit<Search, 'query'>> {
  readonly nameOf: (id: number) => string;
}

/** Keeps no more than asked for: sorting all of many thousand would let nobody else in between. */
function bestOf(scores: Float64Array, { limit, isWanted, nameOf }: Choice): readonly FoundTool[] {
  const best: FoundTool[] = [];
  for (let id = 0; id < scores.length; id++) {
    const score = scores[id] as number;
    if (score === 0 || (best.length === limit && score < (best[limit - 1]?.score ?? 0)) || !isWanted(id)) continue;
    let low = 0;
    let high = best.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      const other = best[middle] as FoundTool;
      const isBefore = score > other.score || (score === other.score && nameOf(id) < nameOf(other.id));
      if (isBefore) high = middle;
      else low = middle + 1;
    }
    if (low < limit) best.splice(low, 0, { id, score });
    if (best.length > limit) best.pop();
  }
  return best;
}
