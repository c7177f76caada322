/** Times of a sender, in milliseconds. */
export interface WebhookTiming {
  /** Time limit of one attempt. */
  readonly timeoutMs: number;
  /** Delay of the first retry. It doubles with each further one. */
  readonly firstRetryMs: number;
  readonly maxRetryMs: number;
  /** Time between two looks into the outbox, for changes whose report was lost and for entries of dead processes. */
  readonly pollIntervalMs: number;
  /** Time for which a process without an HTTP server leaves a message to one that has an address for the answer. */
  readonly deferMs: number;
}

export const webhookTiming: WebhookTiming = {
  timeoutMs: 10_000,
  firstRetryMs: 1000,
  maxRetryMs: 300_000,
  pollIntervalMs: 5000,
  deferMs: 2000,
};

/**
 * Returns the delay before the next attempt: exponential with random jitter, so that retries of many entries spread. At least the time that the
 * receiver asked for (Retry-After), at most an hour. `attempts`: number of failed ones.
 */
export function retryDelayMs({ firstRetryMs, maxRetryMs }: WebhookTiming, attempts: number, retryAfterMs = 0): number {
  const delay = Math.min(maxRetryMs, firstRetryMs * 2 ** Math.min(attempts - 1, 30));
  return Math.ceil(Math.max(delay * (0.75 + Math.random() / 4), Math.min(retryAfterMs, 3_600_000)));
}
