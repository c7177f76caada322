/** A resource that is opened on first use, again after a failure, and never after it is closed. */
export class LazyResource<Thing> {
  readonly #open: () => Promise<Thing>;
  #opening: Promise<Thing> | undefined;

  constructor(open: () => Promise<Thing>) {
    this.#open = open;
  }

  /** Returns the open resource. Rejects when it cannot be opened, and after `close` with its reason. */
  get(): Promise<Thing> {
    if (this.#opening === undefined) {
      const opening = this.#open();
      this.#opening = opening;
      opening.catch(() => {
        if (this.#opening === opening) this.#opening = undefined;
      });
    }
    return this.#opening;
  }

  /** Resolves to the open resource, which the caller must close. `reason`: error of later calls of `get`. */
  async close(reason: unknown): Promise<Thing | undefined> {
    const opening = this.#opening;
    this.#opening = Promise.reject(reason);
    this.#opening.catch(() => {});
    return opening?.catch(() => undefined);
  }
}
