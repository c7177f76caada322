/** A file of `ways/` exports its ways, each by itself or in a list. */

/** One way on which an integer passes through the service: an argument of a call, a member of an answer, a cursor, a claim of a token. */
export interface Way {
  /** Completes "an integer keeps its digits …": `as an argument over MCP stdio`. */
  readonly name: string;
  /** True for an integer that the way may refuse, in words that name the reason. @default none */
  readonly refuses?: (digits: string) => boolean;
  /** Starts what the way needs (servers, processes); `carry` sends one integer and returns it as it arrived, `stop` ends all of it. */
  start(): Promise<RunningWay>;
}

export interface RunningWay {
  /**
   * Sends the integer that `digits` writes (as a JSON number, with a minus where it is negative) and returns the digits at the other end,
   * whether they stand there as a number or as a text. Throws where the way refuses the integer in words.
   */
  carry(digits: string): Promise<string>;
  stop(): Promise<void>;
}
