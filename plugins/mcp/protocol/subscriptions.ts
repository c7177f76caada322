import type { Offer } from './catalog.ts';

/** What one client wants to hear of. */
export class Subscriptions {
  readonly #offer: Offer;
  readonly #notify: (uri: string) => void;
  /** By URI, the end of its watch. */
  readonly #watches = new Map<string, () => void>();
  readonly #stopListening: () => void;

  constructor(offer: Offer, notify: (uri: string) => void) {
    this.#offer = offer;
    this.#notify = notify;
    // After a reload the resources are other objects; the watches of the old ones come first.
    this.#stopListening = offer.kernel.onReload(() => queueMicrotask(() => this.#renew()));
  }

  get size(): number {
    return this.#watches.size;
  }

  add(uri: string): void {
    this.remove(uri);
    const resource = this.#offer.resources.get(uri);
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
