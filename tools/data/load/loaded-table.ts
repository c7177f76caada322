/** Table loaded from a file. */
export interface LoadedTable {
  /** Quoted name for SQL: `"orders"`, or `"shop"."orders"` for one of several in a file. */
  readonly sqlName: string;
  /** Name for people, without needless quotes. */
  readonly name: string;
  readonly path: string;
}
