import type { Message } from '../../../../shared/json-rpc/message.ts';
import { batchText } from '../../../../shared/json-rpc/message-text.ts';
import type { JsonAnswers } from '../json-answers.ts';
import type { EventStream } from './event-stream.ts';
import { Reply, type ReplyOptions } from './reply.ts';

export interface Batch {
  /** Number of requests that get a response. */
  readonly requests: number;
  /** Error responses that exist already. */
  readonly refusals: readonly Message[];
}

/** Responses to a batch: a JSON list when all are soon and alone, else single events on a stream that ends with the last one. */
export class BatchReply extends Reply {
  #open: number;
  /** Responses that wait for the others. */
  #answers: Message[];

  constructor(stream: EventStream, options: ReplyOptions, { requests, refusals }: Batch) {
    super(stream, options);
    this.#open = requests;
    this.#answers = [...refusals];
  }

  override answer(message: Message, answers: JsonAnswers): void {
    this.#open--;
    if (this.isStream) this.stream.send(message, this.#open === 0);
    else this.#answers.push(message);
    this.#endWhole(answers);
  }

  override drop(answers: JsonAnswers): void {
    this.#open--;
    this.#endWhole(answers);
  }

  protected override openStream(): void {
    super.openStream();
    for (const message of this.#answers.splice(0)) this.stream.send(message, false);
  }

  #endWhole(answers: JsonAnswers): void {
    if (this.#open > 0) return;
    if (this.isStream || this.#answers.length === 0) this.end();
    else this.sendJson(batchText(this.#answers.splice(0)), answers);
  }
}
