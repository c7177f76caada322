import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Message } from '../../../../shared/json-rpc/message.ts';
import { messageText } from '../../../../shared/json-rpc/message-text.ts';
import type { JsonAnswers } from '../json-answers.ts';
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
}

/** Response to one request: JSON when it is soon and alone, else the end of a stream. */
export class Reply {
  readonly stream: EventStream;
  readonly #options: ReplyOptions;
  #jsonTimer: NodeJS.Timeout | undefined;
  #isStream = false;

  constructor(stream: EventStream, options: ReplyOptions) {
    this.stream = stream;
    this.#options = options;
  }

  /** Called when the response is not ready at once. */
  startWaiting(): void {
    this.#jsonTimer ??= setTimeout(() => this.openStream(), jsonTimeoutMs).unref();
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

  /** Ends the reply to a cancelled request, which gets no response. */
  drop(_answers: JsonAnswers): void {
    this.end();
  }

  /** Ends the reply. */
  end(): void {
    this.openStream();
    this.stream.end();
  }

  protected get isStream(): boolean {
    return this.#isStream;
  }

  protected sendJson(text: string, answers: JsonAnswers): void {
    clearTimeout(this.#jsonTimer);
    const { request, response, sessionId, canCompress } = this.#options;
    answers.send(request, response, text, { sessionId, canCompress });
  }

  protected openStream(): void {
    clearTimeout(this.#jsonTimer);
    if (this.#isStream) return;
    this.#isStream = true;
    const { response, sessionId, isPrimed } = this.#options;
    if (response.destroyed) return;
    this.stream.connect(response, sessionId);
    if (isPrimed) this.stream.prime(retryMs);
  }
}
