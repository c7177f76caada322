import { pointerSegments } from './check-value.ts';
import { isPlainObject, type JsonSchema } from './json.ts';

type Path = readonly (string | number)[];

/** The types that a schema names for a place in a value, through references and all branches of unions. None where it says nothing of it. */
export function typesAt(schema: JsonSchema, path: Path): ReadonlySet<string> {
  const types = new Set<string>();
  // By how much of the path is left: references may lead in a circle.
  const seen = path.map(() => new Set<unknown>()).concat(new Set<unknown>());
  const visit = (node: unknown, rest: Path): void => {
    if (!isPlainObject(node) || seen[rest.length]?.has(node) === true) return;
    seen[rest.length]?.add(node);
    if (rest.length === 0 && node['type'] !== undefined) for (const name of [node['type']].flat()) types.add(String(name));
    if (typeof node['$ref'] === 'string') visit(target(schema, node['$ref']), rest);
    for (const key of ['allOf', 'anyOf', 'oneOf']) for (const branch of listOf(node[key])) visit(branch, rest);
    for (const key of ['then', 'else']) visit(node[key], rest);
    if (rest.length > 0) for (const member of membersAt(node, rest[0] as string | number)) visit(member, rest.slice(1));
  };
  visit(schema, path);
  return types;
}

/** True for a place that takes numbers and no text: a text of digits stands there for an integer. */
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

function target(root: JsonSchema, reference: string): unknown {
  if (/^#[A-Za-z_]/.test(reference)) return anchored(root, reference.slice(1));
  return pointerSegments(reference.replace(/^#/, '')).reduce<unknown>(
    (node, segment) => (isPlainObject(node) || Array.isArray(node) ? (node as Record<string, unknown>)[segment] : undefined),
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
