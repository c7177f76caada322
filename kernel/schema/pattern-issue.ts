import { excerpt } from '../errors.ts';
import type { JsonSchema } from '../json/json.ts';

/** Maximum characters of a pattern, an example and a description in a message. */
const shown = { pattern: 60, example: 60, description: 150 } as const;

/**
 * Describes the texts that a `pattern` accepts: by `pattern_description`, an example, or the description. Shows the pattern itself only without these,
 * as in the schemas of definition files. `nodes`: the schemas of the value, the one with the pattern first.
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
