/** What is opened when it is first wanted, again when that has failed, and not any more once it is closed. */
export class Opened<Thing> {
  readonly #open: () => Promise<Thing>;
  #opening: Promise<Thing> | undefined;

  constructor(open: () => Promise<Thing>) {
    this.#open = open;
  }

  /** Rejects where it cannot be opened, and with what `close` was given. */
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

  /** Resolves to what is open, for who has to close it. `reason`: of those who want it from now on. */
  async close(reason: unknown): Promise<Thing | undefined> {
    const opening = this.#opening;
    this.#opening = Promise.reject(reason);
    this.#opening.catch(() => {});
    return opening?.catch(() => undefined);
  }
}
