import { isPlainObject, pointerSegments } from '../../kernel/index.ts';

/** Returns the segments of a member in `continues`: its name, or the segments of its pointer. */
export function segmentsOf(member: string): readonly string[] {
  return member.startsWith('/') ? pointerSegments(member) : [member];
}

/** Returns the item indexes that the stars of a member stand for, one list for each match: `[[]]` where it has no star. */
export function matchIndexes(output: unknown, member: string): readonly (readonly number[])[] {
  return findMatches(output, segmentsOf(member));
}

function findMatches(value: unknown, [first, ...rest]: readonly string[]): readonly (readonly number[])[] {
  if (first === undefined) return [[]];
  if (first === '*')
    return Array.isArray(value) ? value.flatMap((item, index) => findMatches(item, rest).map((inner) => [index, ...inner])) : [];
  return findMatches(isPlainObject(value) ? value[first] : undefined, rest);
}

/** Returns the value of a member, with these indexes for its stars; undefined where it does not exist. */
export function valueAt(output: unknown, member: string, indexes: readonly number[]): unknown {
  const remaining = [...indexes];
  return segmentsOf(member).reduce<unknown>((value, segment) => {
    if (segment === '*') return Array.isArray(value) ? (value[remaining.shift() ?? -1] as unknown) : undefined;
    return isPlainObject(value) ? value[segment] : undefined;
  }, output);
}

/** Returns a copy of an output with the member set to true if it is a boolean; else the output itself. */
export function withTrue(output: unknown, member: string): unknown {
  return setTrue(output, segmentsOf(member));
}

function setTrue(value: unknown, [first, ...rest]: readonly string[]): unknown {
  if (first === undefined) return value === false ? true : value;
  if (first === '*') return value;
  if (!isPlainObject(value) || !Object.hasOwn(value, first)) return value;
  return { ...value, [first]: setTrue(value[first], rest) };
}
