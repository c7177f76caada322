const maxDrafts = 100;

/** Forms and calls that a person has begun, by key, for as long as the console is open: the part of the page that shows one may leave and come back. */
export class Drafts {
  readonly #values = new Map<string, unknown>();
  readonly #listeners = new Set<(key: string) => void>();

  get(key: string): unknown {
    return this.#values.get(key);
  }

  /** Replaces a draft; undefined removes it. Beyond 100 the one that was changed longest ago leaves. */
  set(key: string, value: unknown): void {
    this.#values.delete(key);
    if (value !== undefined) this.#values.set(key, value);
    const [oldest] = this.#values.keys();
    if (this.#values.size > maxDrafts && oldest !== undefined) this.#values.delete(oldest);
    for (const listener of this.#listeners) listener(key);
  }

  /** Calls the listener with the key of each changed draft. Returns the end of it. */
  onChange(listener: (key: string) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}
