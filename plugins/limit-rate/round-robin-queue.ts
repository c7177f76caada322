/**
 * A queue of several tenants, which are served in turn. Entries of one tenant keep their order. So a thousand entries of one
 * tenant delay another tenant by one entry, not by a thousand.
 */
export class RoundRobinQueue<Waiting> {
  /** In this order: the tenant that is served next comes first. */
  readonly #byTenant = new Map<string, Set<Waiting>>();
  #size = 0;

  get size(): number {
    return this.#size;
  }

  sizeOf(tenant: string): number {
    return this.#byTenant.get(tenant)?.size ?? 0;
  }

  /** Returns the number of waiting entries by tenant. */
  sizes(): Readonly<Record<string, number>> {
    return Object.fromEntries([...this.#byTenant].map(([tenant, own]) => [tenant, own.size]));
  }

  add(tenant: string, waiting: Waiting): void {
    const own = this.#byTenant.get(tenant) ?? new Set();
    this.#byTenant.set(tenant, own.add(waiting));
    this.#size++;
  }

  /** Removes an entry. Does nothing when it is no longer in the queue. */
  remove(tenant: string, waiting: Waiting): void {
    const own = this.#byTenant.get(tenant);
    if (own?.delete(waiting) !== true) return;
    this.#size--;
    if (own.size === 0) this.#byTenant.delete(tenant);
  }

  /** Removes and returns the next entry. */
  next(): Waiting | undefined {
    const [first] = this.#byTenant;
    if (first === undefined) return undefined;
    const [tenant, own] = first;
    const [waiting] = own;
    this.remove(tenant, waiting as Waiting);
    // Moves the tenant behind all others.
    if (this.#byTenant.delete(tenant)) this.#byTenant.set(tenant, own);
    return waiting;
  }
}
