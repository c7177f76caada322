import { type FamilyRow, maxSeries, otherLabel } from './family.ts';

/** The rows of a family that is read whole: those beyond the limit are added up as `_OTHER`. */
export class BoundedRows {
  readonly #max: number;
  /** Keys of the rows that were shown last: a row that is shown stays so for as long as it is there. */
  #shown: ReadonlySet<string> = new Set();
  /** Number of rows that were added up because there was no room, in all reads. */
  dropped = 0;

  constructor(max: number = maxSeries) {
    this.#max = max;
  }

  /** Returns the rows to show. Rows with equal labels are added up. */
  limit(rows: readonly FamilyRow[]): readonly FamilyRow[] {
    const merged = new Map<string, FamilyRow>();
    for (const row of rows) addTo(merged, row);
    if (merged.size > this.#max) this.#fold(merged);
    this.#shown = new Set(merged.keys());
    return [...merged.values()];
  }

  #fold(merged: Map<string, FamilyRow>): void {
    const width = [...merged.values()][0]?.labels.length ?? 0;
    const other = Array.from({ length: width }, () => otherLabel);
    const otherKey = keyOf(other);
    const keys = [...merged.keys()].filter((key) => key !== otherKey);
    const known = keys.filter((key) => this.#shown.has(key));
    const unknown = keys.filter((key) => !this.#shown.has(key));
    for (const key of [...known, ...unknown].slice(this.#max - 1)) {
      const row = merged.get(key) as FamilyRow;
      merged.delete(key);
      addTo(merged, { labels: other, value: row.value });
      this.dropped++;
    }
  }
}

function addTo(merged: Map<string, FamilyRow>, { labels, value }: FamilyRow): void {
  const key = keyOf(labels);
  merged.set(key, { labels, value: (merged.get(key)?.value ?? 0) + value });
}

function keyOf(labels: readonly string[]): string {
  return labels.join('\0');
}
