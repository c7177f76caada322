import type { IncomingMessage, ServerResponse } from 'node:http';
import { InFlight } from '../../../../kernel/index.ts';
import type { Request, Wire } from '../../../shared/json-rpc/message.ts';
import type { Replies } from './replies.ts';
import { SingleReply } from './single-reply.ts';

/** Handler of one request. */
export interface SingleConnection {
  /** Handles the request. */
  receive(): void;
  /** Called when the client has its response or has disconnected. */
  close(): unknown;
}

/** Independent requests, each with its own HTTP response. Keeps no state between them. */
export class SingleRequests {
  readonly #replies: Replies;
  readonly #statuses: ReadonlyMap<number, number>;
  readonly #open = new InFlight<SingleReply, SingleReply>();

  /** `statuses`: HTTP statuses by the code of an error. */
  constructor(replies: Replies, statuses: ReadonlyMap<number, number> = new Map()) {
    this.#replies = replies;
    this.#statuses = statuses;
  }

  /** Handles a request. The client cancels it by closing the connection. */
  ask(request: IncomingMessage, response: ServerResponse, { method }: Request, connect: (wire: Wire) => SingleConnection): void {
    const reply = new SingleReply({ ...this.#replies, request, response, method, statuses: this.#statuses });
    const connection = connect(reply);
    this.#open.set(reply, reply);
    response.once('close', () => {
      reply.end();
      connection.close();
      this.#open.delete(reply);
    });
    connection.receive();
    reply.startWaiting();
  }

  /** Resolves when every request so far has its answer, or has lost its connection. */
  answered(): Promise<void> {
    return this.#open.empty();
  }

  /** Breaks all open connections. */
  close(): void {
    for (const reply of this.#open.values()) reply.drop();
  }
}
