import type { Server } from '@modelcontextprotocol/sdk/server/index.js';
import type { RequestHandlerExtra } from '@modelcontextprotocol/sdk/shared/protocol.js';
import {
  CompleteRequestSchema,
  ErrorCode,
  GetPromptRequestSchema,
  type JSONRPCRequest,
  ListPromptsRequestSchema,
  ListResourcesRequestSchema,
  ListResourceTemplatesRequestSchema,
  ReadResourceRequestSchema,
  type ServerNotification,
  type ServerRequest,
  SetLevelRequestSchema,
  SubscribeRequestSchema,
  UnsubscribeRequestSchema,
} from '@modelcontextprotocol/sdk/types.js';
import type { Exchange } from '../exchange.ts';
import type { RoutedMethod, RoutedParams, Router } from '../handlers/router.ts';
import { malformedRequest, ProtocolError } from '../protocol-error.ts';

export type Extra = RequestHandlerExtra<ServerRequest, ServerNotification>;

/** A schema of the library, as far as it is used here. */
interface RequestSchema {
  safeParse(
    request: unknown,
  ):
    | { success: true; data: { readonly params?: unknown } }
    | { success: false; error: { issues: readonly { readonly path: readonly PropertyKey[]; readonly message: string }[] } };
}

const schemas: Readonly<Record<RoutedMethod, RequestSchema>> = {
  'resources/list': ListResourcesRequestSchema,
  'resources/templates/list': ListResourceTemplatesRequestSchema,
  'resources/read': ReadResourceRequestSchema,
  'resources/subscribe': SubscribeRequestSchema,
  'resources/unsubscribe': UnsubscribeRequestSchema,
  'prompts/list': ListPromptsRequestSchema,
  'prompts/get': GetPromptRequestSchema,
  'completion/complete': CompleteRequestSchema,
  'logging/setLevel': SetLevelRequestSchema,
};

/** Methods whose requests this library answers, beside those of `answers.ts`. */
export const routedMethods = Object.keys(schemas) as readonly RoutedMethod[];

type Handler = (request: JSONRPCRequest, extra: Extra) => Promise<object>;

/**
 * The handlers of a connection by method. They are not handlers of the library's own, which answers a malformed request with an internal
 * error, and checks request and result of a call once more, which costs more than a small call.
 */
export class SdkRouter implements Router {
  readonly #handlers = new Map<string, Handler>();
  readonly #begin: () => () => void;
  readonly #exchangeOf: (extra: Extra) => Exchange;

  /** `begin` counts a request until what it returns is called. It throws where too many run. */
  constructor(server: Server, begin: () => () => void, exchangeOf: (extra: Extra) => Exchange) {
    this.#begin = begin;
    this.#exchangeOf = exchangeOf;
    server.fallbackRequestHandler = async (request, extra) => this.#handle(request, extra as Extra) as Promise<Record<string, unknown>>;
  }

  /** A request that does not fit the schema of its method is answered with -32602. */
  on<Method extends RoutedMethod>(
    method: Method,
    handle: (params: RoutedParams[Method], exchange: Exchange) => object | Promise<object>,
  ): void {
    this.#handlers.set(method, async (request, extra) => {
      const end = this.#begin();
      try {
        return await handle(paramsOf(method, request), this.#exchangeOf(extra));
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

function paramsOf<Method extends RoutedMethod>(method: Method, request: JSONRPCRequest): RoutedParams[Method] {
  const parsed = schemas[method].safeParse(request);
  if (parsed.success) return (parsed.data.params ?? {}) as RoutedParams[Method];
  throw malformedRequest(method, parsed.error.issues);
}
