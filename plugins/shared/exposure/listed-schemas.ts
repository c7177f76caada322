import { isPlainObject, type JsonSchema } from '../../../kernel/index.ts';

/** Forms in which a list shows output schemas. */
export const outputSchemaChoices = ['full', 'compact', 'none'] as const;

export type OutputSchemas = (typeof outputSchemaChoices)[number];

/** Annotations that a list leaves out, including those that are only needed after a wrong call. */
const unlisted = ['examples', 'example', '$comment', 'pattern_description', 'mistaken_names'];

/** JSON Schema keywords whose members have names chosen by the schema's author. */
const named = ['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas'];

/** Keywords that hold a schema or a list of schemas. All others hold values, which stay as they are. */
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

/** Length from which a limit is left out: no model writes that much text by intention. */
const longText = 4096;

/**
 * Removes examples, comments and error texts from a schema, at any depth. Also removes a pattern that has a description and an explained
 * error or example, and limits that are only reached by mistake. The result accepts all that the schema accepts, or more; calls are
 * checked against the schema itself.
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
 * Reduces an object schema to its top level: property names, their types and required ones; for referenced schemas, names only. The result
 * accepts every value that the schema accepts. It is cheap to compile, which clients do at every list.
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

/** Reduces a property to its type. A schema without a type accepts anything. */
function typeOnly(property: unknown, root: JsonSchema): JsonSchema {
  if (!isPlainObject(property)) return {};
  const { type } = [property, ...referenced(property, root)].find((level) => level['type'] !== undefined) ?? {};
  return type === undefined ? {} : { type };
}

/** Follows a schema's references, one after another. Ignores references that do not lead to `$defs`. */
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
