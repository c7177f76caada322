import { isPlainObject, type JsonSchema } from '../../../kernel/index.ts';

const single: ReadonlySet<string> = new Set([
  'items',
  'additionalProperties',
  'unevaluatedItems',
  'unevaluatedProperties',
  'contains',
  'propertyNames',
  'not',
  'if',
  'then',
  'else',
]);
const listed: ReadonlySet<string> = new Set(['anyOf', 'oneOf', 'allOf', 'prefixItems']);
const named: ReadonlySet<string> = new Set(['properties', 'patternProperties', 'dependentSchemas', '$defs', 'definitions']);

/** A schema inside another schema. */
export interface Subschema {
  readonly schema: unknown;
  /** The keyword that holds it, such as `items`; empty for the root. */
  readonly keyword: string;
  /** JSON pointer of the schema (RFC 6901). */
  readonly pointer: string;
}

/**
 * Returns a schema and all schemas in it, outer before inner, up to `maxSchemas`. An object that occurs several times is listed once. Does
 * not follow references.
 */
export function everySchema(schema: unknown, pointer: string, maxSchemas: number): readonly Subschema[] {
  const found: Subschema[] = [];
  const met = new Set<unknown>();
  const visit = (sub: Subschema): void => {
    if (met.has(sub.schema) || found.length >= maxSchemas) return;
    found.push(sub);
    if (!isPlainObject(sub.schema)) return;
    met.add(sub.schema);
    for (const inner of subschemasOf(sub.schema)) visit({ ...inner, pointer: sub.pointer + inner.pointer });
  };
  visit({ schema, keyword: '', pointer });
  return found;
}

function subschemasOf(schema: JsonSchema): readonly Subschema[] {
  return Object.entries(schema).flatMap(([keyword, value]) => {
    if (single.has(keyword)) return [{ schema: value, keyword, pointer: `/${keyword}` }];
    const isHolder = (listed.has(keyword) && Array.isArray(value)) || (named.has(keyword) && isPlainObject(value));
    if (!isHolder) return [];
    return Object.entries(value as object).map(([name, sub]) => ({ schema: sub, keyword, pointer: `/${keyword}/${escaped(name)}` }));
  });
}

type Change = (schema: unknown, keyword: string) => unknown;

/** Replaces the direct subschemas of a schema. Returns the same object when nothing changes, because a list of tools needs thousands. */
export function mapSubschemas(schema: JsonSchema, change: Change): JsonSchema {
  let changed: Record<string, unknown> | undefined;
  for (const keyword of Object.keys(schema)) {
    const value = schema[keyword];
    const next = single.has(keyword) ? change(value, keyword) : heldSchemas(value, keyword, change);
    if (next === value) continue;
    changed ??= { ...schema };
    changed[keyword] = next;
  }
  return changed ?? schema;
}

function heldSchemas(value: unknown, keyword: string, change: Change): unknown {
  if (listed.has(keyword) && Array.isArray(value)) {
    const parts = value.map((part) => change(part, keyword));
    return parts.some((part, index) => part !== value[index]) ? parts : value;
  }
  if (!named.has(keyword) || !isPlainObject(value)) return value;
  let isChanged = false;
  const members = Object.keys(value).map((name): [string, unknown] => {
    const member = change(value[name], keyword);
    isChanged ||= member !== value[name];
    return [name, member];
  });
  return isChanged ? Object.fromEntries(members) : value;
}

/** Escapes a segment of a JSON pointer (RFC 6901, 3). */
function escaped(segment: string): string {
  return segment.replaceAll('~', '~0').replaceAll('/', '~1');
}
