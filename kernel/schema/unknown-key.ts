import { isDeepStrictEqual } from 'node:util';
import { excerpt } from '../errors.ts';
import { isPlainObject, type JsonSchema } from './json.ts';
import { nearest, suggestionText } from './nearest.ts';

interface UnknownKeyIssue {
  readonly message: string;
  readonly resembles: readonly string[];
}

interface PropertyHints {
  readonly mistaken_names?: readonly string[];
  readonly description?: string;
  readonly default?: unknown;
}

/**
 * Says of a key that an object must not have which of its keys was meant: one that names it in `mistaken_names`, or those nearest to it, in letters or
 * in words. Where a required key is missing, none that is given already was meant.
 */
export function unknownKeyIssue(schema: JsonSchema, name: string, given: unknown): UnknownKeyIssue {
  const properties = (schema['properties'] ?? {}) as Readonly<Record<string, PropertyHints>>;
  const meant = Object.keys(properties).find((key) => properties[key]?.mistaken_names?.includes(name) === true);
  if (meant !== undefined) {
    const { description } = properties[meant] ?? {};
    const help = description === undefined ? '' : `. Its description: "${excerpt(description, 100)}"`;
    return { message: `is not known here: give "${meant}" in its place${help}`, resembles: [meant] };
  }
  const known = Object.keys(properties);
  const open = isIncomplete(schema, given) ? known.filter((key) => !isSettled(key, properties, given)) : known;
  const near = nearest(name, open);
  const question = suggestionText(near.length > 0 ? near : likeInWords(name, open));
  const expected = known.length === 0 ? 'Nothing may be given here: remove it.' : `Expected ${known.join(', ')}.`;
  return { message: `is not known here.${question || ` ${expected}`}`, resembles: nearest(name, known) };
}

function isIncomplete({ required = [] }: JsonSchema, given: unknown): boolean {
  return isPlainObject(given) && (required as readonly string[]).some((key) => !Object.hasOwn(given, key));
}

/** The key is given, or a value is given for which it would be the path, or the other way round. Defaults are filled in, and given by nobody. */
function isSettled(key: string, properties: Readonly<Record<string, PropertyHints>>, given: unknown): boolean {
  if (!isPlainObject(given)) return false;
  const other = key.endsWith('_path') ? key.slice(0, -'_path'.length) : `${key}_path`;
  return [key, other].some((name) => Object.hasOwn(given, name) && !isDeepStrictEqual(given[name], properties[name]?.default));
}

/** The keys that share at least half of the words with a name, as `start` does with `start_line`: those with most. */
function likeInWords(name: string, keys: readonly string[]): readonly string[] {
  const words = new Set(wordsOf(name));
  const shares = keys.map((key) => {
    const others = wordsOf(key);
    const shared = others.filter((word) => words.has(word)).length;
    return { key, share: shared / (words.size + others.length - shared) };
  });
  const most = Math.max(0.5, ...shares.map(({ share }) => share));
  return shares.filter(({ share }) => share === most).map(({ key }) => key);
}

/** `maxDepth` and `max_depth` are two words each. */
function wordsOf(name: string): readonly string[] {
  return name
    .replace(/([a-z])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .split(/[_-]+/);
}
