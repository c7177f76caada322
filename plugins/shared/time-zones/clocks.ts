/** Local clocks of a zone. Times are in epoch ms. */
export interface Clocks {
  /** Returns the minutes ahead of UTC. */
  offset(at: number): number;
  /** Returns the first change of the offset after a time; Infinity when there is none. */
  nextChange(at: number): number;
}
