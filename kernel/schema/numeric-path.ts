import { isPlainObject, type JsonSchema } from '../json/json.ts';
import { pointerSegments } from './validator-finding.ts';

type Path = readonly (string | number)[];

/** Returns the types that a schema allows at a path, through references and all branches of unions; empty if the schema does not name any. */
export function typesAt(schema: JsonSchema, path: Path): ReadonlySet<string> {
  const types = new Set<string>();
  // Visited nodes by the number of remaining path segments: references may form a cycle.
  const seen = path.map(() => new Set<unknown>()).concat(new Set<unknown>());
  const visit = (node: unknown, rest: Path): void => {
    if (!isPlainObject(node) || seen[rest.length]?.has(node) === true) return;
    seen[rest.length]?.add(node);
    if (rest.length === 0 && node['type'] !== undefined) for (const name of [node['type']].flat()) types.add(String(name));
    if (typeof node['$ref'] === 'string') visit(referenceTarget(schema, node['$ref']), rest);
    for (const key of ['allOf', 'anyOf', 'oneOf']) for (const branch of listOf(node[key])) visit(branch, rest);
    for (const key of ['then', 'else']) visit(node[key], rest);
    if (rest.length > 0) for (const member of membersAt(node, rest[0] as string | number)) visit(member, rest.slice(1));
  };
  visit(schema, path);
  return types;
}

/** True when the schema allows numbers and no text at the path: a text of digits is then an integer. */
export function isNumericAt(schema: JsonSchema, path: Path): boolean {
  const types = typesAt(schema, path);
  return (types.has('integer') || types.has('number')) && !types.has('string');
}

function membersAt(node: Readonly<Record<string, unknown>>, key: string | number): readonly unknown[] {
  if (typeof key === 'number') {
    const prefix = listOf(node['prefixItems']);
    return [key < prefix.length ? prefix[key] : node['items']];
  }
  const { properties, patternProperties, additionalProperties } = node;
  const own = isPlainObject(properties) && Object.hasOwn(properties, key) ? [properties[key]] : [];
  const fitting = Object.entries(isPlainObject(patternProperties) ? patternProperties : {}).filter(([pattern]) =>
    new RegExp(pattern, 'u').test(key),
  );
  const all = [...own, ...fitting.map(([, member]) => member)];
  return all.length > 0 ? all : [additionalProperties];
}

/** Returns the node of a schema to which a reference inside it leads: `#`, `#/$defs/name` or an anchor. Undefined when there is none. */
export function referenceTarget(root: JsonSchema, reference: string): unknown {
  if (/^#[A-Za-z_]/.test(reference)) return anchored(root, reference.slice(1));
  return pointerSegments(reference.replace(/^#/, '')).reduce<unknown>(
    (node, segment) =>
      (isPlainObject(node) || Array.isArray(node)) && Object.hasOwn(node, segment) ? (node as Record<string, unknown>)[segment] : undefined,
    root,
  );
}

function anchored(node: unknown, name: string): unknown {
  if (typeof node !== 'object' || node === null) return undefined;
  if ((node as Record<string, unknown>)['$anchor'] === name) return node;
  return Object.values(node)
    .map((member) => anchored(member, name))
    .find((found) => typeof found === 'object' && found !== null);
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
