import { isPlainObject } from '../../../kernel/index.ts';
import { SchemaRefusal } from './schema-refusal.ts';
import type { Node } from './schema-resources.ts';

/** Maximum schemas inside each other that apply to one value. */
const maxHeight = 200;

/** Maximum schemas that apply to one value, each counted as often as it is checked. */
const maxWork = 20_000;

/**
 * Refuses schemas whose check would never end, or take very long: a reference that leads back to itself for the same value, and references that
 * double at each step. `targets`: the schema to which the `$ref` of a node leads.
 */
export function refuseEndlessWork(nodes: readonly Node[], targets: ReadonlyMap<Node, Node>): void {
  const known = new Map<Node, { readonly work: number; readonly height: number }>();
  const open = new Set<Node>();
  const visit = (node: Node): { readonly work: number; readonly height: number } => {
    const found = known.get(node);
    if (found !== undefined) return found;
    if (open.has(node)) throw new SchemaRefusal('refers to itself for one value, so that a check of it would never end');
    if (open.size > maxHeight) throw new SchemaRefusal(`has more than ${maxHeight} schemas inside each other for one value`);
    open.add(node);
    let work = 1;
    let height = 1;
    for (const part of partsOf(node, targets)) {
      const below = visit(part);
      work += below.work;
      height = Math.max(height, below.height + 1);
    }
    open.delete(node);
    if (height > maxHeight) throw new SchemaRefusal(`has more than ${maxHeight} schemas inside each other for one value`);
    if (work > maxWork) throw new SchemaRefusal(`needs more than ${maxWork} checks for one value`);
    const result = { work, height };
    known.set(node, result);
    return result;
  };
  for (const node of nodes) visit(node);
}

/** Returns the schemas that apply to the same value as a node. */
function partsOf(node: Node, targets: ReadonlyMap<Node, Node>): readonly Node[] {
  const target = targets.get(node);
  const { dependentSchemas } = node;
  const parts = [
    ...['allOf', 'anyOf', 'oneOf'].flatMap((key) => node[key]),
    ...['not', 'if', 'then', 'else'].map((key) => node[key]),
    ...(isPlainObject(dependentSchemas) ? Object.values(dependentSchemas) : []),
  ].filter(isPlainObject);
  return target === undefined ? parts : [target, ...parts];
}
