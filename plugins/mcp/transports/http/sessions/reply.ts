import type { IncomingMessage, ServerResponse } from 'node:http';
import { messageText } from '../../../protocol/message-text.ts';
import type { Message } from '../../../protocol/messages.ts';
import type { JsonAnswers } from '../json-answers.ts';
import type { EventStream } from './event-stream.ts';

/** A request that runs for longer becomes a stream, with which its client can come back after a broken connection. In milliseconds. */
const patienceMs = 50;

/** When a client that lost its stream should come back, in milliseconds. */
export const retryMs = 1000;

export interface ReplyOptions {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly sessionId: string;
  readonly isPrimed: boolean;
  readonly canCompress: boolean;
}

/** The answer to one request: JSON when it comes soon and alone, otherwise the end of a stream. */
export class Reply {
  readonly stream: EventStream;
  readonly #options: ReplyOptions;
  #patience: NodeJS.Timeout | undefined;
  #isStream = false;

  constructor(stream: EventStream, options: ReplyOptions) {
    this.stream = stream;
    this.#options = options;
  }

  /** The request takes its time. */
  waits(): void {
    this.#patience ??= setTimeout(() => this.openStream(), patienceMs).unref();
  }

  tell(message: Message): void {
    this.openStream();
    this.stream.send(message);
  }

  answer(message: Message, answers: JsonAnswers): void {
    if (!this.isStream) {
      this.sendJson(messageText(message), answers);
      return;
    }
    this.stream.send(message);
    this.stream.end();
  }

  /** Nothing comes for a request that was cancelled. */
  drop(_answers: JsonAnswers): void {
    this.end();
  }

  /** Nothing more comes. */
  end(): void {
    this.openStream();
    this.stream.end();
  }

  protected get isStream(): boolean {
    return this.#isStream;
  }

  protected sendJson(text: string, answers: JsonAnswers): void {
    clearTimeout(this.#patience);
    const { request, response, sessionId, canCompress } = this.#options;
    answers.send(request, response, text, { sessionId, canCompress });
  }

  protected openStream(): void {
    clearTimeout(this.#patience);
    if (this.#isStream) return;
    this.#isStream = true;
    const { response, sessionId, isPrimed } = this.#options;
    if (response.destroyed) return;
    this.stream.connect(response, sessionId);
    if (isPrimed) this.stream.prime(retryMs);
  }
}
