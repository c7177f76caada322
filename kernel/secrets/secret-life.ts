/** Times for which a value may be used, in milliseconds from now. */
export interface SecretLife {
  /** From then on another is asked for beside the calls, which go on with this one. @default for ever */
  readonly staleAfterMs?: number;
  /**
   * From then on the value is worthless, such as an access token that expires: no request is sent with it, and calls wait for another one. Take off what
   * a request takes on its way, and the difference of clocks. @default never
   */
  readonly deadAfterMs?: number;
}

/** A number alone is `staleAfterMs`. */
export function lifeOf(given: number | SecretLife | undefined): Required<SecretLife> {
  const { staleAfterMs, deadAfterMs = Number.POSITIVE_INFINITY } = typeof given === 'object' ? given : { staleAfterMs: given };
  // What is dead is stale as well.
  return { staleAfterMs: Math.min(staleAfterMs ?? Number.POSITIVE_INFINITY, deadAfterMs), deadAfterMs };
}
