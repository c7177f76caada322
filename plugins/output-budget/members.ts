import { isPlainObject, pointerSegments } from '../../kernel/index.ts';

/** Returns the segments of a member as `continues` names it: by its name, or by a pointer. */
export function segmentsOf(member: string): readonly string[] {
  return member.startsWith('/') ? pointerSegments(member) : [member];
}

/** Returns the indexes at which the stars of a member stand for items: `[[]]` where it has none. */
export function placesOf(output: unknown, member: string): readonly (readonly number[])[] {
  return places(output, segmentsOf(member));
}

function places(value: unknown, [first, ...rest]: readonly string[]): readonly (readonly number[])[] {
  if (first === undefined) return [[]];
  if (first === '*')
    return Array.isArray(value) ? value.flatMap((item, index) => places(item, rest).map((inner) => [index, ...inner])) : [];
  return places(isPlainObject(value) ? value[first] : undefined, rest);
}

/** Returns the value of a member, with these indexes for its stars; undefined where it is not there. */
export function valueAt(output: unknown, member: string, indexes: readonly number[]): unknown {
  const left = [...indexes];
  return segmentsOf(member).reduce<unknown>((value, segment) => {
    if (segment === '*') return Array.isArray(value) ? (value[left.shift() ?? -1] as unknown) : undefined;
    return isPlainObject(value) ? value[segment] : undefined;
  }, output);
}

/** Returns a copy of an output in which the member is true, where it is a boolean there; else the output itself. */
export function withTrue(output: unknown, member: string): unknown {
  return setTrue(output, segmentsOf(member));
}

function setTrue(value: unknown, [first, ...rest]: readonly string[]): unknown {
  if (first === undefined) return value === false ? true : value;
  if (first === '*') return value;
  if (!isPlainObject(value) || !Object.hasOwn(value, first)) return value;
  return { ...value, [first]: setTrue(value[first], rest) };
}
