export interface QueryResult {
  readonly result: unknown;
  /** Values found. */
  readonly matches: number;
}
