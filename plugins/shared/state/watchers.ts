/** Listeners for changes, by key prefix. */
export class Watchers {
  readonly #watchers = new Map<symbol, { readonly prefix: string; readonly onChange: (key: string) => void }>();

  get size(): number {
    return this.#watchers.size;
  }

  get prefixes(): readonly string[] {
    return [...new Set([...this.#watchers.values()].map(({ prefix }) => prefix))];
  }

  /** Adds a listener. Returns a function that removes it. */
  add(prefix: string, onChange: (key: string) => void): () => void {
    const id = Symbol(prefix);
    this.#watchers.set(id, { prefix, onChange });
    return () => void this.#watchers.delete(id);
  }

  notify(key: string): void {
    for (const { prefix, onChange } of this.#watchers.values()) if (key.startsWith(prefix)) onChange(key);
  }
}
