/** A node of a JSON Schema. */
export type SchemaNode = Readonly<Record<string, unknown>>;

/** A node without `$ref` and `allOf`. */
export interface PlainNode {
  readonly node: SchemaNode;
  /** The references on the way to it, so that one that contains itself ends. */
  readonly references: readonly string[];
}

/** Returns the node with its references and `allOf` merged into it; undefined where they cannot be merged, or a reference contains itself. */
export function plainNode(schema: unknown, root: SchemaNode, references: readonly string[] = []): PlainNode | undefined {
  if (!isObject(schema) || references.length > maxReferences) return undefined;
  const { $ref: reference, allOf, ...own } = schema;
  const parts: unknown[] = Array.isArray(allOf) ? [...allOf] : [];
  let seen = references;
  if (reference !== undefined) {
    if (typeof reference !== 'string' || references.includes(reference)) return undefined;
    seen = [...references, reference];
    parts.unshift(atPointer(root, reference));
  }
  let node: SchemaNode = {};
  for (const part of parts) {
    const plain = plainNode(part, root, seen);
    const merged = plain && merge(node, plain.node);
    if (plain === undefined || merged === undefined) return undefined;
    node = merged;
    seen = plain.references;
  }
  const whole = merge(node, own);
  return whole && { node: whole, references: seen };
}

const maxReferences = 30;

/** Returns the types that a node names; `nullable` of OpenAPI is `null`. Empty for each type. */
export function typesOf({ type, nullable }: SchemaNode): readonly string[] {
  const types = [type].flat().filter((name) => typeof name === 'string');
  return types.length > 0 && nullable === true && !types.includes('null') ? [...types, 'null'] : types;
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns a schema that demands both; undefined where their keywords contradict each other or cannot be joined. */
export function merge(first: SchemaNode, second: SchemaNode): SchemaNode | undefined {
  const all = new Map(Object.entries(first));
  for (const [key, value] of Object.entries(second)) {
    const joined = all.has(key) ? join(key, all.get(key), value) : value;
    if (joined === undefined) return undefined;
    all.set(key, joined);
  }
  return Object.fromEntries(all);
}

const lowerLimits = ['minimum', 'exclusiveMinimum', 'minLength', 'minItems', 'minProperties'];
const upperLimits = ['maximum', 'exclusiveMaximum', 'maxLength', 'maxItems', 'maxProperties'];
const annotations = ['title', 'description', 'default', 'examples', 'deprecated', '$comment'];

function join(key: string, first: unknown, second: unknown): unknown {
  if (annotations.includes(key) || JSON.stringify(first) === JSON.stringify(second)) return second;
  if (typeof first === 'number' && typeof second === 'number') {
    if (lowerLimits.includes(key)) return Math.max(first, second);
    if (upperLimits.includes(key)) return Math.min(first, second);
  }
  if (key === 'required' && Array.isArray(first) && Array.isArray(second)) return [...new Set([...first, ...second])];
  if (key === 'properties' && isObject(first) && isObject(second)) return joinProperties(first, second);
  if (key === 'additionalProperties') return first === false || second === false ? false : second === true ? first : second;
  if (key === 'type') {
    const others = [second].flat();
    const shared = [first].flat().filter((type) => others.includes(type));
    return shared.length > 0 ? shared : undefined;
  }
  return undefined;
}

function joinProperties(first: SchemaNode, second: SchemaNode): SchemaNode {
  const all = new Map(Object.entries(first));
  for (const [name, schema] of Object.entries(second))
    all.set(name, all.has(name) && schema !== true ? { allOf: [all.get(name), schema] } : (all.get(name) ?? schema));
  return Object.fromEntries(all);
}

/** Returns the part of a schema that a reference such as `#/$defs/address` names (RFC 6901). */
function atPointer(root: SchemaNode, reference: string): unknown {
  if (reference === '#') return root;
  if (!reference.startsWith('#/')) return undefined;
  let part: unknown = root;
  for (const step of reference.slice(2).split('/')) {
    const key = step.replaceAll('~1', '/').replaceAll('~0', '~');
    if (typeof part !== 'object' || part === null || !Object.hasOwn(part, key)) return undefined;
    part = (part as Record<string, unknown>)[key];
  }
  return part;
}
