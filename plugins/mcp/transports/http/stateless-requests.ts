import type { IncomingMessage, ServerResponse } from 'node:http';
import { openingFlaw } from '../../protocol/answers.ts';
import { ClientConnection } from '../../protocol/client-connection.ts';
import type { ProtocolOptions } from '../../protocol/connection.ts';
import { errorCodes, isRequest } from '../../protocol/messages.ts';
import type { Wire } from '../../protocol/wire.ts';
import { grantOf } from './authorization/grant.ts';
import type { HttpRefusal } from './http-refusal.ts';
import type { Replies } from './replies.ts';
import { SingleRequests } from './single-requests.ts';

/**
 * Requests of clients that speak with sessions to a server that keeps none: each is answered as that of a client of which nothing is known, so that any
 * server answers it.
 */
export class StatelessRequests extends SingleRequests {
  readonly #protocol: ProtocolOptions;

  constructor(protocol: ProtocolOptions, replies: Replies) {
    super(replies);
    this.#protocol = protocol;
  }

  /** Answers a message, or says why it is not taken. */
  handle(
    request: IncomingMessage,
    response: ServerResponse,
    message: Readonly<Record<string, unknown>>,
    caller: string,
  ): HttpRefusal | undefined {
    const { method, params } = message;
    // Nobody was asked anything.
    if (method === undefined) return { status: 400, message: 'No request waits for this response.', code: errorCodes.invalidRequest };
    if (!isRequest(message)) return void response.writeHead(202, { vary: 'Origin' }).end();
    const flaw = method === 'initialize' ? openingFlaw(params) : undefined;
    if (flaw !== undefined) return { status: 400, message: flaw, code: errorCodes.invalidParams, id: message.id };
    this.ask(request, response, message, (wire) => {
      const connection = new ClientConnection(this.#protocol, { caller, tenant: caller }, ofRequests(wire));
      return { receive: () => connection.receive(message, grantOf(request)?.scopes), close: () => connection.close() };
    });
    return undefined;
  }
}

/** Without what is said to the client as such, such as that a list has changed. */
function ofRequests(wire: Wire): Wire {
  return {
    send: (message, request) => {
      if (request !== undefined || !('method' in message)) wire.send(message, request);
    },
  };
}
