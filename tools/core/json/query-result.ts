export interface QueryResult {
  readonly result: unknown;
  /** Number of matches. */
  readonly matches: number;
}
