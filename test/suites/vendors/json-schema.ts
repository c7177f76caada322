import { isPlainObject, type JsonSchema } from '../../../kernel/index.ts';

/**
 * Purpose of a schema. In a request, members that a schema with `properties` does not list are refused, unless it says something about
 * them. In an answer, lists may be empty: where the descriptions say otherwise they generalise from recorded answers.
 */
export type Purpose = 'request' | 'answer';

const copied = ['description', 'pattern', 'minLength', 'maxLength', 'minimum', 'maximum', 'minItems', 'maxItems', 'uniqueItems', 'const'];

/** The formats that JSON Schema knows; those of the vendors and of OpenAPI say nothing to a validator. */
const formats = new Set(['date-time', 'date', 'email', 'uri', 'uuid']);

/**
 * A schema of OpenAPI 3.0 or 3.1 as JSON Schema 2020-12. Its references lead to `$defs`, which the caller adds (`definitionsOf`).
 */
export function toJsonSchema(written: unknown, purpose: Purpose): JsonSchema {
  if (!isPlainObject(written)) return {};
  const schema = converted(written, purpose);
  return written['nullable'] === true ? nullable(schema) : schema;
}

/** The components of a document, as the `$defs` of its schemas. */
export function definitionsOf(components: Readonly<Record<string, unknown>>, purpose: Purpose): Record<string, JsonSchema> {
  return Object.fromEntries(Object.entries(components).map(([name, schema]) => [name, toJsonSchema(schema, purpose)]));
}

function converted(written: Readonly<Record<string, unknown>>, purpose: Purpose): JsonSchema {
  const { $ref, type, enum: values, format, required, properties, additionalProperties, items } = written;
  if (typeof $ref === 'string') return { $ref: $ref.replace(/^#\/components\/schemas\//, '#/$defs/') };
  const inner = (schema: unknown): JsonSchema => toJsonSchema(schema, purpose);
  const schema: Record<string, unknown> = Object.fromEntries(
    copied.filter((key) => Object.hasOwn(written, key) && !(key === 'minItems' && purpose === 'answer')).map((key) => [key, written[key]]),
  );
  if (type !== undefined) schema['type'] = type;
  if (Array.isArray(values)) schema['enum'] = values;
  if (typeof format === 'string') Object.assign(schema, formatOf(format));
  if (Array.isArray(required) && required.length > 0) schema['required'] = required;
  if (isPlainObject(properties)) {
    schema['properties'] = Object.fromEntries(Object.entries(properties).map(([name, member]) => [name, inner(member)]));
    if (additionalProperties === undefined && purpose === 'request') schema['additionalProperties'] = false;
  }
  if (additionalProperties !== undefined)
    schema['additionalProperties'] = isPlainObject(additionalProperties) ? inner(additionalProperties) : additionalProperties;
  if (items !== undefined) schema['items'] = inner(items);
  for (const key of ['oneOf', 'anyOf', 'allOf'] as const) {
    const branches = written[key];
    // Branches under "oneOf" often overlap: at least one is what is meant.
    if (Array.isArray(branches)) schema[key === 'oneOf' ? 'anyOf' : key] = branches.map(inner);
  }
  return schema;
}

function formatOf(format: string): JsonSchema {
  if (format === 'byte') return { pattern: '^[A-Za-z0-9_-]*={0,2}$', 'x-format': format };
  return formats.has(format) ? { format } : { 'x-format': format };
}

function nullable(schema: JsonSchema): JsonSchema {
  const { type, enum: values } = schema;
  if (typeof type !== 'string') return { anyOf: [schema, { type: 'null' }] };
  return { ...schema, type: [type, 'null'], ...(Array.isArray(values) ? { enum: [...new Set([...values, null])] } : {}) };
}
