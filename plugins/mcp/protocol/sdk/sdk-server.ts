import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import type { Transport, TransportSendOptions } from '@modelcontextprotocol/sdk/shared/transport.js';
import {
  CancelledNotificationSchema,
  CreateMessageResultSchema,
  ElicitResultSchema,
  JSONRPCRequestSchema,
  ListRootsResultSchema,
  type LoggingLevel,
  type MessageExtraInfo,
  type RequestId,
  type ServerRequest,
} from '@modelcontextprotocol/sdk/types.js';
import { checkValue, messageOf } from '../../../../kernel/index.ts';
import { isRequest, type Message, type Request } from '../../../shared/json-rpc/message.ts';
import type { RequestsInFlight } from '../../../shared/json-rpc/requests-in-flight.ts';
import type { Wire } from '../../../shared/json-rpc/wire.ts';
import type { Connection } from '../clients/connection.ts';
import type { Exchange, Question } from '../clients/exchange.ts';
import { handleCompletion } from '../methods/completion.ts';
import { answers, countRequest, describeServer } from '../methods/lifecycle.ts';
import { handlePrompts } from '../methods/prompts.ts';
import { handleResources, handleSubscriptions } from '../methods/resources.ts';
import { errorMember, malformedRequest } from '../protocol-error.ts';
import { type Extra, SdkRouter } from './router.ts';

/** Longest timer that Node supports, in milliseconds. The call's own time limit ends the wait for a person or a model. */
const maxTimerMs = 2 ** 31 - 1;

/** Request id under which the library receives an `initialize` that was answered before the library was loaded. */
const initializeId = 'toolkit-opening';

export interface SdkServerOptions {
  readonly wire: Wire;
  readonly inFlight: RequestsInFlight;
}

/** The library's part of a connection. Handles the remaining requests, and sends questions to the client. */
export class SdkServer {
  readonly #server: Server;
  readonly #transport: ConnectionTransport;
  readonly #inFlight: RequestsInFlight;

  /** `initializeRequest`: the client's `initialize`, if it has been answered already. */
  static async start(
    connection: Connection,
    { wire, inFlight }: SdkServerOptions,
    initializeRequest: Request | undefined,
  ): Promise<SdkServer> {
    const started = new SdkServer(connection, new ConnectionTransport(wire), inFlight);
    await started.#server.connect(started.#transport as unknown as Transport);
    if (initializeRequest !== undefined) started.receive({ ...initializeRequest, id: initializeId });
    return started;
  }

  private constructor(connection: Connection, transport: ConnectionTransport, inFlight: RequestsInFlight) {
    const { serverInfo, ...facts } = describeServer(connection.version);
    this.#transport = transport;
    this.#inFlight = inFlight;
    this.#server = new Server(serverInfo, { ...facts, jsonSchemaValidator });
    this.#server.removeRequestHandler('logging/setLevel');
    const { kernel } = connection.catalog;
    const exchangeOf = (extra: Extra): Exchange => new LibraryExchange(this, extra);
    const router = new SdkRouter(this.#server, () => countRequest(connection), exchangeOf);
    for (const [method, answer] of answers)
      router.onRaw(method, async ({ params = {} }, extra) => answer(connection, params, exchangeOf(extra)));
    router.on('logging/setLevel', ({ level }) => {
      connection.logLevel = level as LoggingLevel;
      return {};
    });
    handleResources(connection, router);
    const endSubscriptions = handleSubscriptions(
      connection,
      router,
      (uri) => void this.#server.sendResourceUpdated({ uri }).catch(() => {}),
    );
    handlePrompts(connection, router);
    handleCompletion(connection, router);
    cancelAnyId(this.#server);
    this.#server.onerror = (error) => kernel.logger.debug('MCP', { error: messageOf(error) });
    this.#server.onclose = endSubscriptions;
  }

  receive(message: Message, scopes?: readonly string[]): void {
    const known = isRequest(message) ? this.#knownRequest(message) : message;
    if (known === undefined) return;
    // The library passes this on without reading it.
    const extra = scopes === undefined ? undefined : { authInfo: { token: '', clientId: '', scopes: [...scopes] } };
    this.#transport.onmessage?.(known, extra);
  }

  /** Returns the request without members unknown to JSON-RPC. Answers a request that the library would silently drop. */
  #knownRequest({ id, method, params }: Request): Request | undefined {
    const parsed = JSONRPCRequestSchema.safeParse({ jsonrpc: '2.0', id, method, ...(params === undefined ? {} : { params }) });
    if (parsed.success) return parsed.data;
    const error = errorMember(malformedRequest(method.slice(0, 100), parsed.error.issues));
    void this.#transport.send({ jsonrpc: '2.0', id, error });
    return undefined;
  }

  /** Sends the client a question on the stream of a request. */
  async ask({ method, params }: Question, relatedRequestId: RequestId, signal: AbortSignal): Promise<Readonly<Record<string, unknown>>> {
    const request = { method, params } as unknown as ServerRequest;
    return this.#inFlight.question(
      (own) => this.#server.request(request, resultSchemas[method], { signal: own, timeout: maxTimerMs, relatedRequestId }),
      signal,
    );
  }

