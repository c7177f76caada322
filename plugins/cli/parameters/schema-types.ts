import { isPlainObject, type JsonSchema, pointerSegments } from '../../../kernel/index.ts';

const jsonTypes = ['string', 'number', 'integer', 'boolean', 'object', 'array', 'null'] as const;
export type JsonType = (typeof jsonTypes)[number];

/** Maximum depth of nested references and unions. A deeper or circular schema accepts all types. */
const maxDepth = 20;

/** Returns the JSON types that a JSON Schema (2020-12) accepts; all types when it does not limit them. `root` holds its `$defs`. */
export function typesOf(schema: unknown, root: JsonSchema, depth = 0): ReadonlySet<JsonType> {
  const { type, enum: members, const: only, anyOf, oneOf, allOf, properties, items } = resolveSchema(schema, root);
  if (type !== undefined) return new Set([type].flat().filter(isType));
  if (only !== undefined) return new Set([typeOfValue(only)]);
  if (Array.isArray(members)) return new Set(members.map(typeOfValue));
  const branches = [anyOf, oneOf].find(Array.isArray) as unknown[] | undefined;
  if (branches !== undefined && depth < maxDepth) return new Set(branches.flatMap((branch) => [...typesOf(branch, root, depth + 1)]));
  if (Array.isArray(allOf) && depth < maxDepth) {
    const all = allOf.map((branch) => typesOf(branch, root, depth + 1));
    return new Set(jsonTypes.filter((name) => all.every((types) => types.has(name))));
  }
  if (properties !== undefined) return new Set(['object']);
  return new Set(items === undefined ? jsonTypes : ['array']);
}

/** Resolves a reference into `root` (`#/$defs/name`) and merges its sibling keywords. Returns other schemas unchanged. */
export function resolveSchema(schema: unknown, root: JsonSchema): JsonSchema {
  let at: JsonSchema = isPlainObject(schema) ? schema : {};
  for (let depth = 0; typeof at['$ref'] === 'string' && depth < maxDepth; depth++) {
    const { $ref, ...siblings } = at;
    at = { ...resolvePointer(String($ref), root), ...siblings };
  }
  return at;
}

function resolvePointer(reference: string, root: JsonSchema): JsonSchema {
  if (!reference.startsWith('#')) return {};
  const target = pointerSegments(reference.slice(1)).reduce<unknown>(
    (at, segment) =>
      typeof at === 'object' && at !== null && Object.hasOwn(at, segment) ? (at as Record<string, unknown>)[segment] : undefined,
    root,
  );
  return isPlainObject(target) ? target : {};
}

function isType(name: unknown): name is JsonType {
  return jsonTypes.some((known) => known === name);
}

function typeOfValue(value: unknown): JsonType {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  return typeof value as JsonType;
}
