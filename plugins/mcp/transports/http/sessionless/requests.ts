import type { IncomingMessage, ServerResponse } from 'node:http';
import { InFlight } from '../../../../../kernel/index.ts';
import { errorCodes, isRequest, type Message, type Request, type Wire } from '../../../../shared/json-rpc/message.ts';
import { errorObject } from '../../../../shared/json-rpc/rpc-error.ts';
import type { ProtocolOptions } from '../../../protocol/clients/connection.ts';
import { type Envelope, readEnvelope } from '../../../protocol/clients/envelope.ts';
import { RequestClient } from '../../../protocol/clients/request-client.ts';
import { SessionClient } from '../../../protocol/clients/session-client.ts';
import { mcpErrorCodes } from '../../../protocol/errors.ts';
import { initializeError } from '../../../protocol/methods/lifecycle.ts';
import { endWithGrant } from '../authorization/grant.ts';
import type { HttpRefusal, Replies } from '../reply.ts';
import { arrivalOf } from '../request-headers.ts';
import { checkHeaders, checkParameterHeaders } from './headers.ts';
import { SingleReply } from './single-reply.ts';

type RawMessage = Readonly<Record<string, unknown>>;

/** HTTP statuses of errors since 2026-07-28 (MCP, Streamable HTTP). Other responses get 200, and so do all of earlier versions. */
const statuses = new Map<number, number>([
  [errorCodes.methodNotFound, 404],
  [mcpErrorCodes.missingCapability, 400],
  [mcpErrorCodes.unsupportedVersion, 400],
]);

const noStatuses: ReadonlyMap<number, number> = new Map();

/**
 * Requests without a session. Each has its own connection, and gets JSON or a stream that ends with its response. The client cancels it by
 * closing the HTTP connection. Keeps no state between requests, so any server can handle one.
 */
export class SessionlessRequests {
  readonly #protocol: ProtocolOptions;
  readonly #replies: Replies;
  readonly #open = new InFlight<SingleReply, SingleReply>();

  constructor(protocol: ProtocolOptions, replies: Replies) {
    this.#protocol = protocol;
    this.#replies = replies;
  }

  /** Handles a message that describes its client (MCP 2026-07-28, Streamable HTTP), or returns a refusal. */
  handle(request: IncomingMessage, response: ServerResponse, message: RawMessage, caller: string): HttpRefusal | undefined {
    if (!isRequest(message)) return accept(response, message, 'A client answers with a request of its own: it sends no response.');
    let envelope: Envelope;
    try {
      checkHeaders(request, message);
      envelope = readEnvelope(message.params);
      checkParameterHeaders(request, message, this.#protocol.catalog);
    } catch (error) {
      return { status: 400, ...errorObject(error), id: message.id };
    }
    if (message.method === 'subscriptions/listen') endWithGrant(request, response);
    const reply = this.#expect(request, response, message, statuses);
    const connection = new RequestClient(this.#protocol, { caller, tenant: caller }, reply);
    this.#closeWith(response, reply, connection);
    connection.receive(message as Message, arrivalOf(request), envelope);
    reply.startWaiting();
    return undefined;
  }

  /**
   * Handles a message of 2025-11-25 or earlier at a server that opens no sessions ("stateless"), or returns a refusal. The client is
   * unknown, so it gets only responses, and notifications of the request.
   */
  handleStateless(request: IncomingMessage, response: ServerResponse, message: RawMessage, caller: string): HttpRefusal | undefined {
    if (!isRequest(message)) return accept(response, message, 'No request waits for this response.');
    const issue = message.method === 'initialize' ? initializeError(message.params) : undefined;
    if (issue !== undefined) return { status: 400, message: issue, code: errorCodes.invalidParams, id: message.id };
    const reply = this.#expect(request, response, message, noStatuses);
    const connection = new SessionClient(this.#protocol, { caller, tenant: caller }, onlyOfRequests(reply));
    this.#closeWith(response, reply, connection);
    connection.receive(message, arrivalOf(request));
    reply.startWaiting();
    return undefined;
  }

  /** Resolves when every request so far has its answer, or has lost its connection. */
  answered(): Promise<void> {
    return this.#open.empty();
  }

  /** Breaks all open connections. */
  close(): void {
    for (const reply of this.#open.values()) reply.drop();
  }

  #expect(request: IncomingMessage, response: ServerResponse, { method }: Request, byCode: ReadonlyMap<number, number>): SingleReply {
    return new SingleReply({ ...this.#replies, request, response, method, statuses: byCode });
  }

  #closeWith(response: ServerResponse, reply: SingleReply, connection: { close(): unknown }): void {
    this.#open.set(reply, reply);
    response.once('close', () => {
      reply.end();
      connection.close();
      this.#open.delete(reply);
    });
  }
}

/**
 * Accepts a notification, and refuses a response, because no question was sent. No notification has a meaning: a client cancels by closing
 * its connection (MCP 2026-07-28, Cancellation).
 */
function accept(response: ServerResponse, { method }: RawMessage, responseProblem: string): HttpRefusal | undefined {
  if (method === undefined) return { status: 400, message: responseProblem, code: errorCodes.invalidRequest };
  return void response.writeHead(202, { vary: 'Origin' }).end();
}

/** Returns a wire without the messages that belong to no request, such as `list_changed`. */
function onlyOfRequests(wire: Wire): Wire {
  return {
    send: (message, request) => {
      if (request !== undefined || !('method' in message)) wire.send(message, request);
    },
  };
}
