import type { IncomingMessage, ServerResponse } from 'node:http';
import { batchText, type Message, messageText } from '../../../../shared/json-rpc/message.ts';
import type { JsonAnswers } from '../reply.ts';
import type { EventStream } from './event-stream.ts';

/** Time after which a waiting request becomes a stream, which its client can resume, in milliseconds. */
const jsonTimeoutMs = 50;

/** Delay before a client reconnects to a lost stream, in milliseconds. */
export const retryMs = 1000;

export interface ReplyOptions {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly sessionId: string;
  readonly isPrimed: boolean;
  readonly canCompress: boolean;
  /** Set for a batch. @default one request */
  readonly batch?: Batch;
}

export interface Batch {
  /** Number of requests that get a response. */
  readonly requests: number;
  /** Error responses that exist already. */
  readonly refusals: readonly Message[];
}

/**
 * Response to a request: JSON when it is soon and alone, else the end of a stream. That to a batch is a JSON list when all responses are
 * soon and alone, else single events on a stream that ends with the last one.
 */
export class Reply {
  readonly stream: EventStream;
  readonly #options: ReplyOptions;
  /** Number of requests without a response. */
  #open: number;
  /** Responses of a batch that wait for the others; undefined for one request. */
  readonly #waiting: Message[] | undefined;
  #jsonTimer: NodeJS.Timeout | undefined;
  #isStream = false;

  constructor(stream: EventStream, options: ReplyOptions) {
    this.stream = stream;
    this.#options = options;
    this.#open = options.batch?.requests ?? 1;
    this.#waiting = options.batch && [...options.batch.refusals];
  }

  /** Called when the response is not ready at once. */
  startWaiting(): void {
    this.#jsonTimer ??= setTimeout(() => this.#openStream(), jsonTimeoutMs).unref();
  }

  tell(message: Message): void {
    this.#openStream();
    this.stream.send(message);
  }

  answer(message: Message, answers: JsonAnswers): void {
    this.#open--;
    if (this.#isStream) {
      this.stream.send(message, this.#open === 0);
      if (this.#open === 0) this.stream.end();
    } else if (this.#waiting === undefined) this.#sendJson(messageText(message), answers);
    else {
      this.#waiting.push(message);
      if (this.#open === 0) this.#sendJson(batchText(this.#waiting.splice(0)), answers);
    }
  }

  /** Ends the reply to a cancelled request, which gets no response. */
  drop(answers: JsonAnswers): void {
    this.#open--;
    if (this.#open > 0) return;
    if (this.#isStream || this.#waiting === undefined || this.#waiting.length === 0) this.end();
    else this.#sendJson(batchText(this.#waiting.splice(0)), answers);
  }

  /** Ends the reply. */
  end(): void {
    this.#openStream();
    this.stream.end();
  }

  #sendJson(text: string, answers: JsonAnswers): void {
    clearTimeout(this.#jsonTimer);
    const { request, response, sessionId, canCompress } = this.#options;
    answers.send(request, response, text, { sessionId, canCompress });
  }

  #openStream(): void {
    clearTimeout(this.#jsonTimer);
    if (this.#isStream) return;
    this.#isStream = true;
    const { response, sessionId, isPrimed } = this.#options;
    if (!response.destroyed) {
      this.stream.connect(response, sessionId);
      if (isPrimed) this.stream.prime(retryMs);
    }
    for (const message of this.#waiting?.splice(0) ?? []) this.stream.send(message, false);
  }
}
