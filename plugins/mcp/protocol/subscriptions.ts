import type { Catalog } from './catalog.ts';

/** The resources that one client has subscribed to. */
export class Subscriptions {
  readonly #catalog: Catalog;
  readonly #notify: (uri: string) => void;
  /** Functions that end the watch of a resource, by its URI. */
  readonly #watches = new Map<string, () => void>();
  readonly #stopListening: () => void;

  constructor(catalog: Catalog, notify: (uri: string) => void) {
    this.#catalog = catalog;
    this.#notify = notify;
    // After a reload the resources are new objects. The watches of the old ones, which hear of the reload as well, must run first.
    this.#stopListening = catalog.kernel.onReload(() => queueMicrotask(() => this.#renew()));
  }

  get size(): number {
    return this.#watches.size;
  }

  add(uri: string): void {
    this.remove(uri);
    const resource = this.#catalog.resources.get(uri);
    this.#watches.set(uri, resource?.watch?.(() => this.#notify(uri)) ?? (() => {}));
  }

  remove(uri: string): void {
    this.#watches.get(uri)?.();
    this.#watches.delete(uri);
  }

  #renew(): void {
    for (const uri of [...this.#watches.keys()]) this.add(uri);
  }

  close(): void {
    this.#stopListening();
    for (const uri of [...this.#watches.keys()]) this.remove(uri);
  }
}
