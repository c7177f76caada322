import { randomBytes } from 'node:crypto';
import type { Liveness, StateStore } from '../../../kernel/index.ts';

/** Knows which of the processes that share a store are alive, by their names. */
export class Processes {
  /** Name of this process: 8 hexadecimal digits. */
  readonly ownName = randomBytes(4).toString('hex');
  readonly #state: StateStore;
  readonly #member: Liveness;
  #begun: Promise<void> | undefined;

  constructor(state: StateStore) {
    this.#state = state;
    this.#member = state.join();
  }

  /** Resolves when other processes see that this one is alive, until `close`. Rejects when the store cannot be reached. */
  begin(): Promise<void> {
    this.#begun ??= this.#begin().catch((error: unknown) => {
      this.#begun = undefined;
      throw error;
    });
    return this.#begun;
  }

  /** Rejects when the store cannot be reached. */
  async isAlive(name: string): Promise<boolean> {
    if (name === this.ownName) return true;
    const member = await this.#state.get(keyOf(name));
    // A heartbeat of an earlier version has no member: it expires.
    if (member === undefined || member === '' || !(await this.#member.isDead(member))) return member !== undefined;
    await this.#state.delete(keyOf(name));
    return false;
  }

  /** Deletes this process's entry. Never rejects: others find it dead. */
  async close(): Promise<void> {
    if (this.#begun === undefined) return;
    await this.#state.delete(keyOf(this.ownName)).catch(() => {});
    this.#member.leave();
  }

  async #begin(): Promise<void> {
    // Entered first: others delete the entry of a member that they do not see.
    await this.#member.enter();
    await this.#state.set(keyOf(this.ownName), this.#member.id).catch((error: unknown) => {
      this.#member.leave();
      throw error;
    });
  }
}

function keyOf(name: string): string {
  return `process/${name}`;
}
