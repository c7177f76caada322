/** The calls of this process that wait for a record, and those that run by one. */
export class WaitingCalls {
  /** Number of waiting calls, by id of the record. */
  readonly #counts = new Map<string, number>();
  /** Ids of records, by id of the call that runs. */
  readonly #running = new Map<string, string>();

  enter(id: string): void {
    this.#counts.set(id, this.countOf(id) + 1);
  }

  /** Returns true when no other call of this process waits for the record. */
  leave(id: string): boolean {
    const left = this.countOf(id) - 1;
    if (left > 0) this.#counts.set(id, left);
    else this.#counts.delete(id);
    return left <= 0;
  }

  countOf(id: string): number {
    return this.#counts.get(id) ?? 0;
  }

  /** Notes that a call runs by a record. */
  began(callId: string, id: string): void {
    this.#running.set(callId, id);
  }

  /** Returns the record of a call that has ended. */
  ended(callId: string): string | undefined {
    const id = this.#running.get(callId);
    this.#running.delete(callId);
    return id;
  }
}
