import { describeValue, isPlainObject } from '../../../../kernel/index.ts';

/**
 * Returns the value of a target after an update: objects are merged in place, at all levels, lists get new items at their end, other values are
 * replaced. Throws an Error for values of different kinds when `isStrict` (OpenAPI Overlay 1.1.0, section 4.4.3).
 */
export function mergeValue(target: unknown, update: unknown, isStrict: boolean): unknown {
  if (isPlainObject(target) && isPlainObject(update)) {
    for (const [name, value] of Object.entries(update))
      setMember(target, name, Object.hasOwn(target, name) ? mergeMember(target[name], value, isStrict) : copyOf(value));
    return target;
  }
  if (Array.isArray(target)) {
    for (const item of Array.isArray(update) ? update : [update]) target.push(copyOf(item));
    return target;
  }
  if (isStrict && kindOf(target) !== kindOf(update)) throw mismatch(target, update);
  return copyOf(update);
}

function mergeMember(member: unknown, value: unknown, isStrict: boolean): unknown {
  if (kindOf(member) === kindOf(value)) return mergeValue(member, value, isStrict);
  if (isStrict) throw mismatch(member, value);
  return copyOf(value);
}

function kindOf(value: unknown): string {
  return Array.isArray(value) ? 'list' : isPlainObject(value) ? 'object' : 'simple';
}

function mismatch(target: unknown, update: unknown): Error {
  return new Error(`cannot merge ${describeValue(update)} into ${describeValue(target)}. Remove that by an action before this one`);
}

/** Sets an own member, `__proto__` too. */
export function setMember(object: Record<string, unknown>, name: string, value: unknown): void {
  Object.defineProperty(object, name, { value, enumerable: true, configurable: true, writable: true });
}

/** Returns a deep copy, so that no two places of the document are one object. */
export function copyOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(copyOf);
  if (!isPlainObject(value)) return value;
  const copy: Record<string, unknown> = {};
  for (const [name, member] of Object.entries(value)) setMember(copy, name, copyOf(member));
  return copy;
}
