import { Failure } from './failure.ts';

/** Thrown when a connection from the pool was dead before the call used it: the server or the network had closed it. Nothing has run. */
export class StaleConnection extends Failure {
  constructor({ code, message, details }: Failure) {
    super(code, message, details);
  }
}

/** Repeats the attempt after a stale connection, at most `limit` times. */
export async function retryStale<T>(limit: number, attempt: () => Promise<T>): Promise<T> {
  for (let attemptsLeft = limit; ; attemptsLeft--) {
    try {
      return await attempt();
    } catch (error) {
      if (!(error instanceof StaleConnection) || attemptsLeft === 0) throw error;
    }
  }
}
