import { modernVersion, saysModern } from './modern-client.ts';
import { dispatch, EventStream, type Message, messagesOf, type Outgoing, send } from './wire.ts';

type Params = Readonly<Record<string, unknown>>;

export interface ModernRequest {
  readonly method: string;
  readonly params?: Params;
  /** @default 1 */
  readonly id?: unknown;
  /** Over those that say what the body says; undefined leaves one out. */
  readonly headers?: Outgoing['headers'];
  /** Over what the client says of itself. */
  readonly meta?: Params;
}

/** Returns the parameter that the header Mcp-Name repeats. */
function nameOf({ name, uri, taskId }: Params): string | undefined {
  return [name, uri, taskId].find((value) => typeof value === 'string') as string | undefined;
}

/** A request of 2026-07-28 with the headers that belong to it. */
export function modernRequest({ method, params = {}, id = 1, headers = {}, meta }: ModernRequest): Outgoing {
  const name = nameOf(params);
  return {
    headers: {
      'mcp-protocol-version': modernVersion,
      'mcp-method': method,
      ...(name === undefined ? {} : { 'mcp-name': name }),
      ...headers,
    },
    body: JSON.stringify({ jsonrpc: '2.0', id, method, params: { ...params, _meta: saysModern({}, meta) } }),
  };
}

/** The answer to such a request, whether it is JSON or the end of a stream. */
export async function askModern(port: number, request: ModernRequest): Promise<Message> {
  const answer = messagesOf(await send(port, modernRequest(request))).at(-1);
  if (answer === undefined) throw new Error(`${request.method} was not answered`);
  return answer;
}

/** Such a request whose answer is a stream, once that has begun. */
export async function streamModern(port: number, request: ModernRequest): Promise<EventStream> {
  return new EventStream(await dispatch(port, modernRequest(request)));
}
