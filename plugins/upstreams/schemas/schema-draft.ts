import { excerpt } from '../../../kernel/index.ts';
import type { Node } from './schema-resources.ts';

/** The drafts that differ in how a schema is read. Draft-03 and draft-06 are read as the next one. */
export type Draft = 'draft-04' | 'draft-07' | '2019-09' | '2020-12';

const drafts: readonly (readonly [Draft, RegExp])[] = [
  ['draft-04', /^https?:\/\/json-schema\.org\/draft-0[34]\/(hyper-)?schema#?$/],
  ['draft-07', /^https?:\/\/json-schema\.org\/draft-0[67]\/(hyper-)?schema#?$/],
  ['2019-09', /^https?:\/\/json-schema\.org\/draft\/2019-09\/schema#?$/],
  ['2020-12', /^https?:\/\/json-schema\.org\/draft\/2020-12\/schema#?$/],
];

/** Returns the draft that a schema names; undefined when it names none that is known. */
export function draftOf({ $schema: address }: Node): Draft | undefined {
  return typeof address === 'string' ? drafts.find(([, pattern]) => pattern.test(address))?.[0] : undefined;
}

/** Keywords that came after a draft. */
const since07 = ['const', 'contains', 'propertyNames', 'if', 'then', 'else'];
const since2019 = ['dependentRequired', 'dependentSchemas', 'unevaluatedProperties', 'unevaluatedItems', 'minContains', 'maxContains'];
const since2020 = ['prefixItems'];

const later: Readonly<Record<Draft, ReadonlySet<string>>> = {
  'draft-04': new Set([...since07, ...since2019, ...since2020]),
  'draft-07': new Set([...since2019, ...since2020]),
  '2019-09': new Set(since2020),
  '2020-12': new Set(),
};

/** Returns a note for a keyword that the named draft does not have yet: authors who write it mean it. */
export function laterKeywordNote(draft: Draft | undefined, keyword: string): string | undefined {
  if (draft === undefined || !later[draft].has(keyword)) return undefined;
  return `"${excerpt(keyword, 40)}" counts, although ${draft} does not have it`;
}
