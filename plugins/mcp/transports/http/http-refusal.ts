import type { IncomingMessage, ServerResponse } from 'node:http';

/** Why a request is not served, as it is answered. */
export interface HttpRefusal {
  readonly status: number;
  readonly message: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** JSON-RPC error code. @default -32000 */
  readonly code?: number;
  /** Of the JSON-RPC request, where it was read. @default null */
  readonly id?: unknown;
}

/** Answers the request with a JSON-RPC error. */
export function sendRefusal(
  request: IncomingMessage,
  response: ServerResponse,
  { status, message, headers = {}, code = -32000, id = null }: HttpRefusal,
): void {
  const body = JSON.stringify({ jsonrpc: '2.0', id, error: { code, message } });
  response.writeHead(status, { 'content-type': 'application/json', vary: 'Origin', ...headers }).end(body);
  // The rest of the body is read and dropped, so that the connection can be used again.
  request.resume();
}
