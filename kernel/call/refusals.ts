/** A refusal of a host before anything was a call, such as of a request without a token. */
export interface Refusal {
  /** A word for the reason: `token`, `scope`, `host`, `origin`, `size`, `rate`, `unavailable`, `connections`, `type`, `encoding`, `answer`. */
  readonly reason: string;
  /** The HTTP status that it was answered with; undefined where the connection was closed. */
  readonly status?: number;
  /** The IP address that it came from, which may be that of a proxy. Empty where the host does not know it. */
  readonly address: string;
  /** The caller, where it had a valid token. */
  readonly caller?: string;
  /** The number of this reason and address since the report before. */
  readonly count: number;
}

export type RefusalListener = (refusal: Refusal) => void;
