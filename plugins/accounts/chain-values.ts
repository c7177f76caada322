import type { Kernel, Secret } from '../../kernel/index.ts';

/** Minimum time between two lookups of a missing name, in milliseconds. */
const minLookupMs = 10_000;

/** Values of the resolver chain for the plugin itself, such as client ids. Missing names are not looked up again for each call. */
export class ChainValues {
  readonly #kernel: () => Pick<Kernel, 'resolveSecrets' | 'secret'>;
  readonly #reveal: (secret: Secret) => string;
  readonly #now: () => number;
  /** Time of the last lookup that found nothing, by name. */
  readonly #missedAt = new Map<string, number>();

  /** `reveal`: `revealSecret` of the kernel's own copy. `now` returns milliseconds of a clock that never goes back. */
  constructor(
    kernel: () => Pick<Kernel, 'resolveSecrets' | 'secret'>,
    reveal: (secret: Secret) => string,
    now: () => number = () => performance.now(),
  ) {
    this.#kernel = kernel;
    this.#reveal = reveal;
    this.#now = now;
  }

  /** Returns the values by name, without the missing ones. Throws SECRET_STORE_UNAVAILABLE. */
  async find(names: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const kernel = this.#kernel();
    const now = this.#now();
    const due = names.filter((name) => now - (this.#missedAt.get(name) ?? Number.NEGATIVE_INFINITY) >= minLookupMs);
    if (due.length > 0) await kernel.resolveSecrets(due);
    const found = new Map<string, string>();
    for (const name of due) {
      const secret = kernel.secret(name);
      if (secret === undefined) this.#missedAt.set(name, now);
      else {
        this.#missedAt.delete(name);
        found.set(name, this.#reveal(secret));
      }
    }
    return found;
  }
}
