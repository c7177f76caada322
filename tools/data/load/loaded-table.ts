/** A table that a file became. */
export interface LoadedTable {
  /** As SQL writes it: `"orders"`, or `"shop"."orders"` for one of several in a file. */
  readonly sqlName: string;
  /** As a person writes it, where no quotes are needed. */
  readonly name: string;
  readonly path: string;
}
