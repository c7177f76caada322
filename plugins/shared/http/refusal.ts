/** Response to a refused HTTP request. */
export interface RequestRefusal {
  readonly status: number;
  readonly message: string;
  /** Reason for the log and the trail, where the status is not enough. */
  readonly reason?: 'host' | 'origin' | 'scope' | 'type' | 'encoding';
  readonly headers?: Readonly<Record<string, string>>;
}

/** Refusal of new work while the server stops. */
export const stopping: RequestRefusal = { status: 503, message: 'The server is stopping.', headers: { 'retry-after': '30' } };
