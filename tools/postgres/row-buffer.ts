import type { Field, TextRow } from './wire.ts';

/** The rows of one result at most, in UTF-16 units of names and values, which is about what they take as JSON. */
export const maxResultCharacters = 1_000_000;

/** Keeps rows until a limit is reached, and says which. */
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

  /** The names are written once for every row. */
  measure(fields: readonly Field[]): void {
    this.#nameCharacters = fields.reduce((sum, { name }) => sum + name.length + '"":,'.length, '{},'.length);
  }

  get cutBy(): 'rows' | 'size' | undefined {
    return this.#cutBy;
  }

  /** How many rows came, kept or not. */
  get seen(): number {
    return this.#seen;
  }

  /** How many more rows are worth asking for, as far as the rows so far tell; one more than fit, to see that there are more. */
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
