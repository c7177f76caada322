import type { Tool } from '../../../kernel/index.ts';

/** A part of a tool, or of another item, that a search reads. */
export interface Field<Item> {
  /** Weight of a word in this part. */
  readonly weight: number;
  /** Usual number of words: in a longer text each word weighs less. */
  readonly usualWords: number;
  /** True when stop words count too. @default false */
  readonly isName?: boolean;
  readonly text: (item: Item) => string;
}

/** The texts of items that a search reads. */
export interface ItemFields<Item> {
  readonly fields: readonly Field<Item>[];
  readonly nameOf: (item: Item) => string;
  /** Returns tasks in the words of those who ask. */
  readonly intentsOf: (item: Item) => readonly string[];
  readonly descriptionOf: (item: Item) => string;
}

/** Maximum characters read of each part. Later text does not help a person either. */
const maxCharacters = 10_000;

/** Weight of a term in an intent. Several intents of a tool often share a term, and each counts. */
export const intentWeight = 0.8;

/** Extra weight of terms in the description of a tool without intents, so that tools with intents do not hide it. */
export const describedWeight = 1.2;

/** Usual number of words in all intents of one tool. */
export const usualAskedWords = 45;

const fields: readonly Field<Tool>[] = [
  { weight: 2, usualWords: 4, isName: true, text: ({ name, provider }) => `${name} ${provider?.name ?? ''}` },
  { weight: 3, usualWords: 5, text: ({ definition: { tags = [] } }) => cut(tags) },
  { weight: 1, usualWords: 4, text: ({ definition: { annotations } }) => annotations?.title ?? '' },
  { weight: 0.7, usualWords: 30, text: descriptionOf },
  { weight: 0.7, usualWords: 10, text: ({ definition: { examples = [] } }) => cut(examples.map(({ description = '' }) => description)) },
  { weight: 0.2, usualWords: 10, text: ({ parameters }) => cut(Object.keys(parameters)) },
  { weight: 0.1, usualWords: 60, text: ({ parameters }) => cut(Object.values(parameters).map(({ description = '' }) => description)) },
];

export const toolFields: ItemFields<Tool> = {
  fields,
  nameOf: ({ name }) => name,
  intentsOf: ({ definition: { intents = [] } }) => intents,
  descriptionOf,
};

function descriptionOf({ description }: Tool): string {
  return cut([description]);
}

function cut(texts: readonly string[]): string {
  return texts.join(' . ').slice(0, maxCharacters);
}
