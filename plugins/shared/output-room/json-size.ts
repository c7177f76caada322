import { ObjectKeys } from './object-keys.ts';

/**
 * Measures the size of values as JSON, in UTF-16 units. Reads no more of a value than the limit allows, and remembers values that were too
 * large.
 */
export class JsonSizes {
  /** Sizes that lists and objects are known to exceed. */
  readonly #above = new WeakMap<object, number>();
  readonly #keys: ObjectKeys;

  constructor(keys = new ObjectKeys()) {
    this.#keys = keys;
  }

  /** Returns the size of a value; any number above `limit` when it is larger. */
  measure(value: unknown, limit: number): number {
    if (typeof value === 'string') return value.length + 2 > limit ? value.length + 2 : JSON.stringify(value).length;
    if (typeof value !== 'object' || value === null) return String(value).length;
    const above = this.#above.get(value) ?? -1;
    if (above >= limit) return above + 1;
    const size = Array.isArray(value) ? this.#list(value, limit) : this.#object(value as Readonly<Record<string, unknown>>, limit);
    if (size > limit) this.#above.set(value, limit);
    return size;
  }

  /** Returns the size of a member's name with its colon. */
  ofKey(key: string, limit: number): number {
    return this.measure(key, limit) + 1;
  }

  #list(items: readonly unknown[], limit: number): number {
    let size = 2;
    for (let index = 0; index < items.length && size <= limit; index++)
      size += (index === 0 ? 0 : 1) + this.measure(items[index], limit - size);
    return size;
  }

  #object(object: Readonly<Record<string, unknown>>, limit: number): number {
    let size = 2;
    for (const key of this.#keys.of(object)) {
      size += (size === 2 ? 0 : 1) + this.ofKey(key, limit);
      if (size <= limit) size += this.measure(object[key], limit - size);
      if (size > limit) break;
    }
    return size;
  }
}
