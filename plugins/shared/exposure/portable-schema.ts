import { isPlainObject, type JsonSchema } from '../../../kernel/index.ts';
import { mapSubschemas } from './subschemas.ts';

/**
 * Maximum nesting of lists in a list of any value. Each `items` needs a type and references are refused, so a form that all APIs accept
 * would never end otherwise. Values in objects are free.
 */
const listLevels = 2;

const allTypes = ['object', 'array', 'string', 'number', 'boolean', 'null'] as const;

/** Schemas of any value, by the number of nested lists. Created once: a schema may hold thousands. */
const anyValues = Array.from({ length: listLevels + 1 }).reduce<readonly JsonSchema[]>((made) => {
  const items = made.at(-1);
  const types = allTypes.filter((type) => type !== 'array' || items !== undefined);
  return [...made, { anyOf: types.map((type) => (type === 'array' ? { type, items } : { type })) }];
}, []);

const numeric = ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'];

/** Keywords that apply to values of one type only. */
const ownKeywords: Readonly<Record<string, readonly string[]>> = {
  string: ['minLength', 'maxLength', 'pattern', 'format', 'contentEncoding', 'contentMediaType'],
  number: numeric,
  integer: numeric,
  array: ['items', 'prefixItems', 'unevaluatedItems', 'contains', 'minContains', 'maxContains', 'minItems', 'maxItems', 'uniqueItems'],
  object: [
    'properties',
    'patternProperties',
    'additionalProperties',
    'unevaluatedProperties',
    'propertyNames',
    'required',
    'dependentRequired',
    'dependentSchemas',
    'minProperties',
    'maxProperties',
  ],
};

const typeBound: ReadonlySet<string> = new Set([...Object.values(ownKeywords).flat(), 'type', 'enum', 'const', 'default']);

/** Keywords by which a schema refers to other schemas. */
const combining = ['$ref', '$dynamicRef', 'anyOf', 'oneOf', 'allOf', 'not', 'if'];

/** Keywords below which a schema describes a value of its own, not a part of another schema's description. */
const ofValues: ReadonlySet<string> = new Set(['properties', 'items', 'prefixItems', 'additionalProperties']);

/** Values of `format` that every model API accepts. The Gemini API refuses any other of a string. */
const commonFormats: ReadonlySet<unknown> = new Set(['date-time', 'int32', 'int64', 'float', 'double']);

/**
 * Converts an input schema to the form that all model APIs accept (see `profiles/`). Each value has one `type`, or an `anyOf` of such and
 * nothing beside it; each list has `items`. Enum values that are not text, and uncommon formats, move to the description. The result
 * accepts all that the schema accepts, or more, except deeply nested lists of any value; calls are checked against the schema itself.
 * Parts that cannot be converted stay. Returns the same object when nothing changes.
 */
export function portableSchema(schema: JsonSchema): JsonSchema {
  return mapSubschemas(schema, portable);
}

function portable(given: unknown, keyword: string): unknown {
  const isOfValue = ofValues.has(keyword);
  if (keyword === 'additionalProperties' && isPlainObject(given) && Object.keys(given).length === 0) return true;
  if (given === true && keyword !== 'additionalProperties' && isOfValue) return anyValues[listLevels];
  // Other combinations are refused as a whole, with all their parts.
  if (!isPlainObject(given) || !(isOfValue || keyword === 'anyOf')) return given;
  const schema = withoutConst(mapSubschemas(given, portable));
  if (combining.some((key) => Object.hasOwn(schema, key))) return withLoneUnion(schema);
  if (typeof schema['type'] === 'string') return ofOneType(schema, schema['type']);
  const types = typesOf(schema, isOfValue);
  const [first, second] = types;
  if (first === undefined) return schema;
  if (second === undefined) return ofOneType({ ...schema, type: first }, first);
  const { default: byDefault } = schema;
  const annotations = Object.fromEntries(Object.entries(schema).filter(([key]) => !typeBound.has(key)));
  const isAny = types === allTypes && Object.keys(annotations).length === Object.keys(schema).length;
  if (isAny) return unionOf(anyValues[listLevels]?.['anyOf'] as readonly unknown[], annotations);
  const parts = types.map((type) => ({
    ...partOf(schema, type),
    ...(byDefault !== undefined && isOfType(byDefault, type) ? { default: byDefault } : {}),
  }));
  return unionOf(parts, annotations);
}

