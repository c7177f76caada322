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
import type { Exchange } from '../clients/exchange.ts';
import type { RoutedMethod, RoutedParams, Router } from '../handlers/router.ts';
import { malformedRequest, ProtocolError } from '../protocol-error.ts';

export type Extra = RequestHandlerExtra<ServerRequest, ServerNotification>;

/** The part of a library schema that is used here. */
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

/** Methods that this library handles, in addition to those of `answers.ts`. */
export const routedMethods = Object.keys(schemas) as readonly RoutedMethod[];

type Handler = (request: JSONRPCRequest, extra: Extra) => Promise<object>;

/**
 * Handlers of a connection by method. They bypass the library's own handlers: those answer a malformed request with an internal
 * error, and check each call's request and result a second time, which costs more than a small call.
 */
export class SdkRouter implements Router {
  readonly #handlers = new Map<string, Handler>();
  readonly #begin: () => () => void;
  readonly #exchangeOf: (extra: Extra) => Exchange;

  /** `begin` counts a request and returns the function that ends this. It throws when too many run. */
  constructor(server: Server, begin: () => () => void, exchangeOf: (extra: Extra) => Exchange) {
    this.#begin = begin;
    this.#exchangeOf = exchangeOf;
    server.fallbackRequestHandler = async (request, extra) => this.#handle(request, extra as Extra) as Promise<Record<string, unknown>>;
  }

  /** Registers a handler. A request that does not match the schema of its method gets -32602. */
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

  /** Registers a handler that checks and counts its requests itself. */
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
