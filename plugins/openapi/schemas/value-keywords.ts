import { describeValue, isPlainObject } from '../../../kernel/index.ts';
import { usablePattern } from '../../shared/schemas/usable-pattern.ts';

/** Adds a note on the schema at hand. */
export type Note = (message: string) => void;

/** Types as documents write them, beside those of JSON Schema. */
const typeAliases: Readonly<Record<string, string>> = {
  int: 'integer',
  int32: 'integer',
  int64: 'integer',
  long: 'integer',
  short: 'integer',
  float: 'number',
  double: 'number',
  decimal: 'number',
  numeric: 'number',
  bool: 'boolean',
  str: 'string',
  text: 'string',
  date: 'string',
  datetime: 'string',
  'date-time': 'string',
  uuid: 'string',
  uri: 'string',
  url: 'string',
  email: 'string',
  enum: 'string',
  file: 'string',
  map: 'object',
  dict: 'object',
  hash: 'object',
  list: 'array',
};

const types: ReadonlySet<string> = new Set(['array', 'boolean', 'integer', 'null', 'number', 'object', 'string']);
const anyType: ReadonlySet<unknown> = new Set(['', 'any', 'mixed', '*', undefined, null]);

/** Returns the types of a schema; undefined where it accepts any. Accepts what documents write in their place, such as `String` and `int`. */
export function typesOf(type: unknown, note: Note): readonly string[] | undefined {
  if (anyType.has(type)) return undefined;
  const found = [type].flat().map((name) => {
    const small = typeof name === 'string' ? name.trim().toLowerCase() : '';
    if (types.has(small)) return small;
    return Object.hasOwn(typeAliases, small) ? typeAliases[small] : undefined;
  });
  if (found.length > 0 && found.every((name) => name !== undefined)) return [...new Set(found as string[])];
  if (!(Array.isArray(type) && type.some((name) => anyType.has(name))))
    note(`the type ${describeValue(type)} is not known: any is accepted`);
  return undefined;
}

/** Returns the type that the keywords of a schema without `type` are about. */
export function impliedType(raw: Readonly<Record<string, unknown>>): string | undefined {
  const has = (...keys: readonly string[]): boolean => keys.some((key) => Object.hasOwn(raw, key));
  if (has('properties', 'patternProperties') || isPlainObject(raw['additionalProperties']) || Array.isArray(raw['required']))
    return 'object';
  if (has('items', 'prefixItems')) return 'array';
  return has('pattern', 'minLength', 'maxLength') ? 'string' : undefined;
}

/** Returns the values of an `enum` as values of its types. Without `types`: the values leave no known type, and any type is accepted. */
export function enumOf(
  given: unknown,
  types: readonly string[] | undefined,
  note: Note,
): { readonly values?: readonly unknown[]; readonly types?: readonly string[] } {
  const same = types === undefined ? {} : { types };
  const listed = Array.isArray(given) ? given : typeof given === 'object' || given === undefined ? [] : [given];
  if (listed.length === 0) {
    if (given !== undefined && given !== null) note(`the enum ${describeValue(given)} names no value, and is left out`);
    return same;
  }
  const values = distinct(listed);
  if (types === undefined) {
    const found = [...new Set(values.map(typeOf))];
    return { values, types: found.includes('number') ? found.filter((type) => type !== 'integer') : found };
  }
  const fitting = values.filter((value) => types.some((type) => isOfType(value, type)));
  if (fitting.length === values.length || (fitting.length > 0 && values.every((value) => value === null || fitting.includes(value))))
    return { values: fitting, types };
  const converted = values.map((value) => convertedTo(value, types));
  if (converted.every((value) => value !== undefined)) {
    note('values of its enum are written in another type, and were converted');
    return { values: distinct(converted), types };
  }
  note('values of its enum do not have its type: the type is left out');
  return { values, types: [...new Set(values.map(typeOf))] };
}

function convertedTo(value: unknown, types: readonly string[]): unknown {
  if (types.some((type) => isOfType(value, type))) return value;
  if (value === null) return undefined;
  if (types.includes('string') && typeof value !== 'object') return String(value);
  if (typeof value !== 'string') return undefined;
  if (types.includes('boolean') && /^(true|false)$/i.test(value)) return value.toLowerCase() === 'true';
  const number = numberIn(value);
  if (number === undefined) return undefined;
  return types.includes('number') || (types.includes('integer') && Number.isInteger(number)) ? number : undefined;
}

