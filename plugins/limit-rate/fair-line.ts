/**
 * Those who wait for something, of several tenants: they have their turns one after the other, and each tenant's go on in the order in
 * which they came. So a thousand of one tenant are one turn to another, and not a thousand.
 */
export class FairLine<Waiting> {
  /** The tenant whose turn is next comes first. */
  readonly #byTenant = new Map<string, Set<Waiting>>();
  #size = 0;

  get size(): number {
    return this.#size;
  }

  sizeOf(tenant: string): number {
    return this.#byTenant.get(tenant)?.size ?? 0;
  }

  /** How many wait, by tenant. */
  sizes(): Readonly<Record<string, number>> {
    return Object.fromEntries([...this.#byTenant].map(([tenant, own]) => [tenant, own.size]));
  }

  add(tenant: string, waiting: Waiting): void {
    const own = this.#byTenant.get(tenant) ?? new Set();
    this.#byTenant.set(tenant, own.add(waiting));
    this.#size++;
  }

  /** Does nothing when it does not wait any more. */
  remove(tenant: string, waiting: Waiting): void {
    const own = this.#byTenant.get(tenant);
    if (own?.delete(waiting) !== true) return;
    this.#size--;
    if (own.size === 0) this.#byTenant.delete(tenant);
  }

  /** Takes the next one out of the line. */
  next(): Waiting | undefined {
    const [turn] = this.#byTenant;
    if (turn === undefined) return undefined;
    const [tenant, own] = turn;
    const [waiting] = own;
    this.remove(tenant, waiting as Waiting);
    // Behind all others.
    if (this.#byTenant.delete(tenant)) this.#byTenant.set(tenant, own);
    return waiting;
  }
}
