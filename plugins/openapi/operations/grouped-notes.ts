/** Maximum distinct faults that are listed. */
const maxFaults = 50;

/** Notes about many operations, as few lines: each fault once, with the first places. */
export class GroupedNotes {
  readonly #places = new Map<string, string[]>();
  readonly #counts = new Map<string, number>();

  add(fault: string, place: string): void {
    const places = this.#places.get(fault) ?? [];
    this.#counts.set(fault, (this.#counts.get(fault) ?? 0) + 1);
    if (places.length < 2 && !places.includes(place)) this.#places.set(fault, [...places, place]);
  }

  /** Returns lines such as `GET /a, GET /b and 3 more: the optional body of a GET request is dropped`. */
  lines(): readonly string[] {
    const lines = [...this.#places].slice(0, maxFaults).map(([fault, places]) => {
      const more = (this.#counts.get(fault) ?? 0) - places.length;
      return `${places.join(', ')}${more > 0 ? ` and ${more} more` : ''}: ${fault}`;
    });
    const rest = this.#places.size - lines.length;
    return rest > 0 ? [...lines, `${rest} more faults of operations`] : lines;
  }
}
