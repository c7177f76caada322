import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ProtocolOptions } from '../../../protocol/connection.ts';
import { errorCodes, isRequest, type Message, type Request } from '../../../protocol/messages.ts';
import { type Envelope, hasEnvelope, modernVersions, readEnvelope } from '../../../protocol/modern/envelope.ts';
import { ModernConnection } from '../../../protocol/modern/modern-connection.ts';
import { errorMember } from '../../../protocol/protocol-error.ts';
import { endWithGrant, grantOf } from '../authorization/grant.ts';
import type { HttpRefusal } from '../http-refusal.ts';
import type { Replies } from '../replies.ts';
import { checkHeaders } from './header-checks.ts';
import { ModernReply } from './modern-reply.ts';
import { checkParameterHeaders } from './parameter-headers.ts';

type RawMessage = Readonly<Record<string, unknown>>;

/** Whether a message is of the era in which each request says who asks: by its body, else by the version in its header. */
export function isModern({ headers }: Pick<IncomingMessage, 'headers'>, { params }: RawMessage): boolean {
  return hasEnvelope(params) || modernVersions.includes(headers['mcp-protocol-version'] as string);
}

/** Requests of that era over HTTP (MCP 2026-07-28, Streamable HTTP): each is answered for itself, by JSON or by a stream that ends with the answer. */
export class ModernRequests {
  readonly #protocol: ProtocolOptions;
  readonly #replies: Replies;
  readonly #open = new Set<ModernReply>();
  #whenAnswered: (() => void)[] = [];

  constructor(protocol: ProtocolOptions, replies: Replies) {
    this.#protocol = protocol;
    this.#replies = replies;
  }

  /** Answers a message, or says why it is not taken. */
  handle(request: IncomingMessage, response: ServerResponse, message: RawMessage, caller: string): HttpRefusal | undefined {
    if (!isRequest(message)) return this.#receive(response, message);
    let envelope: Envelope;
    try {
      checkHeaders(request.headers, message);
      envelope = readEnvelope(message.params);
      checkParameterHeaders(request.headers, message, this.#protocol.catalog);
    } catch (error) {
      return { status: 400, ...errorMember(error), id: message.id };
    }
    this.#ask(request, response, message, caller, envelope);
    return undefined;
  }

  /** Resolves when every request so far has its answer, or has lost its connection. */
  async answered(): Promise<void> {
    if (this.#open.size > 0) await new Promise<void>((resolve) => this.#whenAnswered.push(resolve));
  }

  /** Ends what runs. */
  close(): void {
    for (const reply of this.#open) reply.drop();
  }

  /** No notification of a client means anything over HTTP: it ends a request by closing its connection. */
  #receive(response: ServerResponse, { method }: RawMessage): HttpRefusal | undefined {
    if (method === undefined)
      return { status: 400, message: 'A client answers with a request of its own: it sends no response.', code: errorCodes.invalidRequest };
    return void response.writeHead(202, { vary: 'Origin' }).end();
  }

  #ask(request: IncomingMessage, response: ServerResponse, message: Request, caller: string, envelope: Envelope): void {
    const reply = new ModernReply({ ...this.#replies, request, response, method: message.method });
    const connection = new ModernConnection(this.#protocol, { caller, tenant: caller }, reply);
    this.#open.add(reply);
    if (message.method === 'subscriptions/listen') endWithGrant(request, response);
    response.once('close', () => {
      // Closing it is how a client cancels (MCP 2026-07-28, Cancellation).
      reply.end();
      connection.close();
      this.#open.delete(reply);
      if (this.#open.size === 0) for (const resolve of this.#whenAnswered.splice(0)) resolve();
    });
    connection.receive(message as Message, grantOf(request)?.scopes, envelope);
    if (connection.isBusy) reply.waits();
  }
}
