import type { Message, RequestId } from './message.ts';

/** Sends messages to a client. A response waits for `kernel.beforeAnswers()`; calls rely on that (`CallRequest.isHeld`). */
export interface Wire {
  /** Sends a message, or drops it when it cannot be sent. `request`: id of the request that it belongs to, if any. */
  send(message: Message, request?: RequestId): void;
}
