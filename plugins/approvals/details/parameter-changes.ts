import { isPlainObject, type ParameterChange } from '../../../kernel/index.ts';

/** Maximum number of changes that are listed. The others are counted. */
const maxChanges = 50;

/** Nesting from which values are compared as wholes. Parameters of a call are far less deep. */
const maxDepth = 100;

/**
 * Returns the differences between the parameters of two calls: JSON values with secrets masked. Members are compared by name, items by position. A
 * value whose kind changed, and an added or removed one, is one difference. With more than 50, the last entry says how many more there are.
 * @example parameterChanges({ items: [{ name: 'a' }] }, { items: [{ name: 'b' }] }) // [{ path: 'items[0].name', from: 'a', to: 'b' }]
 */
export function parameterChanges(
  from: Readonly<Record<string, unknown>>,
  to: Readonly<Record<string, unknown>>,
): readonly ParameterChange[] {
  const changes: ParameterChange[] = [];
  let omitted = 0;
  for (const change of differences(from, to, '', 0)) {
    if (changes.length < maxChanges) changes.push(change);
    else omitted += 1;
  }
  return omitted === 0 ? changes : [...changes, { path: `(${omitted} more ${omitted === 1 ? 'change' : 'changes'})` }];
}

function* differences(from: unknown, to: unknown, path: string, depth: number): Generator<ParameterChange> {
  if (depth < maxDepth && isPlainObject(from) && isPlainObject(to)) {
    for (const name of new Set([...Object.keys(from), ...Object.keys(to)])) yield* sides(from, to, name, memberPath(path, name), depth);
    return;
  }
  if (depth < maxDepth && Array.isArray(from) && Array.isArray(to)) {
    const length = Math.max(from.length, to.length);
    for (let index = 0; index < length; index++) yield* sides(from, to, String(index), `${path}[${index}]`, depth);
    return;
  }
  if (JSON.stringify(from) !== JSON.stringify(to)) yield { path, from, to };
}

function* sides(from: object, to: object, key: string, path: string, depth: number): Generator<ParameterChange> {
  const [old, next] = [from, to].map((side) => (Object.hasOwn(side, key) ? { value: (side as Record<string, unknown>)[key] } : undefined));
  if (old === undefined) yield { path, to: next?.value };
  else if (next === undefined) yield { path, from: old.value };
  else yield* differences(old.value, next.value, path, depth + 1);
}

/** A name that is no plain word is quoted, so that no name can look like the path of another value. */
function memberPath(path: string, name: string): string {
  if (!/^[A-Za-z_][\w-]*$/.test(name)) return `${path}[${JSON.stringify(name)}]`;
  return path === '' ? name : `${path}.${name}`;
}
