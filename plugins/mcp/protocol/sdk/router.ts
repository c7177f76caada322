import type { Server } from '@modelcontextprotocol/sdk/server/index.js';
import type { RequestHandlerExtra } from '@modelcontextprotocol/sdk/shared/protocol.js';
import { ErrorCode, type JSONRPCRequest, type ServerNotification, type ServerRequest } from '@modelcontextprotocol/sdk/types.js';
import { excerpt } from '../../../../kernel/index.ts';
import { ProtocolError } from '../protocol-error.ts';

export type Extra = RequestHandlerExtra<ServerRequest, ServerNotification>;

/** A schema of the library, as far as it is used here. */
interface RequestSchema<T> {
  safeParse(
    request: unknown,
  ):
    | { success: true; data: T }
    | { success: false; error: { issues: readonly { readonly path: readonly PropertyKey[]; readonly message: string }[] } };
}

/** Findings that are told of a request. */
const maxTold = 20;

type Handler = (request: JSONRPCRequest, extra: Extra) => Promise<object>;

/**
 * The handlers of a connection by method. They are not handlers of the library's own, which answers a malformed request with an internal
 * error, and checks request and result of a call once more, which costs more than a small call.
 */
export class Router {
  readonly #handlers = new Map<string, Handler>();
  readonly #begin: () => () => void;

  /** `begin` counts a request until what it returns is called. It throws where too many run. */
  constructor(server: Server, begin: () => () => void) {
    this.#begin = begin;
    server.fallbackRequestHandler = async (request, extra) => this.#handle(request, extra as Extra) as Promise<Record<string, unknown>>;
  }

  /** Throws -32602 for a request that does not fit the schema. */
  on<T>(method: string, schema: RequestSchema<T>, handle: (request: T, extra: Extra) => object | Promise<object>): void {
    this.#handlers.set(method, async (request, extra) => {
      const end = this.#begin();
      try {
        return await handle(parse(method, schema, request), extra);
      } finally {
        end();
      }
    });
  }

  /** For a handler that checks and counts its requests itself. */
  onRaw(method: string, handle: Handler): void {
    this.#handlers.set(method, handle);
  }

  #handle(request: JSONRPCRequest, extra: Extra): Promise<object> {
    const handler = this.#handlers.get(request.method);
    if (handler !== undefined) return handler(request, extra);
    throw new ProtocolError(ErrorCode.MethodNotFound, `There is no method "${request.method.slice(0, 100)}".`);
  }
}

function parse<T>(method: string, schema: RequestSchema<T>, request: JSONRPCRequest): T {
  const parsed = schema.safeParse(request);
  if (parsed.success) return parsed.data;
  const shown = parsed.error.issues
    .slice(0, maxTold)
    .map(({ path, message }) => `${path.map(String).join('.')}: ${message}`)
    .join('; ');
  throw new ProtocolError(ErrorCode.InvalidParams, `The request ${method} is wrong: ${excerpt(shown, 500)}`);
}
