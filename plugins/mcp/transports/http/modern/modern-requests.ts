import type { IncomingMessage, ServerResponse } from 'node:http';
import { errorCodes, isRequest, type Message } from '../../../../shared/json-rpc/message.ts';
import { errorObject } from '../../../../shared/json-rpc/rpc-error.ts';
import type { ProtocolOptions } from '../../../protocol/clients/connection.ts';
import { type Envelope, hasEnvelope, readEnvelope } from '../../../protocol/clients/envelope.ts';
import { RequestClient } from '../../../protocol/clients/request-client.ts';
import { mcpErrorCodes } from '../../../protocol/errors.ts';
import { requestVersions } from '../../../protocol/revisions.ts';
import { endWithGrant, grantOf } from '../authorization/grant.ts';
import type { HttpRefusal } from '../http-refusal.ts';
import type { Replies } from '../replies.ts';
import { requestHeader, type WithHeaders } from '../request-headers.ts';
import { SingleRequests } from '../single-requests.ts';
import { checkHeaders } from './header-checks.ts';
import { checkParameterHeaders } from './parameter-headers.ts';

type RawMessage = Readonly<Record<string, unknown>>;

/** Returns true for a message of the era without sessions: by its body, else by the version in its header. */
export function isModern(request: WithHeaders, { params }: RawMessage): boolean {
  return hasEnvelope(params) || requestVersions.includes(requestHeader(request, 'mcp-protocol-version') ?? '');
}

/** HTTP statuses of errors (MCP 2026-07-28, Streamable HTTP). */
const statuses = new Map<number, number>([
  [errorCodes.methodNotFound, 404],
  [mcpErrorCodes.missingCapability, 400],
  [mcpErrorCodes.unsupportedVersion, 400],
]);

/** Requests of the era without sessions (MCP 2026-07-28, Streamable HTTP). Each gets JSON, or a stream that ends with its response. */
export class ModernRequests extends SingleRequests {
  readonly #protocol: ProtocolOptions;

  constructor(protocol: ProtocolOptions, replies: Replies) {
    super(replies, statuses);
    this.#protocol = protocol;
  }

  /** Handles a message, or returns a refusal. */
  handle(request: IncomingMessage, response: ServerResponse, message: RawMessage, caller: string): HttpRefusal | undefined {
    if (!isRequest(message)) return receive(response, message);
    let envelope: Envelope;
    try {
      checkHeaders(request, message);
      envelope = readEnvelope(message.params);
      checkParameterHeaders(request, message, this.#protocol.catalog);
    } catch (error) {
      return { status: 400, ...errorObject(error), id: message.id };
    }
    if (message.method === 'subscriptions/listen') endWithGrant(request, response);
    this.ask(request, response, message, (wire) => {
      const connection = new RequestClient(this.#protocol, { caller, tenant: caller }, wire);
      return { receive: () => connection.receive(message as Message, grantOf(request)?.scopes, envelope), close: () => connection.close() };
    });
    return undefined;
  }
}

/** Handles a notification. None has a meaning over HTTP: a client cancels by closing its connection (MCP 2026-07-28, Cancellation). */
function receive(response: ServerResponse, { method }: RawMessage): HttpRefusal | undefined {
  if (method === undefined)
    return { status: 400, message: 'A client answers with a request of its own: it sends no response.', code: errorCodes.invalidRequest };
  return void response.writeHead(202, { vary: 'Origin' }).end();
}
