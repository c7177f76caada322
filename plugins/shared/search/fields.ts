import type { Tool } from '../../../kernel/index.ts';

/** A part of a tool by which it is found. */
export interface Field {
  /** What a word in it counts. */
  readonly weight: number;
  /** Words that are usual: in a longer text each counts less. */
  readonly usualWords: number;
  /** Every word of it counts, small ones too. @default false */
  readonly isName?: boolean;
  readonly text: (tool: Tool) => string;
}

/** Of each part of a tool. What comes later tells a person nothing either. */
const maxCharacters = 10_000;

/** What a term in an intent counts. Several intents of a tool often share it, and each counts. */
export const intentWeight = 0.8;

/** What a term in the description of a tool without intents counts beside: those that have some do not hide it. */
export const describedWeight = 1.2;

/** Words of all intents of one tool that are usual. */
export const usualAskedWords = 45;

export const fields: readonly Field[] = [
  { weight: 2, usualWords: 4, isName: true, text: ({ name, provider }) => `${name} ${provider?.name ?? ''}` },
  { weight: 3, usualWords: 5, text: ({ definition: { tags = [] } }) => cut(tags) },
  { weight: 1, usualWords: 4, text: ({ definition: { annotations } }) => annotations?.title ?? '' },
  { weight: 0.7, usualWords: 30, text: descriptionOf },
  { weight: 0.7, usualWords: 10, text: ({ definition: { examples = [] } }) => cut(examples.map(({ description = '' }) => description)) },
  { weight: 0.2, usualWords: 10, text: ({ parameters }) => cut(Object.keys(parameters)) },
  { weight: 0.1, usualWords: 60, text: ({ parameters }) => cut(Object.values(parameters).map(({ description = '' }) => description)) },
];

export function intentsOf({ definition: { intents = [] } }: Tool): readonly string[] {
  return intents;
}

export function descriptionOf({ description }: Tool): string {
  return cut([description]);
}

function cut(texts: readonly string[]): string {
  return texts.join(' . ').slice(0, maxCharacters);
}
