import type { Issue } from './errors.ts';
import { describeValue, isPlainObject, type JsonSchema } from './json.ts';
import { pathOf, pointerSegments } from './schema.ts';

const types = ['array', 'boolean', 'integer', 'null', 'number', 'object', 'string'];

type Kind = 'schema' | 'schemas' | 'named schemas' | 'text' | 'texts' | 'number' | 'count' | 'boolean' | 'list' | 'type';

/** What JSON Schema 2020-12 says of the values of its keywords; others are free. */
const keywords: Readonly<Record<string, Kind>> = {
  type: 'type',
  $ref: 'text',
  $defs: 'named schemas',
  properties: 'named schemas',
  patternProperties: 'named schemas',
  dependentSchemas: 'named schemas',
  additionalProperties: 'schema',
  unevaluatedProperties: 'schema',
  propertyNames: 'schema',
  items: 'schema',
  prefixItems: 'schemas',
  unevaluatedItems: 'schema',
  contains: 'schema',
  allOf: 'schemas',
  anyOf: 'schemas',
  oneOf: 'schemas',
  not: 'schema',
  if: 'schema',
  // biome-ignore lint/suspicious/noThenProperty: the keyword is called so, and nobody awaits this table.
  then: 'schema',
  else: 'schema',
  required: 'texts',
  enum: 'list',
  pattern: 'text',
  format: 'text',
  minimum: 'number',
  maximum: 'number',
  exclusiveMinimum: 'number',
  exclusiveMaximum: 'number',
  multipleOf: 'number',
  minLength: 'count',
  maxLength: 'count',
  minItems: 'count',
  maxItems: 'count',
  uniqueItems: 'boolean',
  minProperties: 'count',
  maxProperties: 'count',
  title: 'text',
  description: 'text',
};

/** Keywords whose value may be null. */
const valueKeywords = ['const', 'default'];

const unvalued = 'has no value. A text with a comma inside { } needs quotes: what stands behind the comma is taken for a key';

const expected: Readonly<Record<Kind, string>> = {
  schema: 'a schema',
  schemas: 'a list of schemas',
  'named schemas': 'schemas by name',
  text: 'a text',
  texts: 'a list of texts',
  number: 'a number',
  count: 'a whole number from 0',
  boolean: 'true or false',
  list: 'a list',
  type: `one of ${types.join(', ')}, or a list of them`,
};

const fits: Readonly<Record<Kind, (value: unknown) => boolean>> = {
  schema: () => true,
  schemas: (value) => Array.isArray(value) && value.length > 0,
  'named schemas': isPlainObject,
  text: (value) => typeof value === 'string',
  texts: (value) => Array.isArray(value) && value.every((item) => typeof item === 'string'),
  number: Number.isFinite,
  count: (value) => Number.isInteger(value) && (value as number) >= 0,
  boolean: (value) => typeof value === 'boolean',
  list: Array.isArray,
  type: (value) => [value].flat().every((name) => types.includes(name as string)),
};

/** What is wrong with a JSON Schema that somebody wrote. References must stay inside it: none is ever fetched. */
export function checkSchema(schema: JsonSchema): readonly Issue[] {
  return check(schema, schema, '');
}

function check(schema: unknown, root: JsonSchema, pointer: string): Issue[] {
  if (typeof schema === 'boolean') return [];
  if (!isPlainObject(schema)) return [issue(pointer, `expected a schema, received ${describeValue(schema)}`)];
  return Object.entries(schema).flatMap(([key, value]) => checkKeyword(key, value, root, `${pointer}/${escaped(key)}`));
}

function checkKeyword(key: string, value: unknown, root: JsonSchema, pointer: string): Issue[] {
  const kind = Object.hasOwn(keywords, key) ? keywords[key] : undefined;
  if (kind === undefined) return value === null && !valueKeywords.includes(key) ? [issue(pointer, unvalued)] : [];
  if (!fits[kind](value)) return [issue(pointer, `expected ${expected[kind]}, received ${describeValue(value)}`)];
  if (kind === 'schema') return check(value, root, pointer);
  if (kind === 'schemas' || kind === 'named schemas')
    return Object.entries(value as object).flatMap(([name, member]) => check(member, root, `${pointer}/${escaped(name)}`));
  if (key === '$ref' && !isResolved(value as string, root))
    return [issue(pointer, `expected a reference to a place in this schema, such as "#/$defs/name", received ${describeValue(value)}`)];
  if (key === 'pattern' && !isPattern(value as string))
    return [issue(pointer, `expected a regular expression (ECMA-262), received ${describeValue(value)}`)];
  return [];
}

function issue(pointer: string, message: string): Issue {
  return { path: pathOf(pointer), pointer, message };
}

/** RFC 6901, 3. */
function escaped(segment: string): string {
  return segment.replaceAll('~', '~0').replaceAll('/', '~1');
}

function isResolved(reference: string, root: JsonSchema): boolean {
  if (reference === '#') return true;
  if (/^#[A-Za-z_]/.test(reference)) return JSON.stringify(root).includes(`"$anchor":"${reference.slice(1)}"`);
  if (!reference.startsWith('#/')) return false;
  const target = pointerSegments(reference.slice(1)).reduce<unknown>((place, segment) => memberOf(place, segment), root);
  return target !== undefined;
}

function memberOf(place: unknown, segment: string): unknown {
  if (typeof place !== 'object' || place === null || !Object.hasOwn(place, segment)) return undefined;
  return (place as Record<string, unknown>)[segment];
}

function isPattern(text: string): boolean {
  try {
    new RegExp(text, 'u');
    return true;
  } catch {
    return false;
  }
}