function withoutConst(schema: JsonSchema): JsonSchema {
  if (!Object.hasOwn(schema, 'const')) return schema;
  const { const: value, ...rest } = schema;
  return { ...rest, enum: [value] };
}

/** Returns the types of the values that a schema accepts. Empty when it need not name any. */
function typesOf({ type, enum: values }: JsonSchema, isOfValue: boolean): readonly string[] {
  const said = type === undefined ? (isOfValue || values !== undefined ? allTypes : []) : [type].flat();
  const types = said === allTypes ? allTypes : said.filter((name) => typeof name === 'string');
  return Array.isArray(values) ? types.filter((name) => values.some((value) => isOfType(value, name))) : types;
}

function partOf(schema: JsonSchema, type: string): JsonSchema {
  const own = (ownKeywords[type] ?? []).filter((key) => Object.hasOwn(schema, key)).map((key) => [key, schema[key]]);
  const { enum: values } = schema;
  const fitting = Array.isArray(values) && type !== 'null' ? { enum: values.filter((value) => isOfType(value, type)) } : {};
  return ofOneType({ type, ...Object.fromEntries(own), ...fitting }, type);
}

function ofOneType(schema: JsonSchema, type: string): JsonSchema {
  const isOpenList = type === 'array' && schema['items'] === undefined;
  return inWords(isOpenList ? { ...schema, items: anyValues[listLevels - 1] } : schema);
}

function inWords(schema: JsonSchema): JsonSchema {
  const { enum: values, format } = schema;
  const isListed = Array.isArray(values) && !values.every((value) => typeof value === 'string');
  const isFormat = typeof format === 'string' && !commonFormats.has(format);
  if (!isListed && !isFormat) return schema;
  const { enum: _e, format: _f, ...rest } = schema;
  const words = [
    ...(isListed ? [`One of ${values.map((value) => JSON.stringify(value)).join(', ')}.`] : []),
    ...(isFormat ? [`Format: ${format}.`] : []),
  ];
  return {
    ...rest,
    ...(isListed || values === undefined ? {} : { enum: values }),
    ...(isFormat || format === undefined ? {} : { format }),
    description: sentences(rest['description'], words.join(' ')),
  };
}

/** Moves annotations beside a union into the union. */
function withLoneUnion(schema: JsonSchema): JsonSchema {
  const { anyOf, ...rest } = schema;
  const isAnnotated = Array.isArray(anyOf) && Object.keys(rest).length > 0;
  if (!isAnnotated || Object.keys(rest).some((key) => typeBound.has(key) && key !== 'default') || combining.some((key) => key in rest))
    return schema;
  const { default: byDefault, ...annotations } = rest;
  const at = byDefault === undefined ? -1 : anyOf.findIndex((part) => isPlainObject(part) && isOfType(byDefault, part['type']));
  return unionOf(
    anyOf.map((part, index) => (index === at ? { ...part, default: byDefault } : part)),
    annotations,
  );
}

/** Builds a union. Annotations of the whole value go to the first part: Gemini refuses anything beside `anyOf`. */
function unionOf(parts: readonly unknown[], annotations: JsonSchema): JsonSchema {
  const [first, ...others] = parts;
  if (!isPlainObject(first)) return { ...annotations, anyOf: parts };
  const { description } = annotations;
  const said = description === undefined ? {} : { description: sentences(description, first['description']) };
  return { anyOf: [{ ...first, ...annotations, ...said }, ...others] };
}

function isOfType(value: unknown, type: unknown): boolean {
  if (type === 'integer') return Number.isInteger(value);
  if (type === 'array') return Array.isArray(value);
  if (type === 'null') return value === null;
  return typeof value === type && (type !== 'object' || isPlainObject(value));
}

function sentences(...texts: readonly unknown[]): string {
  const given = texts.filter((text) => typeof text === 'string' && text !== '') as string[];
  return given.map((text, index) => (index === given.length - 1 || /[.!?]$/.test(text) ? text : `${text}.`)).join(' ');
}
