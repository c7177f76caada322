import {
  type JSONRPCMessage,
  type JSONRPCRequest,
  PerRequestHTTPServerTransport,
  Server,
  specTypeSchemas,
  type TransportSendOptions,
} from '@modelcontextprotocol/server';
import { messageOf } from '../../../../kernel/index.ts';
import type { Request } from '../../../shared/json-rpc/message.ts';
import type { Connection } from '../clients/connection.ts';
import { modernVersions } from '../clients/envelope.ts';
import type { Exchange } from '../clients/exchange.ts';
import type { RoutedMethod, RoutedParams, Router } from '../handlers/router.ts';
import { handleCompletion } from '../methods/completion.ts';
import { counted, describeServer } from '../methods/lifecycle.ts';
import { handlePrompts } from '../methods/prompts.ts';
import { handleResources } from '../methods/resources.ts';
import { callTool, listTools } from '../methods/tools.ts';
import { malformedRequest, ProtocolError } from '../protocol-error.ts';
import { listCaching } from './modern-answers.ts';

/** Schemas by method. The library itself answers a malformed request with an internal error. */
const schemas: ReadonlyMap<string, RequestSchema> = new Map([
  ['tools/list', specTypeSchemas.PaginatedRequestParams as RequestSchema],
  ['tools/call', specTypeSchemas.CallToolRequestParams as RequestSchema],
  ['resources/list', specTypeSchemas.PaginatedRequestParams as RequestSchema],
  ['resources/templates/list', specTypeSchemas.PaginatedRequestParams as RequestSchema],
  ['resources/read', specTypeSchemas.ReadResourceRequestParams as RequestSchema],
  ['prompts/list', specTypeSchemas.PaginatedRequestParams as RequestSchema],
  ['prompts/get', specTypeSchemas.GetPromptRequestParams as RequestSchema],
  ['completion/complete', specTypeSchemas.CompleteRequestParams as RequestSchema],
]);

/** The part of a library schema that is used here. */
interface RequestSchema {
  readonly '~standard': { validate(params: unknown): { readonly issues?: Parameters<typeof malformedRequest>[1] } };
}

/** Runs a request through the official library, with handlers of ours. Rejects with ProtocolError. */
export async function answerByLibrary(connection: Connection, request: Request, exchange: Exchange): Promise<object> {
  const issues = schemas.get(request.method)?.['~standard'].validate(request.params ?? {}).issues ?? [];
  if (issues.length > 0) throw malformedRequest(request.method, issues);
  const { serverInfo, ...facts } = describeServer(connection.version);
  const server = new Server(serverInfo, { ...facts, supportedProtocolVersions: [...modernVersions] });
  const router = new LibraryRouter(server, connection, exchange);
  handleResources(connection, router);
  handlePrompts(connection, router);
  handleCompletion(connection, router);
  server.setRequestHandler(
    'tools/list',
    async ({ params = {} }) =>
      ({
        ...(await counted(listTools)(connection, params, exchange)),
        ...listCaching(connection),
      }) as never,
  );
  server.setRequestHandler('tools/call', async () => (await callTool(connection, request.params ?? {}, exchange)) as never);
  server.onerror = (error) => connection.catalog.kernel.logger.debug('MCP', { error: messageOf(error) });
  const transport = new RequestTransport();
  await server.connect(transport);
  try {
    return await transport.answer(request);
  } finally {
    await server.close();
  }
}

/** Cache rules of lists and resource contents. The contents may change at any time. */
const caching: Partial<Readonly<Record<RoutedMethod, (connection: Connection) => object>>> = {
  'resources/list': listCaching,
  'resources/templates/list': listCaching,
  'prompts/list': listCaching,
  'resources/read': () => ({ ttlMs: 0, cacheScope: 'private' }),
};

class LibraryRouter implements Router {
  readonly #server: Server;
  readonly #connection: Connection;
  readonly #exchange: Exchange;

  constructor(server: Server, connection: Connection, exchange: Exchange) {
    this.#server = server;
    this.#connection = connection;
    this.#exchange = exchange;
  }

  /** Registers a handler. A request that does not match the schema of its method gets -32602. */
  on<Method extends RoutedMethod>(
    method: Method,
    handle: (params: RoutedParams[Method], exchange: Exchange) => object | Promise<object>,
  ): void {
    const answer = counted(async (connection, params) => {
      const result = await handle(params as RoutedParams[Method], this.#exchange);
      return { ...result, ...caching[method]?.(connection) };
    });
    this.#server.setRequestHandler(
      method as 'resources/read',
      async ({ params = {} }) => (await answer(this.#connection, params, this.#exchange)) as never,
    );
  }
}

const classification = { era: 'modern', revision: modernVersions[0] as string } as const;

/** Passes one request to the library and takes its response. The library reads the protocol version from the transport's class. */
class RequestTransport extends PerRequestHTTPServerTransport {
  #resolve: (result: object) => void = () => {};
  #reject: (error: ProtocolError) => void = () => {};

  constructor() {
    super({ classification });
  }

  /** Sends the request without members unknown to JSON-RPC: the library silently drops a request that has any. */
  answer({ id, method, params }: Request): Promise<object> {
    const request = { jsonrpc: '2.0', id, method, ...(params === undefined ? {} : { params }) };
    return new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
      this.onmessage?.(request as JSONRPCRequest, { classification });
    });
  }

  /** Takes the response. Other messages go directly to the client. */
  override async send(message: JSONRPCMessage, _options?: TransportSendOptions): Promise<void> {
    if ('result' in message) this.#resolve(message.result);
    if ('error' in message) this.#reject(new ProtocolError(message.error.code, message.error.message, message.error.data));
  }

  override async close(): Promise<void> {
    this.onclose?.();
  }
}
