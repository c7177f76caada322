/** The clocks of a place. Moments are in epoch ms. */
export interface Clocks {
  /** Minutes ahead of UTC. */
  offset(at: number): number;
  /** The first change of the offset after a moment; Infinity when there is none. */
  nextChange(at: number): number;
}
