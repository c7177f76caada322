import { asText, isPlainObject } from '../../../kernel/index.ts';

/** Returns the entries of a rendered object as text pairs: a list becomes a repeated name, an object its JSON, `null` nothing. */
export function pairsOf(value: unknown): [string, string][] {
  if (!isPlainObject(value)) return [];
  return Object.entries(value).flatMap(([name, member]) =>
    [member]
      .flat()
      .filter((item) => item !== null)
      .map((item): [string, string] => [name, asText(item)]),
  );
}
