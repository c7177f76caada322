import type { Field, TextRow } from './wire.ts';

/** Maximum size of the rows of a result, in UTF-16 code units of names and values, which is about their size as JSON. */
export const maxResultCharacters = 1_000_000;

/** Keeps rows until a limit is reached, and remembers which one. */
export class RowBuffer {
  readonly rows: TextRow[] = [];
  readonly #maxRows: number;
  #characters = 0;
  #nameCharacters = 0;
  #cutBy: 'rows' | 'size' | undefined;
  #seen = 0;

  constructor(maxRows: number) {
    this.#maxRows = maxRows;
  }

  /** Counts the column names, which the JSON repeats in every row. */
  measure(fields: readonly Field[]): void {
    this.#nameCharacters = fields.reduce((sum, { name }) => sum + name.length + '"":,'.length, '{},'.length);
  }

  get cutBy(): 'rows' | 'size' | undefined {
    return this.#cutBy;
  }

  /** Number of rows received, kept or not. */
  get seen(): number {
    return this.#seen;
  }

  /** Estimated number of rows that still fit, plus one that shows whether there are more. */
  get expectedRows(): number {
    const average = Math.max(1, this.#characters / Math.max(1, this.rows.length));
    return Math.min(this.#maxRows - this.rows.length, Math.ceil((maxResultCharacters - this.#characters) / average)) + 1;
  }

  add(row: TextRow): void {
    this.#seen++;
    if (this.#cutBy !== undefined) return;
    const size = row.reduce((sum, value) => sum + (value?.length ?? 'null'.length), this.#nameCharacters);
    if (this.rows.length >= this.#maxRows) this.#cutBy = 'rows';
    else if (this.#characters + size > maxResultCharacters) this.#cutBy = 'size';
    else {
      this.rows.push(row);
      this.#characters += size;
    }
  }
}
