import { isPlainObject, type Locate, pointerSegments } from '../../../../kernel/index.ts';

/** One difference between a definition written for an earlier system and its current form. */
export interface Change {
  /** JSON pointer (RFC 6901) in the written text. The value there moves or is removed. */
  readonly from: string;
  /** JSON pointer of the new location. Undefined when the value is removed. */
  readonly to?: string;
  /** New value. @default the written value */
  readonly value?: unknown;
}

/** Builds a JSON pointer, with special characters of the segments escaped. */
export function pointer(...segments: readonly (string | number)[]): string {
  return segments.map((segment) => `/${String(segment).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}

/** Applies the changes one after another. An existing value at a target stays. */
export function applyChanges(written: unknown, changes: readonly Change[]): unknown {
  return changes.reduce((value, { from, to, value: given }) => {
    const moved = given === undefined ? memberAt(value, pointerSegments(from)) : given;
    const rest = to === from ? value : without(value, pointerSegments(from));
    return to === undefined || (to !== from && memberAt(rest, pointerSegments(to)) !== undefined)
      ? rest
      : withMember(rest, pointerSegments(to), moved);
  }, written);
}

/** Returns a `locate` that maps pointers of the changed value to the written text. */
export function locateBefore(locate: Locate, changes: readonly Change[]): Locate {
  return (pointer) => {
    const before = changes.reduceRight(
      (now, { from, to }) => (to !== undefined && (now === to || now.startsWith(`${to}/`)) ? from + now.slice(to.length) : now),
      pointer,
    );
    return locate(before);
  };
}

function memberAt(value: unknown, [key, ...rest]: readonly string[]): unknown {
  if (key === undefined) return value;
  if (Array.isArray(value)) return memberAt(value[Number(key)], rest);
  return isPlainObject(value) && Object.hasOwn(value, key) ? memberAt(value[key], rest) : undefined;
}

function without(value: unknown, [key = '', ...rest]: readonly string[]): unknown {
  if (Array.isArray(value)) return value.map((item, index) => (String(index) === key ? without(item, rest) : item));
  if (!isPlainObject(value)) return value;
  const kept = Object.entries(value).filter(([name]) => rest.length > 0 || name !== key);
  return Object.fromEntries(kept.map(([name, member]) => [name, name === key ? without(member, rest) : member]));
}

function withMember(value: unknown, [key, ...rest]: readonly string[], member: unknown): unknown {
  if (key === undefined) return member;
  if (Array.isArray(value)) return value.map((item, index) => (String(index) === key ? withMember(item, rest, member) : item));
  const members = isPlainObject(value) ? value : {};
  return { ...members, [key]: withMember(members[key], rest, member) };
}
