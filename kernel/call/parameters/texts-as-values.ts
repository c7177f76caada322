import { costLimits, textExcess } from '../../json/cost.ts';
import { isPlainObject, type JsonSchema, setMember } from '../../json/json.ts';
import { readJson } from '../../json/read-json.ts';

/** The kinds of values that a schema accepts. */
interface AcceptedTypes {
  readonly object: boolean;
  readonly array: boolean;
  readonly text: boolean;
}

const anything: AcceptedTypes = { object: true, array: true, text: true };

/** Maximum number of references and unions to follow. */
const maxLevels = 8;

const found = new WeakMap<object, boolean>();

/** True when a part of the schema, at any depth, accepts an object or a list and no text. */
export function acceptsNoText(schema: unknown, root: JsonSchema): boolean {
  if (!isPlainObject(schema)) return false;
  const known = found.get(schema);
  if (known !== undefined) return known;
  const { object, array, text } = acceptedTypes(schema, root, 0);
  const own = !text && (object || array);
  // Ends the recursion of a schema that refers to itself.
  found.set(schema, own);
  const result = own || partsOf(target(schema, root)).some((part) => acceptsNoText(part, root));
  found.set(schema, result);
  return result;
}

/**
 * Parses texts with the JSON of an object or a list, where the schema accepts no text: some clients send values so. Other texts stay, and the check
 * refuses them. Integers beyond 2^53 become texts of their digits. Returns the same value if nothing is parsed.
 */
export function textsAsValues(schema: unknown, value: unknown, root: JsonSchema, depth = 0): unknown {
  if (depth > costLimits.depth || !acceptsNoText(schema, root)) return value;
  const own = target(schema as JsonSchema, root);
  const read = typeof value === 'string' ? readAs(acceptedTypes(own, root, 0), value) : value;
  const branch = branchFor(own, read, root);
  if (Array.isArray(read)) return mapped(read, (item) => textsAsValues(branch['items'], item, root, depth + 1));
  if (!isPlainObject(read)) return read;
  const { properties, additionalProperties } = branch;
  const members = isPlainObject(properties) ? properties : {};
  let copy: Record<string, unknown> | undefined;
  for (const name of Object.keys(read)) {
    const made = textsAsValues(Object.hasOwn(members, name) ? members[name] : additionalProperties, read[name], root, depth + 1);
    if (made === read[name]) continue;
    copy ??= { ...read };
    setMember(copy, name, made);
  }
  return copy ?? read;
}

function mapped(list: readonly unknown[], change: (item: unknown) => unknown): readonly unknown[] {
  const made = list.map(change);
  return made.some((item, index) => item !== list[index]) ? made : list;
}

function readAs({ object, array, text }: AcceptedTypes, value: string): unknown {
  const read = text || !(object || array) ? undefined : valueOfText(value);
  return (Array.isArray(read) ? array : object) ? (read ?? value) : value;
}

/** Parses the JSON of an object or a list. Returns undefined for another text, and for one over the limits of a call. */
export function valueOfText(text: string): object | undefined {
  const first = text.trimStart()[0];
  if ((first !== '{' && first !== '[') || textExcess(Buffer.from(text)) !== undefined) return undefined;
  try {
    return readJson(text) as object;
  } catch {
    return undefined;
  }
}

function acceptedTypes(schema: unknown, root: JsonSchema, level: number): AcceptedTypes {
  if (!isPlainObject(schema) || level > maxLevels) return anything;
  const { type, anyOf, oneOf } = target(schema, root);
  if (type !== undefined) {
    const types: readonly unknown[] = [type].flat();
    return { object: types.includes('object'), array: types.includes('array'), text: types.includes('string') };
  }
  const branches = anyOf ?? oneOf;
  if (!Array.isArray(branches)) return anything;
  const all = branches.map((branch) => acceptedTypes(branch, root, level + 1));
  return { object: all.some((one) => one.object), array: all.some((one) => one.array), text: all.some((one) => one.text) };
}

/** Returns the only branch of a union that accepts a value of this kind; the schema itself if there is no union or no single branch. */
function branchFor(schema: JsonSchema, value: unknown, root: JsonSchema): JsonSchema {
  const branches = schema['type'] === undefined ? (schema['anyOf'] ?? schema['oneOf']) : undefined;
  if (!Array.isArray(branches)) return schema;
  const kind = Array.isArray(value) ? 'array' : 'object';
  const [only, other] = branches.filter((branch) => acceptedTypes(branch, root, 1)[kind]);
  return isPlainObject(only) && other === undefined ? target(only, root) : schema;
}

/** Returns the schema to which a reference in the same document leads; the schema itself without such a reference. */
function target(schema: JsonSchema, root: JsonSchema): JsonSchema {
  let current = schema;
  for (let level = 0; level < maxLevels; level++) {
    const { $ref } = current;
    const [, keyword = '', name = ''] = typeof $ref === 'string' ? (/^#\/(\$defs|definitions)\/([^/~%]+)$/.exec($ref) ?? []) : [];
    const definitions = root[keyword];
    const next = isPlainObject(definitions) && Object.hasOwn(definitions, name) ? definitions[name] : undefined;
    if (!isPlainObject(next)) return current;
    current = next;
  }
  return current;
}

function partsOf({ properties, items, additionalProperties, anyOf, oneOf }: JsonSchema): readonly unknown[] {
  const branches = [anyOf, oneOf].flatMap((list) => (Array.isArray(list) ? list : []));
  return [...Object.values(isPlainObject(properties) ? properties : {}), items, additionalProperties, ...branches];
}
