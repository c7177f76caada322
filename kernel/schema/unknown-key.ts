import { isDeepStrictEqual } from 'node:util';
import { excerpt } from '../errors.ts';
import { isPlainObject, type JsonSchema } from '../json/json.ts';
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
 * Returns the issue of an unknown key, with the keys that were probably meant: one that lists it in `mistaken_names`, or the nearest by letters or
 * by words. If a required key is missing, keys that are already given are not suggested.
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

/** True when the key is given, or its counterpart: `name_path` for `name`, and `name` for `name_path`. A default value does not count. */
function isSettled(key: string, properties: Readonly<Record<string, PropertyHints>>, given: unknown): boolean {
  if (!isPlainObject(given)) return false;
  const other = key.endsWith('_path') ? key.slice(0, -'_path'.length) : `${key}_path`;
  return [key, other].some((name) => Object.hasOwn(given, name) && !isDeepStrictEqual(given[name], properties[name]?.default));
}

/** Returns the keys that share the most words with a name, at least half of them, as `start_line` does with `start`. */
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

/** Splits a name into words: `maxDepth` and `max_depth` have two. */
function wordsOf(name: string): readonly string[] {
  return name
    .replace(/([a-z])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .split(/[_-]+/);
}
