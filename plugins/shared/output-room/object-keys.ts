/** Caches the member names of objects: for a large object Object.keys takes a hundred milliseconds. */
export class ObjectKeys {
  readonly #keys = new WeakMap<object, readonly string[]>();

  of(object: object): readonly string[] {
    const known = this.#keys.get(object);
    if (known !== undefined) return known;
    const keys = Object.keys(object);
    this.#keys.set(object, keys);
    return keys;
  }
}
