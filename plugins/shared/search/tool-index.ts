import { setImmediate } from 'node:timers/promises';
import type { Tool } from '../../../kernel/index.ts';
import { describedWeight, descriptionOf, fields, intentsOf, intentWeight, usualAskedWords } from './fields.ts';
import { NamedTools } from './named-tools.ts';
import { Vocabulary } from './vocabulary.ts';
import {
  askedTerms,
  describedTerms,
  isSilentQuestion,
  kindOfTerm,
  namedTerms,
  type Stem,
  type TermKind,
  terseTerms,
  withWordsOfLiterals,
  wordCountOf,
} from './words.ts';

/** A tool by its place in the list. */
export interface FoundTool {
  readonly id: number;
  readonly score: number;
}

export interface Search {
  readonly query: string;
  readonly limit: number;
  /** Others are left out, as if there were none. @default all */
  readonly isWanted?: (id: number) => boolean;
}

export interface ToolIndex {
  /** The best first, in the order of names where two are equal. Others get their turn between two terms. */
  search(wanted: Search): Promise<readonly FoundTool[]>;
}

interface Kept {
  readonly tools: readonly Tool[];
  readonly index: Promise<ToolIndex>;
}

/** The tools that have a term, by place, and how much it counts there. */
interface Posting {
  readonly ids: number[];
  readonly weights: number[];
}

/** Characters that are indexed before others get their turn: about 3 ms. */
const sliceCharacters = 8_000;

/** Places of terms that are looked at before others get their turn: about 1 ms. */
const slicePostings = 50_000;

/** Of a query: what comes later is left out. */
const maxCharacters = 1_000;

/** Callers with different rights see different lists; this many are kept for each registry. */
const maxKept = 4;

// BM25F: how soon more of the same word counts no more, and how much a longer text counts less.
const saturation = 1.5;
const lengthShare = 0.5;

/** What terms of a query count; a number is mostly a value. */
const kindWeights: Readonly<Record<TermKind, number>> = { word: 1, number: 0.3, written: 0.5, pair: 0.3, piece: 0.15 };

/** What a word counts that only resembles the one in the query. */
const similarWeight = 0.3;

/** By the first tool of the list. A reload makes new tools, and the old indices go with the old ones. */
const kept = new WeakMap<Tool, readonly Kept[]>();

/**
 * An index over these tools, whose ids are places in the list. Built on the first search (about 0.1 ms a tool) and used again for the same
 * list.
 */
export async function indexOf(tools: readonly Tool[]): Promise<ToolIndex> {
  const { stemmer } = await import('stemmer');
  const [first] = tools;
  if (first === undefined) return { search: async () => [] };
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
  const postings = new Map<string, Posting>();
  const vocabulary = new Vocabulary();
  const named = new NamedTools();
  const quickStem = remembered(stem);
  let characters = 0;
  for (const [id, tool] of tools.entries()) {
    named.add(id, tool.name);
    const { weights, read } = weightsOf(tool, quickStem);
    for (const [term, weight] of weights) {
      let posting = postings.get(term);
      if (posting === undefined) {
        posting = { ids: [], weights: [] };
        postings.set(term, posting);
        if (kindOfTerm(term) === 'word') vocabulary.add(term);
      }
      posting.ids.push(id);
      posting.weights.push(weight);
    }
    characters += read;
    if (characters < sliceCharacters) continue;
    characters = 0;
    await setImmediate();
  }
  return {
    async search({ query: asked, limit, isWanted = () => true }) {
      const query = asked.slice(0, maxCharacters);
      const scores = await scoresOf(query, { count: tools.length, postings, vocabulary, stem });
      const best = scores.reduce((most, score) => Math.max(most, score), 1);
      for (const [id, exactness] of named.in(query)) scores[id] = (scores[id] as number) + best * exactness;
      return bestOf(scores, { limit, isWanted, nameOf: (id) => tools[id]?.name ?? '' });
    },
  };
}

/** The stem of a word that comes again is looked up, which halves the time. */
function remembered(stem: Stem): Stem {
  const known = new Map<string, string>();
  return (word) => {
    const before = known.get(word);
    if (before !== undefined) return before;
    const made = stem(word);
    known.set(word, made);
    return made;
  };
}

/** What each term counts in a tool: more often is more, in a longer text it is less. */
function weightsOf(tool: Tool, stem: Stem): { readonly weights: ReadonlyMap<string, number>; readonly read: number } {
  const weights = new Map<string, number>();
  const add = (terms: readonly string[], weight: number, lengthToUsual: number): void => {
    const each = weight / (1 - lengthShare + lengthShare * lengthToUsual);
    for (const term of terms) weights.set(term, (weights.get(term) ?? 0) + each);
  };
  let read = 0;
  for (const { text, weight, usualWords, isName = false } of fields) {
    const written = text(tool);
    read += written.length;
    const terms = isName ? namedTerms(written, stem) : describedTerms(written, stem);
    add(terms, weight, (isName ? wordCountOf(terms) : terms.length) / usualWords);
  }
  const intents = intentsOf(tool);
  const asked = intents.flatMap((intent) => askedTerms(intent, stem));
  if (asked.length > 0) add(asked, intentWeight, wordCountOf(asked) / usualAskedWords);
  else add(terseTerms(descriptionOf(tool), stem), describedWeight, 1);
  return { weights, read: read + intents.join('').length };
}

interface Indexed {
  readonly count: number;
  readonly postings: ReadonlyMap<string, Posting>;
  readonly vocabulary: Vocabulary;
  readonly stem: Stem;
}

/** By place in the list; 0 where nothing fits. */
async function scoresOf(query: string, { count, postings, vocabulary, stem }: Indexed): Promise<Float64Array> {
  const scores = new Float64Array(count);
  if (isSilentQuestion(query)) return scores;
  let looked = 0;
  for (const term of new Set(askedTerms(withWordsOfLiterals(query), stem))) {
    const kind = kindOfTerm(term);
    const isUnknownWord = kind === 'word' && !postings.has(term);
    for (const { term: meant, likeness } of isUnknownWord ? vocabulary.similar(term) : [{ term, likeness: 1 }]) {
      const posting = postings.get(meant);
      if (posting === undefined) continue;
      const isSupport = kind === 'piece';
      addScores(scores, posting, isSupport, kindWeights[kind] * rarity(posting, count) * (isUnknownWord ? likeness * similarWeight : 1));
      looked += posting.ids.length;
    }
    if (looked < slicePostings && !isUnknownWord) continue;
    looked = 0;
    await setImmediate();
  }
  return scores;
}

/** The fewer tools have a term, the more it tells. */
function rarity({ ids }: Posting, count: number): number {
  return Math.log(1 + (count - ids.length + 0.5) / (ids.length + 0.5));
}

/** `isSupport`: it raises what was found, and finds nothing by itself. */
function addScores(scores: Float64Array, { ids, weights }: Posting, isSupport: boolean, factor: number): void {
  for (let place = 0; place < ids.length; place++) {
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
