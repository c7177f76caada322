import type { JsonValue } from '../../../kernel/index.ts';

/** Returns a copy whose objects have no prototype, for libraries that would find `toString` and `constructor` in every object. */
export function withoutPrototypes(value: JsonValue): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(withoutPrototypes);
  return Object.assign(
    Object.create(null),
    Object.fromEntries(Object.entries(value).map(([key, member]) => [key, withoutPrototypes(member)])),
  );
}
