import { isPlainObject, type JsonSchema } from '../../../kernel/index.ts';
import { mapSubschemas } from './subschemas.ts';

/**
 * Lists directly in lists of which any value may consist, as it is listed. A form that all APIs take has no end otherwise, because every
 * `items` needs a type and references are refused. Values in objects are free.
 */
const listLevels = 2;

const allTypes = ['object', 'array', 'string', 'number', 'boolean', 'null'] as const;

/** Any value, with this many lists in lists. Made once: a schema may hold thousands. */
const anyValues = Array.from({ length: listLevels + 1 }).reduce<readonly JsonSchema[]>((made) => {
  const items = made.at(-1);
  const types = allTypes.filter((type) => type !== 'array' || items !== undefined);
  return [...made, { anyOf: types.map((type) => (type === 'array' ? { type, items } : { type })) }];
}, []);

const numeric = ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'];

/** Keywords that say something about values of one type alone. */
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

/** With one of these a schema says by others what it takes. */
const combining = ['$ref', '$dynamicRef', 'anyOf', 'oneOf', 'allOf', 'not', 'if'];

/** Where a schema stands for a value of its own, and not for a part of what another schema says of it. */
const ofValues: ReadonlySet<string> = new Set(['properties', 'items', 'prefixItems', 'additionalProperties']);

/** What every model API takes in `format`; the Gemini API refuses any other of a string. */
const commonFormats: ReadonlySet<unknown> = new Set(['date-time', 'int32', 'int64', 'float', 'double']);

/**
 * An input schema in the form that model APIs have in common (see `profiles/`): each value has one `type`, or an `anyOf` of such and
 * nothing beside it, in place of no type or several; each list has `items`; what only some take (values of an `enum` that are no texts,
 * formats) is said in words. It takes what the schema takes, or more, but for bare lists in lists in lists of any value; calls are checked
 * against the schema itself. What cannot be said so stays. The same object where nothing changes.
 */
export function portableSchema(schema: JsonSchema): JsonSchema {
  return mapSubschemas(schema, portable);
}

function portable(given: unknown, keyword: string): unknown {
  const isOfValue = ofValues.has(keyword);
  if (keyword === 'additionalProperties' && isPlainObject(given) && Object.keys(given).length === 0) return true;
  if (given === true && keyword !== 'additionalProperties' && isOfValue) return anyValues[listLevels];
  // What stands in other combinations is refused with them.
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

/** The types of the values that a schema takes; none where it need not say. */
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

/** A union that has annotations alone beside it, without them. */
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

/** What is said of the value as a whole goes to the first: Gemini refuses anything beside `anyOf`. */
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
