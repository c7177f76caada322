import type { Tool } from '../../../kernel/index.ts';
import type { Connection } from '../connection.ts';
import type { Upstream } from '../upstream.ts';
import { requestError } from './request-error.ts';

interface Request<Result> {
  /** The tool that is called; undefined for another request. */
  readonly tool?: Tool;
  readonly signal: AbortSignal;
  /** The questions during the request. `failure`: the error with which one ended it. */
  readonly asking: { readonly failure: unknown };
  connect(): Promise<Connection>;
  send(connection: Connection): Promise<Result>;
}

/** Sends a request to a server. One that the server did not take is sent once more, on a new connection. */
export async function onConnection<Result>(upstream: Upstream, request: Request<Result>): Promise<Result> {
  const { tool, signal, asking, connect, send } = request;
  for (let attempt = 0; ; attempt++) {
    const connection = await connect();
    try {
      return await send(connection);
    } catch (error) {
      if (asking.failure !== undefined) throw asking.failure;
      signal.throwIfAborted();
      const known = requestError(error, upstream.settings.name, tool, connection);
      if (known.isNotTaken) upstream.retire(connection);
      if (!known.isNotTaken || attempt > 0) throw known.error;
    }
  }
}
