import type { IncomingMessage, ServerResponse } from 'node:http';
import { InFlight } from '../../../../kernel/index.ts';
import type { Request } from '../../protocol/messages.ts';
import type { Wire } from '../../protocol/wire.ts';
import type { Replies } from './replies.ts';
import { SingleReply } from './single-reply.ts';

/** What answers one request. */
export interface SingleConnection {
  /** Takes the request. */
  receive(): void;
  /** Its client has gone, or has its answer. */
  close(): unknown;
}

/** Requests that are answered for themselves, each over its own response: nothing is kept from one to the next. */
export class SingleRequests {
  readonly #replies: Replies;
  readonly #statuses: ReadonlyMap<number, number>;
  readonly #open = new InFlight<SingleReply, SingleReply>();

  /** `statuses`: HTTP statuses by the code of an error. */
  constructor(replies: Replies, statuses: ReadonlyMap<number, number> = new Map()) {
    this.#replies = replies;
    this.#statuses = statuses;
  }

  /** Closing the connection is how a client cancels. */
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
    reply.waits();
  }

  /** Resolves when every request so far has its answer, or has lost its connection. */
  answered(): Promise<void> {
    return this.#open.empty();
  }

  /** Breaks their connections. */
  close(): void {
    for (const reply of this.#open.values()) reply.drop();
  }
}