function distinct(values: readonly unknown[]): readonly unknown[] {
  const texts = new Map(values.map((value) => [JSON.stringify(value), value] as const));
  return [...texts.values()];
}

function typeOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  return Number.isInteger(value) ? 'integer' : typeof value;
}

/** True for a JSON value of a type of JSON Schema. */
export function isOfType(value: unknown, type: string): boolean {
  const own = typeOf(value);
  return own === type || (type === 'number' && own === 'integer');
}

function numberIn(value: unknown): number | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? value : undefined;
  return typeof value === 'string' && /^[+-]?\d+(\.\d+)?([eE][+-]?\d+)?$/.test(value.trim()) ? Number(value) : undefined;
}

const numbers = ['minimum', 'maximum', 'multipleOf'] as const;
const counts = ['minLength', 'maxLength', 'minItems', 'maxItems', 'minProperties', 'maxProperties', 'minContains', 'maxContains'] as const;
const pairs = [
  ['minimum', 'maximum'],
  ['minLength', 'maxLength'],
  ['minItems', 'maxItems'],
  ['minProperties', 'maxProperties'],
] as const;

/** Returns the limits of a schema on numbers, texts, lists and objects, and its pattern and format. Leaves out what cannot be read, with a note. */
export function limitsOf(raw: Readonly<Record<string, unknown>>, note: Note): Record<string, unknown> {
  const out: Record<string, unknown> = {};
  for (const key of numbers) {
    if (raw[key] === undefined || raw[key] === null) continue;
    const number = numberIn(raw[key]);
    if (number === undefined || (key === 'multipleOf' && number <= 0)) note(`"${key}" is ${describeValue(raw[key])}, and is left out`);
    else out[key] = number;
  }
  setExclusive(raw, 'exclusiveMinimum', 'minimum', out);
  setExclusive(raw, 'exclusiveMaximum', 'maximum', out);
  for (const key of counts) {
    if (raw[key] === undefined || raw[key] === null) continue;
    const number = numberIn(raw[key]);
    if (number !== undefined && Number.isInteger(number) && number >= 0) out[key] = number;
    else if (number !== undefined && number > 0 && key.startsWith('max')) out[key] = Math.ceil(number);
    else if (!(number !== undefined && number <= 0 && key.startsWith('min')))
      note(`"${key}" is ${describeValue(raw[key])}, and is left out`);
  }
  for (const [low, high] of pairs)
    if (typeof out[low] === 'number' && typeof out[high] === 'number' && out[low] > out[high]) {
      note(`"${low}" is greater than "${high}": both are left out`);
      delete out[low];
      delete out[high];
    }
  if (raw['uniqueItems'] === true || raw['uniqueItems'] === 'true') out['uniqueItems'] = true;
  if (typeof raw['format'] === 'string') setFormat(raw['format'], out);
  for (const key of ['contentEncoding', 'contentMediaType']) if (typeof raw[key] === 'string') out[key] = raw[key];
  if (raw['pattern'] !== undefined && raw['pattern'] !== null) {
    const { pattern, reason } = usablePattern(raw['pattern']);
    if (pattern !== undefined) out['pattern'] = pattern;
    if (reason !== undefined) note(reason);
  }
  return out;
}

/** Sets an exclusive limit: a number, or in 3.0 and 2.0 `true` beside the limit. */
function setExclusive(raw: Readonly<Record<string, unknown>>, key: string, limit: string, out: Record<string, unknown>): void {
  const given = raw[key];
  const number = given === true || given === 'true' ? out[limit] : typeof given === 'boolean' ? undefined : numberIn(given);
  if (number === undefined) return;
  out[key] = number;
  if (typeof given === 'boolean' || given === 'true') delete out[limit];
}

/** Sets the format. `byte` is the word of 3.0 for a content encoding. */
function setFormat(format: string, out: Record<string, unknown>): void {
  if (format === 'byte') out['contentEncoding'] = 'base64';
  else if (format !== '' && format.length <= 60) out['format'] = format;
}
