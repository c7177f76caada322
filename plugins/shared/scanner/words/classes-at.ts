import type { Token } from './token.ts';
import { classesOf, phrasesOf } from './vocabulary.ts';
import type { WordClass } from './word-class.ts';

/** Returns the class of an identifier: `$foreign` for a tool of another source, undefined for what belongs to the same source. */
export type NameClass = (name: string) => '$name' | '$foreign' | undefined;

/** Returns the classes of a word, and of the phrases that begin with it. */
export function classesAt(tokens: readonly Token[], at: number, nameClass: NameClass): readonly WordClass[] {
  const { word = '', name } = tokens[at] ?? {};
  if (word === '$path' || word === '$outside' || word === '$variable') return [word];
  const own = classesOf(word);
  const phrases = phrasesOf(word);
  if (name === undefined && phrases.length === 0) return own;
  const kind = name === undefined ? undefined : nameClass(name);
  const met = phrases.filter(({ rest }) => rest.every((part, index) => tokens[at + 1 + index]?.word === part));
  return [...own, ...(kind === undefined ? [] : [kind]), ...met.flatMap(({ classes }) => classes)];
}
