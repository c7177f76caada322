import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Wire } from '../../../shared/json-rpc/message.ts';
import { errorCodes, isRequest } from '../../../shared/json-rpc/message.ts';
import type { ProtocolOptions } from '../../protocol/clients/connection.ts';
import { SessionClient } from '../../protocol/clients/session-client.ts';
import { initializeError } from '../../protocol/methods/lifecycle.ts';
import { grantOf } from './authorization/grant.ts';
import type { HttpRefusal } from './http-refusal.ts';
import type { Replies } from './replies.ts';
import { SingleRequests } from './single-requests.ts';

/** Requests of session-based clients to a server without sessions. Nothing is known of the client, so any server can handle a request. */
export class StatelessRequests extends SingleRequests {
  readonly #protocol: ProtocolOptions;

  constructor(protocol: ProtocolOptions, replies: Replies) {
    super(replies);
    this.#protocol = protocol;
  }

  /** Handles a message, or returns a refusal. */
  handle(
    request: IncomingMessage,
    response: ServerResponse,
    message: Readonly<Record<string, unknown>>,
    caller: string,
  ): HttpRefusal | undefined {
    const { method, params } = message;
    // A response, but no question was sent.
    if (method === undefined) return { status: 400, message: 'No request waits for this response.', code: errorCodes.invalidRequest };
    if (!isRequest(message)) return void response.writeHead(202, { vary: 'Origin' }).end();
    const flaw = method === 'initialize' ? initializeError(params) : undefined;
    if (flaw !== undefined) return { status: 400, message: flaw, code: errorCodes.invalidParams, id: message.id };
    this.ask(request, response, message, (wire) => {
      const connection = new SessionClient(this.#protocol, { caller, tenant: caller }, ofRequests(wire));
      return { receive: () => connection.receive(message, grantOf(request)?.scopes), close: () => connection.close() };
    });
    return undefined;
  }
}

/** Returns a wire without the messages that belong to no request, such as `list_changed`. */
function ofRequests(wire: Wire): Wire {
  return {
    send: (message, request) => {
      if (request !== undefined || !('method' in message)) wire.send(message, request);
    },
  };
}
