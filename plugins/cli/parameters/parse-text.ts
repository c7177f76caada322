import { isUnsafeInteger, type JsonSchema, readJson, toJsonValue } from '../../../kernel/index.ts';
import { type JsonType, resolveSchema, typesOf } from './schema-types.ts';

/** The value of a text, or a description of the expected value. */
export type TextResult = { readonly value: unknown } | { readonly expected: string };

const words: Readonly<Record<JsonType, string>> = {
  string: 'a text',
  number: 'a number such as 1.5',
  integer: 'a whole number',
  boolean: 'true or false',
  object: 'a JSON object such as {"name": "value"}',
  array: 'a JSON array such as ["a", "b"]',
  null: 'null',
};

/**
 * Converts texts of a command line to a value for a JSON Schema.
 * A text stays unchanged when the schema accepts only strings. Otherwise it is parsed as JSON; if that has none of the accepted types, it is
 * a string when strings are accepted. Several texts are the items of an array. One text that is not a JSON array is its only item.
 */
export function parseTexts(texts: readonly string[], schema: unknown, root: JsonSchema): TextResult {
  const types = typesOf(schema, root);
  const [text = ''] = texts;
  const { items } = resolveSchema(schema, root);
  if (texts.length > 1) {
    if (!types.has('array')) return { expected: `one value, and it is given ${texts.length} times` };
    return parseItems(texts, items, root);
  }
  const isList = types.has('array') && [...types].every((type) => type === 'array' || type === 'null');
  if (!isList) return parseText(text, schema, types, root);
  const whole = parseJson(text);
  if (whole !== undefined && (Array.isArray(whole.value) || (whole.value === null && types.has('null')))) return whole;
  return text.trimStart().startsWith('[') && !typesOf(items, root).has('string')
    ? { expected: words.array }
    : parseItems(texts, items, root);
}

function parseItems(texts: readonly string[], items: unknown, root: JsonSchema): TextResult {
  const readings = texts.map((text) => parseText(text, items, typesOf(items, root), root));
  const invalid = readings.find((reading) => 'expected' in reading);
  if (invalid !== undefined) return { expected: `items that are each ${invalid.expected}, or a JSON array` };
  return { value: readings.map((reading) => ('value' in reading ? reading.value : undefined)) };
}

function parseText(text: string, schema: unknown, types: ReadonlySet<JsonType>, root: JsonSchema): TextResult {
  const { enum: members } = resolveSchema(schema, root);
  const named = Array.isArray(members)
    ? members.find((member) => text === (typeof member === 'string' ? member : JSON.stringify(member)))
    : undefined;
  if (named !== undefined) return { value: Number.isInteger(named) && !Number.isSafeInteger(named) ? text : named };
  if ([...types].every((type) => type === 'string' || type === 'null') && types.has('string')) return { value: text };
  // A large integer stays a text, to keep all digits: the call accepts it when the tool can.
  if (isUnsafeInteger(text.trim())) {
    if (types.has('string')) return { value: text };
    if (types.has('integer') || types.has('number')) return { value: text.trim() };
  }
  const read = parseJson(text);
  if (read !== undefined && accepts(types, read.value)) return read;
  return types.has('string') ? { value: text } : { expected: [...types].map((type) => words[type]).join(' or ') };
}

function parseJson(text: string): { readonly value: unknown } | undefined {
  try {
    return { value: toJsonValue(readJson(text)) };
  } catch {
    return undefined;
  }
}

function accepts(types: ReadonlySet<JsonType>, value: unknown): boolean {
  if (value === null) return types.has('null');
  if (Array.isArray(value)) return types.has('array');
  if (typeof value === 'number') return types.has('number') || (types.has('integer') && Number.isInteger(value));
  return types.has(typeof value as JsonType);
}
