import type { IncomingMessage, ServerResponse } from 'node:http';
import type { RequestId } from '../../protocol/messages.ts';

/** Why a request is not served, as it is answered. */
export interface HttpRefusal {
  readonly status: number;
  readonly message: string;
  /** A word for the log and the trail, where the status does not tell. */
  readonly reason?: 'host' | 'origin' | 'scope';
  readonly headers?: Readonly<Record<string, string>>;
  /** JSON-RPC error code. @default -32000 */
  readonly code?: number;
  /** Of the request, where it was read. @default null */
  readonly id?: RequestId | null;
  readonly data?: unknown;
}

/** Answers the request with a JSON-RPC error. */
export function sendRefusal(
  request: IncomingMessage,
  response: ServerResponse,
  { status, message, headers = {}, code = -32000, id = null, data }: HttpRefusal,
): void {
  const body = JSON.stringify({ jsonrpc: '2.0', id, error: { code, message, data } });
  response.writeHead(status, { 'content-type': 'application/json', vary: 'Origin', ...headers }).end(body);
  // The rest of the body is read and dropped, so that the connection can be used again.
  request.resume();
}
