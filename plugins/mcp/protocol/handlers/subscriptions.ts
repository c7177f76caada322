import type { Catalog } from '../catalog.ts';

/** A resource that is watched, until `end`. */
interface Watch {
  end(): void;
  /** Gives the place back that it has in the share of its tenant. */
  giveBack(): void;
}

/** The resources that one client has subscribed to. */
export class Subscriptions {
  readonly #catalog: Catalog;
  readonly #takePlace: () => () => void;
  readonly #notify: (uri: string) => void;
  /** By the URI of the resource. */
  readonly #watches = new Map<string, Watch>();
  readonly #stopListening: () => void;

  /** `takePlace` throws where there is no place for one more. */
  constructor(catalog: Catalog, takePlace: () => () => void, notify: (uri: string) => void) {
    this.#catalog = catalog;
    this.#takePlace = takePlace;
    this.#notify = notify;
    // After a reload the resources are new objects. The watches of the old ones, which hear of the reload as well, must run first.
    this.#stopListening = catalog.kernel.onReload(() => queueMicrotask(() => this.#renew()));
  }

  add(uri: string): void {
    const known = this.#watches.get(uri);
    const giveBack = known?.giveBack ?? this.#takePlace();
    known?.end();
    this.#watches.delete(uri);
    try {
      const end = this.#catalog.resources.get(uri)?.watch?.(() => this.#notify(uri)) ?? (() => {});
      this.#watches.set(uri, { end, giveBack });
    } catch (error) {
      giveBack();
      throw error;
    }
  }

  remove(uri: string): void {
    const watch = this.#watches.get(uri);
    this.#watches.delete(uri);
    watch?.giveBack();
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
