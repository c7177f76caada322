import { setImmediate } from 'node:timers/promises';
import type { Tool } from '../../../kernel/index.ts';
import { buildIndexData, type FoundTool, type IndexData } from './build-index.ts';
import { type ItemFields, toolFields } from './fields.ts';
import type { Postings } from './postings.ts';
import { fitsQuestion } from './question-fit.ts';
import { kindOfTerm, pairOfStems, queryTerms, readWords, type Stem, type TermKind } from './terms.ts';
import { hasOnlyStopWords, withWordsOfLiterals } from './words.ts';

export interface IndexQuery {
  readonly query: string;
  readonly limit: number;
  /** Filter of ids; other items are left out. @default all */
  readonly filter?: (id: number) => boolean;
}

export interface ToolIndex {
  /** Returns the best hits first; equal scores in the order of names. Yields to the event loop between terms. */
  search(wanted: IndexQuery): Promise<readonly FoundTool[]>;
  /** True when the items found are about the query. */
  fits(query: string, found: readonly FoundTool[]): boolean;
}

interface CachedIndex {
  readonly items: readonly object[];
  readonly index: Promise<ToolIndex>;
}

/** Postings visited before yielding to the event loop: about 1 ms. */
const slicePostings = 50_000;

/** Maximum characters of a query. The rest is ignored. */
const maxCharacters = 1_000;

/** Maximum cached indices per registry. Callers with different rights see different lists. */
const maxCachedIndices = 4;

/** Saturation of repeated words (BM25F). */
const saturation = 1.5;

/** Weights of term kinds in a query. A number is usually a value. */
const kindWeights: Readonly<Record<TermKind, number>> = { word: 1, number: 0.3, written: 0.5, pair: 0.3, piece: 0.15 };

/** Weight of a similar word in place of the query's word. */
const similarWeight = 0.3;

/** Cached indices by the first item of their list. A reload creates new tools, and old indices are freed with the old tools. */
const cachedIndices = new WeakMap<object, readonly CachedIndex[]>();

/** Returns an index over these tools. Built on the first search (about 0.05 ms per tool), and reused for the same list. */
export function indexOf(tools: readonly Tool[]): Promise<ToolIndex> {
  return itemIndexOf(tools, toolFields);
}

/** Returns an index over these items; its ids are positions in the list. Reused for the same list, so `read` must be the same for each kind. */
export async function itemIndexOf<Item extends object>(items: readonly Item[], read: ItemFields<Item>): Promise<ToolIndex> {
  const { stemmer } = await import('stemmer');
  const [first] = items;
  if (first === undefined) return { search: async () => [], fits: () => false };
  const known = cachedIndices.get(first) ?? [];
  const found = known.find((entry) => isSame(entry.items, items));
  const entry = found ?? { items, index: build(items, read, stemmer) };
  cachedIndices.set(first, [entry, ...known.filter((other) => other !== entry)].slice(0, maxCachedIndices));
  return entry.index;
}

function isSame(left: readonly object[], right: readonly object[]): boolean {
  return left.length === right.length && left.every((item, index) => item === right[index]);
}

async function build<Item>(items: readonly Item[], fields: ItemFields<Item>, stem: Stem): Promise<ToolIndex> {
  const read = await buildIndexData(items, fields, stem);
  const nameOf = (id: number): string => fields.nameOf(items[id] as Item);
  return {
    async search({ query: text, limit, filter: isWanted = () => true }) {
      const query = text.slice(0, maxCharacters);
      const scores = await scoresOf(query, read, stem);
      const best = scores.reduce((most, score) => Math.max(most, score), 1);
      for (const [id, exactness] of read.names.findIn(query)) scores[id] = (scores[id] as number) + best * exactness;
      return bestOf(scores, { limit, filter: isWanted, nameOf });
    },
    fits: (query, found) => fitsQuestion(query.slice(0, maxCharacters), found, read, stem),
  };
}

/** Returns the score of each item by id; 0 when it does not match. */
async function scoresOf(query: string, { count, terms, postings, vocabulary }: IndexData, stem: Stem): Promise<Float64Array> {
  const scores = new Float64Array(count);
  if (hasOnlyStopWords(query)) return scores;
  let visited = 0;
  for (const term of new Set(queryTerms(readWords(withWordsOfLiterals(query), stem), pairOfStems))) {
    const kind = kindOfTerm(term);
    const number = terms.get(term);
    const isUnknown = number === undefined || postings.count(number) === 0;
    const isUnknownWord = isUnknown && kind === 'word';
    for (const { term: matched, likeness } of isUnknownWord ? vocabulary.similar(term) : [{ term, likeness: 1 }]) {
      const termNumber = terms.get(matched);
      if (termNumber === undefined) continue;
      const isSupport = kind === 'piece';
      const has = postings.count(termNumber);
      addScores(scores, postings, termNumber, {
        isSupport,
        factor: kindWeights[kind] * rarity(has, count) * (isUnknownWord ? likeness * similarWeight : 1),
      });
      visited += has;
    }
    if (visited < slicePostings && !isUnknownWord) continue;
    visited = 0;
    await setImmediate();
  }
  return scores;
}

/** Returns the rarity of a term: the fewer tools have it, the higher. */
function rarity(has: number, count: number): number {
  return Math.log(1 + (count - has + 0.5) / (has + 0.5));
}

/** Adds the scores of a term. `isSupport`: true when it only raises tools that already match. */
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

interface SelectOptions extends Required<Omit<IndexQuery, 'query'>> {
  readonly nameOf: (id: number) => string;
}

/** Returns the best hits. Keeps only `limit` hits: sorting many thousand would block the event loop. */
function bestOf(scores: Float64Array, { limit, filter, nameOf }: SelectOptions): readonly FoundTool[] {
  const best: FoundTool[] = [];
  for (let id = 0; id < scores.length; id++) {
    const score = scores[id] as number;
    if (score === 0 || (best.length === limit && score < (best[limit - 1]?.score ?? 0)) || !filter(id)) continue;
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
