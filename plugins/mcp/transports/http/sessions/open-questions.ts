import { isRequest, type Message, type RequestId } from '../../../protocol/messages.ts';

interface OpenQuestion {
  readonly message: Message;
  /** The request while which it is asked. */
  readonly request: RequestId;
}

/** Questions that the client has not answered. */
export class OpenQuestions {
  readonly #byId = new Map<RequestId, OpenQuestion>();

  /** Takes note of what is sent to the client while a request is answered: a question, or that one is taken back. */
  note(message: Message, request: RequestId): void {
    if (isRequest(message)) this.#byId.set(message.id, { message, request });
    else if ('method' in message && message.method === 'notifications/cancelled') this.answered(message.params?.['requestId'] as RequestId);
  }

  answered(id: RequestId): void {
    this.#byId.delete(id);
  }

  /** The request has its answer, or was cancelled: nothing is asked for it any more. */
  end(request: RequestId): void {
    for (const [id, question] of this.#byId) if (question.request === request) this.#byId.delete(id);
  }

  get all(): readonly Message[] {
    return [...this.#byId.values()].map(({ message }) => message);
  }
}
