import type { IncomingMessage, ServerResponse } from 'node:http';
import type { RequestId } from '../../../shared/json-rpc/message.ts';

/** Response to a refused request. */
export interface HttpRefusal {
  readonly status: number;
  readonly message: string;
  /** Reason for the log and the trail, where the status is not enough. */
  readonly reason?: 'host' | 'origin' | 'scope';
  readonly headers?: Readonly<Record<string, string>>;
  /** JSON-RPC error code. @default -32000 */
  readonly code?: number;
  /** Id of the request, where it was read. @default null */
  readonly id?: RequestId | null;
  /** The ids of all requests of a batch: each gets the error. */
  readonly ids?: readonly RequestId[];
  readonly data?: unknown;
}

/** Answers the request with a JSON-RPC error. */
export function sendRefusal(
  request: IncomingMessage,
  response: ServerResponse,
  { status, message, headers = {}, code = -32000, id = null, ids = [], data }: HttpRefusal,
): void {
  const error = { code, message, data };
  const [first = id, ...more] = ids;
  const answer = more.length === 0 ? { jsonrpc: '2.0', id: first, error } : ids.map((each) => ({ jsonrpc: '2.0', id: each, error }));
  const body = JSON.stringify(answer);
  response.writeHead(status, { 'content-type': 'application/json', vary: 'Origin', ...headers }).end(body);
  // Reads and drops the rest of the body, so that the connection can be used again.
  request.resume();
}
