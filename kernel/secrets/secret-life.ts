/** Times for which a value may be used, in milliseconds from now. */
export interface SecretLife {
  /** Time after which a new value is looked up in the background. Calls go on with this one. @default never */
  readonly staleAfterMs?: number;
  /**
   * Time after which the value has expired, such as an access token. No request is sent with it; calls wait for a new value. Subtract the duration
   * of a request and the difference of clocks. @default never
   */
  readonly deadAfterMs?: number;
}

/** Returns both times. A number alone is `staleAfterMs`. */
export function lifeOf(given: number | SecretLife | undefined): Required<SecretLife> {
  const { staleAfterMs, deadAfterMs = Number.POSITIVE_INFINITY } = typeof given === 'object' ? given : { staleAfterMs: given };
  // An expired value is stale too.
  return { staleAfterMs: Math.min(staleAfterMs ?? Number.POSITIVE_INFINITY, deadAfterMs), deadAfterMs };
}
