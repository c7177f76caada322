import { excerpt } from '../errors.ts';
import type { JsonSchema } from './json.ts';

/** Characters of a pattern, of an example and of a description that a message shows. */
const shown = { pattern: 60, example: 60, description: 150 } as const;

/**
 * Says which texts a place with a `pattern` takes: by its `pattern_description`, by an example, by its description. The pattern is shown only where
 * there is none of these, as in shapes that authors write. `nodes`: schemas of the place, the one with the pattern first.
 */
export function patternIssue(nodes: readonly (JsonSchema | undefined)[], { pattern }: { readonly pattern?: unknown }): string {
  const of = (key: string): unknown => nodes.find((node) => node?.[key] !== undefined)?.[key];
  const [wanted, description] = [of('pattern_description'), of('description')];
  if (typeof wanted === 'string') return `expected ${wanted}`;
  const [example] = [of('examples')].flat(2);
  if (typeof example === 'string') return `expected a text of the form of ${JSON.stringify(excerpt(example, shown.example))}`;
  if (typeof description === 'string') return `expected another text, by the description "${excerpt(description, shown.description)}"`;
  return `expected to match pattern "${excerpt(String(pattern ?? of('pattern')), shown.pattern)}"`;
}
