import type { ServerResponse } from 'node:http';

/** The requests that are open, by their caller. */
export class OpenRequests {
  readonly #byCaller = new Map<string, Set<ServerResponse>>();
  readonly #cut = new WeakSet<ServerResponse>();

  /** Counts a request until it has its answer, or has lost its connection. */
  add(caller: string, response: ServerResponse): void {
    if (response.closed) return;
    const own = this.#byCaller.get(caller) ?? new Set();
    this.#byCaller.set(caller, own.add(response));
    response.once('close', () => {
      own.delete(response);
      if (own.size === 0 && this.#byCaller.get(caller) === own) this.#byCaller.delete(caller);
    });
  }

  /** Breaks the connections of a caller. */
  cut(caller: string): void {
    for (const response of this.#byCaller.get(caller) ?? []) {
      this.#cut.add(response);
      response.destroy();
    }
  }

  /** Returns true when the caller's connections were cut: the request must not continue. */
  wasCut(response: ServerResponse): boolean {
    return this.#cut.has(response);
  }
}