  close(): Promise<void> {
    return this.#server.close();
  }
}

const resultSchemas = {
  'elicitation/create': ElicitResultSchema,
  'sampling/createMessage': CreateMessageResultSchema,
  'roots/list': ListRootsResultSchema,
};

/** Connects the library with the wire of a connection. */
class ConnectionTransport {
  onmessage?: (message: Message, extra?: MessageExtraInfo) => void;
  onclose?: () => void;
  readonly #wire: Wire;

  constructor(wire: Wire) {
    this.#wire = wire;
  }

  async start(): Promise<void> {}

  async send(message: Message, { relatedRequestId }: TransportSendOptions = {}): Promise<void> {
    const answered = 'method' in message ? undefined : message.id;
    if (answered !== initializeId) this.#wire.send(message, relatedRequestId ?? answered);
  }

  async close(): Promise<void> {
    this.onclose?.();
  }
}

/** A request that the library handles. */
class LibraryExchange implements Exchange {
  readonly #server: SdkServer;
  readonly #extra: Extra;

  constructor(server: SdkServer, extra: Extra) {
    this.#server = server;
    this.#extra = extra;
  }

  get id(): RequestId {
    return this.#extra.requestId;
  }

  get signal(): AbortSignal {
    return this.#extra.signal;
  }

  get scopes(): readonly string[] | undefined {
    return this.#extra.authInfo?.scopes;
  }

  notify(notification: Parameters<Exchange['notify']>[0]): void {
    void this.#extra.sendNotification(notification as Parameters<Extra['sendNotification']>[0]).catch(() => {});
  }

  ask(question: Question, signal: AbortSignal): Promise<Readonly<Record<string, unknown>>> {
    return this.#server.ask(question, this.#extra.requestId, signal);
  }
}

/** Cancels requests with the id 0 as well: the library takes that id for a missing one. */
function cancelAnyId(server: Server): void {
  const running = server as unknown as { readonly _requestHandlerAbortControllers?: ReadonlyMap<RequestId, AbortController> };
  server.setNotificationHandler(CancelledNotificationSchema, ({ params: { requestId, reason } }) => {
    if (requestId !== undefined) running._requestHandlerAbortControllers?.get(requestId)?.abort(reason);
  });
}

/** The kernel's validator, shared by all connections. The library would create one for each. */
const jsonSchemaValidator = {
  getValidator:
    <T>(schema: object) =>
    (input: unknown) => {
      const issues = checkValue(schema as Readonly<Record<string, unknown>>, input);
      if (issues.length === 0) return { valid: true as const, data: input as T, errorMessage: undefined };
      return {
        valid: false as const,
        data: undefined,
        errorMessage: issues.map(({ path, message }) => `${path} ${message}`.trim()).join('; '),
      };
    },
};
