import { isPlainObject, type JsonSchema } from '../../../kernel/index.ts';

const dialect = 'http://json-schema.org/draft-07/schema#';

/** Keys whose value is one schema. */
const single = new Set(['additionalProperties', 'additionalItems', 'contains', 'else', 'if', 'items', 'not', 'propertyNames', 'then']);
/** Keys whose value is a list of schemas. */
const lists = new Set(['allOf', 'anyOf', 'items', 'oneOf']);
/** Keys whose value has schemas by name. */
const maps = new Set(['patternProperties', 'properties']);

/** Keys that have another name in draft 7. */
const renamed: Readonly<Record<string, string>> = { dependentRequired: 'dependencies' };

/**
 * Converts a schema to draft 7, which editors support best. TypeBox writes 2020-12. In draft 7, shared schemas are under `definitions` of the root, and
 * siblings of a `$ref` are ignored. Leaves out `mistaken_names`, which only our errors read.
 */
export function draft07(schema: JsonSchema): JsonSchema {
  const definitions: Record<string, unknown> = {};
  const converted = convert(schema, definitions) as JsonSchema;
  return { $schema: dialect, ...converted, ...(Object.keys(definitions).length === 0 ? {} : { definitions }) };
}

function convert(schema: unknown, definitions: Record<string, unknown>): unknown {
  if (!isPlainObject(schema)) return schema;
  const inner = (value: unknown): unknown => convert(value, definitions);
  const { $defs, $ref, $id: _id, mistaken_names: _mistakenNames, ...rest } = schema;
  for (const [name, shared] of Object.entries(isPlainObject($defs) ? $defs : {})) {
    if (Object.hasOwn(definitions, name)) continue;
    // Reserved before the conversion: the schema may refer to itself.
    definitions[name] = true;
    definitions[name] = inner(shared);
  }
  const converted = Object.fromEntries(
    Object.entries(rest).map(([key, value]) => {
      if (maps.has(key) && isPlainObject(value)) return [key, mapped(value, inner)];
      if (lists.has(key) && Array.isArray(value)) return [key, value.map(inner)];
      if (single.has(key)) return [key, inner(value)];
      return [renamed[key] ?? key, value];
    }),
  );
  if (typeof $ref !== 'string') return converted;
  const reference = { $ref: `#/definitions/${$ref.replace(/^#\/\$defs\//, '')}` };
  return Object.keys(converted).length === 0 ? reference : { ...converted, allOf: [reference] };
}

function mapped(members: Readonly<Record<string, unknown>>, change: (value: unknown) => unknown): Record<string, unknown> {
  return Object.fromEntries(Object.entries(members).map(([name, member]) => [name, change(member)]));
}
