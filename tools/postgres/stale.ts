import { Failure } from './failure.ts';

/** A connection from the pool was dead before the call could use it: the server or the network had closed it. Nothing has run. */
export class StaleConnection extends Failure {
  constructor({ code, message, details }: Failure) {
    super(code, message, details);
  }
}

/** Tries again for each connection that is stale; `limit` is how many there may be. */
export async function pastStale<T>(limit: number, attempt: () => Promise<T>): Promise<T> {
  for (let left = limit; ; left--) {
    try {
      return await attempt();
    } catch (error) {
      if (!(error instanceof StaleConnection) || left === 0) throw error;
    }
  }
}
