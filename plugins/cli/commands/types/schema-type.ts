import { isPlainObject, type JsonSchema, pointerSegments } from '../../../../kernel/index.ts';

/** Maximum depth of nested references. A deeper or circular one is `unknown`. */
const maxDepth = 8;

/**
 * Converts a JSON Schema (2020-12) to a TypeScript type. The type is wider where TypeScript cannot express the schema (limits, formats),
 * and `unknown` for unsupported schemas. `root` holds its `$defs`.
 */
export function schemaType(schema: unknown, root: JsonSchema, indent = '', depth = 0): string {
  if (!isPlainObject(schema)) return schema === false ? 'never' : 'unknown';
  const { $ref, const: only, enum: values, anyOf, oneOf, allOf, type } = schema;
  if (typeof $ref === 'string') return depth < maxDepth ? schemaType(resolveReference($ref, root), root, indent, depth + 1) : 'unknown';
  if (only !== undefined) return literal(only);
  if (Array.isArray(values)) return union(values.map(literal));
  const branches = anyOf ?? oneOf;
  const parts = [
    ...(Array.isArray(branches) ? [union(branches.map((branch) => schemaType(branch, root, indent, depth)))] : []),
    ...(Array.isArray(allOf) ? allOf.map((branch) => schemaType(branch, root, indent, depth)) : []),
    ...(type === undefined && !isPlainObject(schema['properties'])
      ? []
      : [union([type ?? 'object'].flat().map((name) => ofType(name, schema, root, indent, depth)))]),
  ].filter((part) => part !== 'unknown');
  if (parts.length < 2) return parts[0] ?? 'unknown';
  return [...new Set(parts)].map((part) => (part.includes('|') ? `(${part})` : part)).join(' & ');
}

function ofType(type: unknown, schema: JsonSchema, root: JsonSchema, indent: string, depth: number): string {
  if (type === 'integer' || type === 'number') return acceptsLargeIntegers(schema) ? 'number | bigint | string' : 'number';
  if (type === 'string' || type === 'boolean' || type === 'null') return type;
  if (type === 'object') return objectType(schema, root, indent, depth);
  return type === 'array' ? arrayType(schema, root, indent, depth) : 'unknown';
}

/** True for a parameter that accepts large integers, as text or bigint. The schema of an output already has the type string. */
function acceptsLargeIntegers({ type, format }: JsonSchema): boolean {
  return format === 'int64' && ![type].flat().includes('string');
}

function arrayType({ items, prefixItems, minItems }: JsonSchema, root: JsonSchema, indent: string, depth: number): string {
  const item = items === undefined ? 'unknown' : schemaType(items, root, indent, depth);
  if (!Array.isArray(prefixItems)) return /^[\w.]+$/.test(item) ? `${item}[]` : `Array<${item}>`;
  const minCount = typeof minItems === 'number' ? minItems : 0;
  const itemTypes = prefixItems.map(
    (itemSchema, index) => `${parenthesize(schemaType(itemSchema, root, indent, depth))}${index < minCount ? '' : '?'}`,
  );
  return `[${[...itemTypes, ...(items === false ? [] : [`...Array<${item}>`])].join(', ')}]`;
}

function objectType(
  { properties, required, additionalProperties: more }: JsonSchema,
  root: JsonSchema,
  indent: string,
  depth: number,
): string {
  const entries = isPlainObject(properties) ? Object.entries(properties) : [];
  if (entries.length === 0) {
    if (more === false) return 'Record<string, never>';
    return isPlainObject(more) ? `Record<string, ${schemaType(more, root, indent, depth)}>` : 'Record<string, unknown>';
  }
  const needed: readonly unknown[] = Array.isArray(required) ? required : [];
  const inner = `${indent}  `;
  const members = entries.flatMap(([name, member]) => [
    ...commentOf(isPlainObject(member) ? member['description'] : undefined, inner),
    `${inner}${keyOf(name)}${needed.includes(name) ? '' : '?'}: ${schemaType(member, root, inner, depth)};`,
  ]);
  // The index signature must also accept the named members.
  const others = more === true || isPlainObject(more) ? [`${inner}[key: string]: unknown;`] : [];
  return ['{', ...members, ...others, `${indent}}`].join('\n');
}

/** Formats a description as a doc comment; empty without one. */
export function commentOf(text: unknown, indent: string): readonly string[] {
  if (typeof text !== 'string' || text.trim() === '') return [];
  return [`${indent}/** ${text.replace(/\s+/g, ' ').trim().replaceAll('*/', '*\\/')} */`];
}

export function keyOf(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name);
}

/** Resolves a reference inside the schema; undefined for any other reference. */
export function resolveReference(reference: string, root: JsonSchema): unknown {
  if (!reference.startsWith('#')) return undefined;
  return pointerSegments(reference.slice(1)).reduce<unknown>(
    (at, segment) =>
      typeof at === 'object' && at !== null && Object.hasOwn(at, segment) ? (at as Record<string, unknown>)[segment] : undefined,
    root,
  );
}

/** Formats a literal type. An object or list of an enumeration becomes `unknown`. */
function literal(value: unknown): string {
  return typeof value === 'object' && value !== null ? 'unknown' : JSON.stringify(value);
}

function union(types: readonly string[]): string {
  const distinct = [...new Set(types)];
  if (distinct.length === 0 || distinct.includes('unknown')) return 'unknown';
  return distinct.join(' | ');
}

function parenthesize(type: string): string {
  return type.includes('|') || type.includes('&') ? `(${type})` : type;
}
