import type { Message, RequestId } from './messages.ts';

/** The way to a client. Answers leave when `kernel.beforeAnswers()` is through: calls rely on that (`CallRequest.isHeld`). */
export interface Wire {
  /** `request`: the one that the message belongs to, where there is one. What cannot be sent is dropped. */
  send(message: Message, request?: RequestId): void;
}
