import { isRequest, type Message, type RequestId } from '../../../../shared/json-rpc/message.ts';

interface OpenQuestion {
  readonly message: Message;
  /** Id of the request that the question belongs to. */
  readonly request: RequestId;
}

/** Questions without an answer of the client. */
export class OpenQuestions {
  readonly #byId = new Map<RequestId, OpenQuestion>();

  /** Records a message to the client that is a question, or the cancellation of one. */
  note(message: Message, request: RequestId): void {
    if (isRequest(message)) this.#byId.set(message.id, { message, request });
    else if ('method' in message && message.method === 'notifications/cancelled') this.answered(message.params?.['requestId'] as RequestId);
  }

  answered(id: RequestId): void {
    this.#byId.delete(id);
  }

  /** Forgets the questions of a request that has ended. */
  end(request: RequestId): void {
    for (const [id, question] of this.#byId) if (question.request === request) this.#byId.delete(id);
  }

  get all(): readonly Message[] {
    return [...this.#byId.values()].map(({ message }) => message);
  }
}
