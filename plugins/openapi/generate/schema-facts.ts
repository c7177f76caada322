import { isPlainObject, type JsonSchema } from '../../../kernel/index.ts';

export type Definitions = Readonly<Record<string, JsonSchema>>;

/** Maximum references from one schema to the next. */
const maxHops = 20;

/** Returns the schema to which `$ref` leads, with the members of `definitions`. */
export function targetOf(schema: JsonSchema, definitions: Definitions): JsonSchema {
  let target = schema;
  for (let hop = 0; hop < maxHops && typeof target['$ref'] === 'string'; hop++) {
    const name = /^#\/\$defs\/([^/]+)$/.exec(target['$ref'])?.[1] ?? '';
    const next = Object.hasOwn(definitions, name) ? definitions[name] : undefined;
    if (!isPlainObject(next)) return {};
    target = next;
  }
  return target;
}

/** Returns the types of values that a schema takes, also in its unions; `any` where it does not say. */
export function typesOf(schema: unknown, definitions: Definitions, level = 0): ReadonlySet<string> {
  if (!isPlainObject(schema) || level > 10) return new Set(['any']);
  const target = targetOf(schema, definitions);
  const { type, anyOf, enum: values, const: constant } = target;
  if (type !== undefined) return new Set([type].flat().map(String));
  if (Array.isArray(anyOf)) return new Set(anyOf.flatMap((part) => [...typesOf(part, definitions, level + 1)]));
  if (isPlainObject(target['properties'])) return new Set(['object']);
  if (target['items'] !== undefined) return new Set(['array']);
  const listed = Array.isArray(values) ? values : constant === undefined ? [] : [constant];
  if (listed.length > 0 && listed.every((value) => typeof value !== 'object' || value === null))
    return new Set(listed.map((value) => (value === null ? 'null' : typeof value)));
  return new Set(['any']);
}

const structured = ['object', 'array', 'any'];

/** True for a schema that takes texts, numbers and booleans alone. */
export function isPrimitive(schema: JsonSchema, definitions: Definitions): boolean {
  const types = typesOf(schema, definitions);
  return !structured.some((type) => types.has(type));
}

/** True for a schema whose value is the content of a file: `format: binary` (3.0), or a media type of its own without an encoding (3.1). */
export function isFile(schema: unknown, definitions: Definitions): boolean {
  if (!isPlainObject(schema)) return false;
  const { type, format, contentMediaType, contentEncoding } = targetOf(schema, definitions);
  const isText = type === undefined || type === 'string' || (Array.isArray(type) && type.includes('string'));
  if (!isText) return false;
  if (format === 'binary') return true;
  return typeof contentMediaType === 'string' && contentEncoding === undefined && !/json|^text\//i.test(contentMediaType);
}

/** True for a list of files. */
export function isFileList(schema: unknown, definitions: Definitions): boolean {
  if (!isPlainObject(schema)) return false;
  const { type, items } = targetOf(schema, definitions);
  return type === 'array' && isFile(items, definitions);
}

/** An object whose members can stand beside other parameters. */
export interface FlatObject {
  readonly properties: Readonly<Record<string, unknown>>;
  readonly required: readonly string[];
}

/** True for a schema that takes the empty object alone. */
export function isEmptyObject(schema: JsonSchema, definitions: Definitions): boolean {
  const { type, properties, additionalProperties } = targetOf(schema, definitions);
  const isObject = type === 'object' || (type === undefined && isPlainObject(properties));
  return (
    isObject &&
    additionalProperties === false &&
    (properties === undefined || (isPlainObject(properties) && Object.keys(properties).length === 0))
  );
}

/** Keywords that say more of an object than its members do. */
const restricting = [
  'anyOf',
  'oneOf',
  'allOf',
  'not',
  'if',
  'patternProperties',
  'propertyNames',
  'unevaluatedProperties',
  'dependentSchemas',
];

/** Returns the members of a schema that takes one object with known members; undefined for any other. */
export function flatObject(schema: JsonSchema, definitions: Definitions): FlatObject | undefined {
  const target = targetOf(schema, definitions);
  const { type, properties, required, additionalProperties } = target;
  if (!isPlainObject(properties) || Object.keys(properties).length === 0) return undefined;
  if (type !== undefined && type !== 'object') return undefined;
  if (restricting.some((key) => target[key] !== undefined) || isPlainObject(additionalProperties) || additionalProperties === true)
    return undefined;
  const names = Array.isArray(required) ? required.filter((name) => typeof name === 'string') : [];
  // A member that nobody describes could not be given.
  if (names.some((name) => !Object.hasOwn(properties, name)) || Object.values(properties).includes(false)) return undefined;
  return { properties, required: names };
}
