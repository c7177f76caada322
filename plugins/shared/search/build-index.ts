import { setImmediate } from 'node:timers/promises';
import { describedWeight, type ItemFields, intentWeight, usualAskedWords } from './fields.ts';
import { Lexicon } from './lexicon.ts';
import { type Postings, PostingsBuilder } from './postings.ts';
import { descriptionTerms, exactDescriptionTerms, kindOfTerm, namedTerms, queryTerms, type Stem } from './terms.ts';
import { ToolNames } from './tool-names.ts';
import { Vocabulary } from './vocabulary.ts';

/** An index of tools, or of other items. The id of an item is its position in the list. */
export interface IndexData {
  readonly count: number;
  /** Number of each term among the postings. Some terms have no tools. */
  readonly terms: ReadonlyMap<string, number>;
  readonly postings: Postings;
  readonly vocabulary: Vocabulary;
  readonly names: ToolNames;
}

/** A hit: an item by its position in the list. */
export interface FoundTool {
  readonly id: number;
  readonly score: number;
}

/** Characters read before yielding to the event loop: about 1 ms. */
const sliceCharacters = 8_000;

/** Terms checked before yielding to the event loop: about 1 ms. */
const sliceTerms = 10_000;

/** Strength of length normalization: words of a longer text weigh less (BM25F). */
const lengthShare = 0.5;

/** Builds the index. Yields to the event loop between portions. */
export async function buildIndexData<Item>(items: readonly Item[], read: ItemFields<Item>, stem: Stem): Promise<IndexData> {
  const lexicon = new Lexicon(stem);
  const named = new ToolNames();
  const builder = new PostingsBuilder();
  let characters = 0;
  for (const [id, item] of items.entries()) {
    named.add(id, read.nameOf(item));
    characters += addItem(item, read, lexicon, builder);
    builder.endTool(id);
    if (characters < sliceCharacters) continue;
    characters = 0;
    await setImmediate();
  }
  const { terms } = lexicon;
  const postings = await builder.build(terms.size);
  return { count: items.length, terms, postings, vocabulary: await vocabularyOf(terms, postings), names: named };
}

/** Adds the terms of an item: frequent terms weigh more, terms of a longer text less. Returns the number of characters read. */
function addItem<Item>(item: Item, read: ItemFields<Item>, lexicon: Lexicon, builder: PostingsBuilder): number {
  const add = (terms: readonly number[], weight: number, lengthToUsual: number): void => {
    const each = weight / (1 - lengthShare + lengthShare * lengthToUsual);
    for (const term of terms) builder.add(term, each);
  };
  let characters = 0;
  for (const { text, weight, usualWords, isName = false } of read.fields) {
    const written = text(item);
    characters += written.length;
    const words = lexicon.read(written);
    const terms = isName ? namedTerms(words) : descriptionTerms(words);
    add(terms, weight, (isName ? words : terms).length / usualWords);
  }
  const asked = read.intentsOf(item);
  const intents = asked.map((intent) => lexicon.read(intent));
  const wordCount = intents.reduce((sum, { length }) => sum + length, 0);
  for (const words of intents) add(queryTerms(words, lexicon.pairOf), intentWeight, wordCount / usualAskedWords);
  if (wordCount === 0) add(exactDescriptionTerms(lexicon.read(read.descriptionOf(item))), describedWeight, 1);
  return characters + asked.join('').length;
}

async function vocabularyOf(terms: ReadonlyMap<string, number>, postings: Postings): Promise<Vocabulary> {
  const vocabulary = new Vocabulary();
  for (const [term, number] of terms) {
    if (number % sliceTerms === sliceTerms - 1) await setImmediate();
    if (postings.count(number) > 0 && kindOfTerm(term) === 'word') vocabulary.add(term);
  }
  return vocabulary;
}
