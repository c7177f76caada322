import { describeValue, isPlainObject } from '../../../kernel/index.ts';
import type { Node } from './schema-resources.ts';

type Note = (text: string) => void;
type Mutable = Record<string, unknown>;

/**
 * Returns one node with the keywords of JSON Schema 2020-12 in place of older ones: `definitions`, `dependencies`, a list of `items`, `additionalItems`,
 * limits that a boolean makes exclusive, and `nullable`. The schemas below it stay the same objects. The same node when nothing changes.
 */
export function modernForm(node: Node, note: Note): Node {
  return [withDefs, withLists, withLimits, withDependencies, withNull].reduce((form, change) => change(form, note), node);
}

function withDefs(node: Node, note: Note): Node {
  const { definitions, $defs, ...rest } = node;
  if (definitions === undefined) return node;
  if (!isPlainObject(definitions)) return without(node, 'definitions');
  note('"definitions" are "$defs" today');
  const own = isPlainObject($defs) ? $defs : {};
  // References find their schemas whatever these are called.
  const moved = Object.entries(definitions).map(
    ([name, schema]) => [Object.hasOwn(own, name) ? freeName(name, own, definitions) : name, schema] as const,
  );
  return { ...rest, $defs: Object.fromEntries([...Object.entries(own), ...moved]) };
}

function freeName(name: string, ...taken: readonly Node[]): string {
  for (let index = 2; ; index++) {
    const candidate = `${name}_${index}`;
    if (!taken.some((names) => Object.hasOwn(names, candidate))) return candidate;
  }
}

function withLists(node: Node, note: Note): Node {
  const { items, additionalItems, ...rest } = node;
  if (!Array.isArray(items)) {
    // Without a list of items it has no effect.
    return additionalItems === undefined ? node : without(node, 'additionalItems');
  }
  note('a list of "items" is "prefixItems" today');
  return {
    ...rest,
    ...(items.length === 0 ? {} : { prefixItems: items }),
    ...(additionalItems === undefined ? {} : { items: additionalItems }),
  };
}

function withLimits(node: Node, note: Note): Node {
  let form = node;
  for (const [limit, exclusive] of [
    ['minimum', 'exclusiveMinimum'],
    ['maximum', 'exclusiveMaximum'],
  ] as const) {
    if (typeof form[exclusive] !== 'boolean') continue;
    const { [limit]: value, [exclusive]: isExclusive, ...rest } = form;
    note(`"${exclusive}" is a number today`);
    form = value === undefined ? rest : { ...rest, [isExclusive === true ? exclusive : limit]: value };
  }
  return form;
}

function withDependencies(node: Node, note: Note): Node {
  const { dependencies, ...rest } = node;
  if (dependencies === undefined) return node;
  if (!isPlainObject(dependencies)) {
    note(`"dependencies" are ${describeValue(dependencies)}, and are left out`);
    return rest;
  }
  note('"dependencies" are "dependentRequired" and "dependentSchemas" today');
  const entries = Object.entries(dependencies);
  const merged = (key: string, own: readonly (readonly [string, unknown])[]): Mutable => {
    if (own.length === 0) return {};
    return { [key]: Object.fromEntries([...Object.entries(isPlainObject(node[key]) ? node[key] : {}), ...own]) };
  };
  const isNames = ([, value]: readonly [string, unknown]): boolean => Array.isArray(value) || typeof value === 'string';
  const names = entries.filter(isNames).map(([name, value]) => [name, [value].flat()] as const);
  return {
    ...rest,
    ...merged('dependentRequired', names),
    ...merged(
      'dependentSchemas',
      entries.filter((entry) => !isNames(entry)),
    ),
  };
}

/** Reads `nullable` as OpenAPI 3.0 and Ajv do. */
function withNull(node: Node, note: Note): Node {
  const { nullable, ...rest } = node;
  if (typeof nullable !== 'boolean') return node;
  const types = [node['type']].flat();
  if (!nullable || node['type'] === undefined || types.includes('null')) return rest;
  note('"nullable" is the type "null" today');
  return { ...rest, type: [...types, 'null'] };
}

function without(node: Node, key: string): Node {
  const { [key]: _left, ...rest } = node;
  return rest;
}
