import type { CallClient } from '../../../kernel/index.ts';

/** A request of this program to a server, during which the server may ask something. */
export interface Asker {
  readonly caller: string;
  readonly client: CallClient;
  readonly signal: AbortSignal;
  /** Ends the request with an error: the caller has to answer in another request. */
  fail(error: unknown): void;
}
