import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Message, messageText, type Wire } from '../../../../shared/json-rpc/message.ts';
import { compressibleMethods, type Replies } from '../reply.ts';

/** Interval of the comments that keep proxies from closing a waiting stream, in milliseconds. A late response becomes a stream after it. */
const keepAliveMs = 15_000;

export interface SingleReplyOptions extends Replies {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly method: string;
  /** HTTP statuses by error code. Responses with other errors get 200. */
  readonly statuses: ReadonlyMap<number, number>;
}

/** Response to one request: JSON when it is soon and alone, else a stream that ends with it. */
export class SingleReply implements Wire {
  readonly #options: SingleReplyOptions;
  #isAnswered = false;
  #isStream = false;
  #comments: NodeJS.Timeout | undefined;

  constructor(options: SingleReplyOptions) {
    this.#options = options;
  }

  /** Called when the response is not ready at once, and may take long. */
  startWaiting(): void {
    const { response } = this.#options;
    if (this.#isAnswered) return;
    this.#comments ??= setInterval(() => {
      this.#stream();
      response.write(': keepalive\n\n');
    }, keepAliveMs).unref();
  }

  send(message: Message): void {
    if ('method' in message) {
      if (!this.#isAnswered) this.#write(message);
      return;
    }
    this.#isAnswered = true;
    this.#options.outbox.add(() => this.#answer(message));
  }

  /** Nothing more is sent. */
  end(): void {
    clearInterval(this.#comments);
  }

  /** Breaks the connection. */
  drop(): void {
    this.#options.response.destroy();
  }

  #answer(message: Message): void {
    const { request, response, method, answers, statuses } = this.#options;
    this.end();
    if (response.destroyed) return;
    if (this.#isStream) {
      this.#write(message);
      response.end();
      return;
    }
    const code = 'error' in message ? message.error.code : 0;
    answers.send(request, response, messageText(message), {
      canCompress: compressibleMethods.has(method),
      status: statuses.get(code) ?? 200,
    });
  }

  #write(message: Message): void {
    this.#stream();
    this.#options.response.write(`event: message\ndata: ${messageText(message)}\n\n`);
  }

  #stream(): void {
    const { response } = this.#options;
    if (this.#isStream || response.destroyed) return;
    this.#isStream = true;
    response.writeHead(200, {
      'content-type': 'text/event-stream',
      'cache-control': 'no-cache, no-transform',
      'x-accel-buffering': 'no',
      vary: 'Origin',
    });
    response.flushHeaders();
  }
}
