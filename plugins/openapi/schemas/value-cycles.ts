import { isPlainObject, type JsonSchema } from '../../../kernel/index.ts';

type Mutable = Record<string, unknown>;

/** Maximum schemas that a check enters for one value, each by a reference of the one before. */
const maxChain = 100;

/** Keywords whose schemas apply to the same value. */
const sameValue = ['allOf', 'anyOf', 'not', 'if', 'then', 'else', 'dependentSchemas'];

/**
 * Cuts references by which a schema leads back to itself for the same value, without a member or item between: a check would never end. A union with such a
 * branch is left out. `names`: the schemas to check. `isKnown`: true for those that were checked before. `cut`: called with the name of each schema that changed.
 */
export function cutValueCycles(
  names: readonly string[],
  definitions: ReadonlyMap<string, Mutable>,
  isKnown: (name: string) => boolean,
  cut: (name: string) => void,
): void {
  const heights = new Map<string, number>();
  const open = new Set<string>();
  const visit = (name: string): number => {
    const known = heights.get(name);
    if (known !== undefined) return known;
    const schema = definitions.get(name);
    if (schema === undefined || isKnown(name)) return 0;
    open.add(name);
    let height = 0;
    /** Returns true for a reference that must go: it leads back, or too far. */
    const isEndless = (target: string): boolean => {
      if (open.has(target) || open.size > maxChain) return true;
      const below = visit(target) + 1;
      if (below > maxChain) return true;
      height = Math.max(height, below);
      return false;
    };
    if (cutIn(schema, isEndless)) cut(name);
    open.delete(name);
    heights.set(name, height);
    return height;
  };
  for (const name of names) visit(name);
}

/** Removes endless references from a schema. Returns true when it changed. */
function cutIn(schema: Mutable, isEndless: (target: string) => boolean): boolean {
  let isCut = false;
  const remove = (key: string): void => {
    delete schema[key];
    isCut = true;
  };
  const { $ref: reference } = schema;
  if (typeof reference === 'string' && isEndless(reference.slice('#/$defs/'.length))) remove('$ref');
  for (const key of sameValue) {
    const value = schema[key];
    if (value === undefined) continue;
    const parts: readonly unknown[] = Array.isArray(value) ? value : key === 'dependentSchemas' ? Object.values(value as object) : [value];
    const open = parts.filter((part) => isPlainObject(part) && leadsOn(part, isEndless));
    if (open.length === 0) continue;
    if (key === 'allOf' && open.length < parts.length) {
      schema[key] = parts.filter((part) => !open.includes(part));
      isCut = true;
    } else if (key === 'if') for (const one of ['if', 'then', 'else']) remove(one);
    else remove(key);
  }
  return isCut;
}

/** True for a part that leads to an endless reference. The part is left as it is: equal parts are one object. */
function leadsOn(part: JsonSchema, isEndless: (target: string) => boolean): boolean {
  const { $ref: reference } = part;
  if (typeof reference === 'string' && isEndless(reference.slice('#/$defs/'.length))) return true;
  return sameValue.some((key) => {
    const value = part[key];
    const inner: readonly unknown[] = Array.isArray(value) ? value : key === 'dependentSchemas' ? Object.values(value ?? {}) : [value];
    return inner.some((one) => isPlainObject(one) && leadsOn(one, isEndless));
  });
}
