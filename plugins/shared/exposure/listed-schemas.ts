import { isPlainObject, type JsonSchema } from '../../../kernel/index.ts';

/** What a list says of the results of tools. */
export const outputSchemaChoices = ['full', 'compact', 'none'] as const;

export type OutputSchemas = (typeof outputSchemaChoices)[number];

/** Annotations of a schema that a list does without: what is only needed once a call was wrong, too. */
const unlisted = ['examples', 'example', '$comment', 'pattern_description', 'mistaken_names'];

/** Keywords of JSON Schema whose members are named by whoever wrote the schema. */
const named = ['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas'];

/** Keywords that hold a schema, or a list of them. All others hold values, which stay as they are. */
const holders = [
  'additionalProperties',
  'unevaluatedProperties',
  'propertyNames',
  'items',
  'prefixItems',
  'unevaluatedItems',
  'contains',
  'allOf',
  'anyOf',
  'oneOf',
  'not',
  'if',
  'then',
  'else',
];

/** From here on a limit says nothing: no model comes near it by the length of what it means to say. */
const longText = 4096;

/**
 * A schema without its examples, comments and the texts of its errors, at any depth, and without what costs a model more than it tells: the pattern
 * of a text that is described and whose error says in words or by an example what is wanted, and limits that are met by mistake alone. It takes
 * what the schema takes, or more; calls are checked against the schema itself.
 */
export function withoutExamples(schema: JsonSchema): JsonSchema {
  return Object.fromEntries(
    Object.entries(schema)
      .filter(([key, value]) => !unlisted.includes(key) && !isNoise(key, value, schema))
      .map(([key, value]) => [key, named.includes(key) ? eachMember(value) : holders.includes(key) ? strip(value) : value]),
  );
}

function isNoise(key: string, value: unknown, { description, pattern_description: wanted, examples }: JsonSchema): boolean {
  switch (key) {
    case 'pattern':
      return typeof description === 'string' && (wanted !== undefined || examples !== undefined);
    case 'minLength':
      return value === 1;
    case 'maxLength':
      return typeof value === 'number' && value >= longText;
    default:
      return false;
  }
}

function eachMember(schemas: unknown): unknown {
  return isPlainObject(schemas) ? Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, strip(schema)])) : schemas;
}

function strip(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(strip);
  return isPlainObject(value) ? withoutExamples(value) : value;
}

/**
 * What the top level of a schema of objects says, and no more: the names of the properties, their types, and which are required; of what it takes
 * over by reference, the names. It takes every value that the whole schema takes, and is cheap to compile, which clients do at every list.
 */
export function compactSchema(schema: JsonSchema): JsonSchema {
  const names = referenced(schema, schema).flatMap((target) => Object.keys(membersOf(target)).map((name) => [name, {}] as const));
  const own = Object.entries(membersOf(schema)).map(([name, property]) => [name, typeOnly(property, schema)] as const);
  const { required } = schema;
  return {
    type: 'object',
    properties: Object.fromEntries([...names, ...own]),
    ...(Array.isArray(required) && required.length > 0 ? { required } : {}),
  };
}

function membersOf({ properties }: JsonSchema): Readonly<Record<string, unknown>> {
  return isPlainObject(properties) ? properties : {};
}

/** A schema that gives no type takes anything. */
function typeOnly(property: unknown, root: JsonSchema): JsonSchema {
  if (!isPlainObject(property)) return {};
  const { type } = [property, ...referenced(property, root)].find((level) => level['type'] !== undefined) ?? {};
  return type === undefined ? {} : { type };
}

/** What the reference of a schema names, what that one refers to, and so on. References that lead elsewhere than to `$defs` say nothing. */
function referenced(schema: JsonSchema, root: JsonSchema): readonly JsonSchema[] {
  const found = new Set<JsonSchema>();
  for (let target = targetOf(schema, root); target !== undefined && !found.has(target); target = targetOf(target, root)) found.add(target);
  return [...found];
}

function targetOf(schema: JsonSchema, root: JsonSchema): JsonSchema | undefined {
  // References below an $id are relative to it (JSON Schema 2020-12, 8.2.1).
  if (schema !== root && schema['$id'] !== undefined) return undefined;
  const { $ref } = schema;
  const { $defs } = root;
  const name = typeof $ref === 'string' ? /^#\/\$defs\/([^/~%]+)$/.exec($ref)?.[1] : undefined;
  if (name === undefined || !isPlainObject($defs) || !Object.hasOwn($defs, name)) return undefined;
  const target = $defs[name];
  return isPlainObject(target) ? target : undefined;
}
