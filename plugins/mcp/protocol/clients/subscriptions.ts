import type { Catalog } from '../catalog/catalog.ts';

/** A subscription to one resource, until `end`. */
interface Watch {
  end(): void;
  /** Releases its slot in the tenant's limit. */
  releaseSlot(): void;
}

/** Resource subscriptions of one client. */
export class Subscriptions {
  readonly #catalog: Catalog;
  readonly #takeSlot: () => () => void;
  readonly #notify: (uri: string) => void;
  /** Subscriptions by the URI of the resource. */
  readonly #watches = new Map<string, Watch>();
  readonly #stopListening: () => void;

  /** `takeSlot` throws when the tenant has reached its limit. */
  constructor(catalog: Catalog, takeSlot: () => () => void, notify: (uri: string) => void) {
    this.#catalog = catalog;
    this.#takeSlot = takeSlot;
    this.#notify = notify;
    // A reload creates new resource objects. The watches on the old objects also listen for the reload, and must run first.
    this.#stopListening = catalog.kernel.onReload(() => queueMicrotask(() => this.#renew()));
  }

  add(uri: string): void {
    const known = this.#watches.get(uri);
    const giveBack = known?.releaseSlot ?? this.#takeSlot();
    known?.end();
    this.#watches.delete(uri);
    try {
      const end = this.#catalog.resources.get(uri)?.watch?.(() => this.#notify(uri)) ?? (() => {});
      this.#watches.set(uri, { end, releaseSlot: giveBack });
    } catch (error) {
      giveBack();
      throw error;
    }
  }

  remove(uri: string): void {
    const watch = this.#watches.get(uri);
    this.#watches.delete(uri);
    watch?.releaseSlot();
    watch?.end();
  }

  #renew(): void {
    for (const uri of [...this.#watches.keys()]) this.add(uri);
  }

  close(): void {
    this.#stopListening();
    for (const uri of [...this.#watches.keys()]) this.remove(uri);
  }
}
