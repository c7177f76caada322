import { InFlight, ToolkitError } from '../../../kernel/index.ts';
import type { RequestId } from './message.ts';

/** A request without a response so far. */
export interface RequestInFlight {
  abort(reason: unknown): void;
}

/**
 * Requests of one client that have no response yet, of both eras. A request is removed when its response is sent, or when the
 * client cancels it.
 */
export class RequestsInFlight extends InFlight<RequestId, RequestInFlight> {
  readonly #questions = new Set<(reason: ToolkitError) => void>();
  #isSilent = false;

  /** Cancels a request. It gets no response (MCP, Cancellation). */
  cancel(id: RequestId, reason: unknown): void {
    const request = this.get(id);
    this.delete(id);
    request?.abort(reason);
  }

  abortAll(reason: unknown): void {
    for (const request of this.values()) request.abort(reason);
    this.clear();
  }

  /** Resolves when each request has its response, after `limitMs` at the latest. */
  async drain(limitMs: number): Promise<void> {
    if (this.size === 0) return;
    let timer: NodeJS.Timeout | undefined;
    // The timer keeps the process alive; the pending requests may not.
    const limit = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, limitMs);
    });
    await Promise.race([this.empty(), limit]);
    clearTimeout(timer);
  }

  /** Sends the client a question. Rejects when `signal` aborts, and with ABORTED when the client can answer no more. */
  async question<T>(ask: (signal: AbortSignal) => Promise<T>, signal: AbortSignal): Promise<T> {
    if (this.#isSilent) throw silent();
    const ending = new AbortController();
    const stop = (): void => ending.abort(signal.reason);
    const refuse = (reason: ToolkitError): void => ending.abort(reason);
    if (signal.aborted) stop();
    signal.addEventListener('abort', stop, { once: true });
    this.#questions.add(refuse);
    try {
      return await ask(ending.signal);
    } finally {
      signal.removeEventListener('abort', stop);
      this.#questions.delete(refuse);
    }
  }

  /** Rejects all open and future questions: the client can answer no more. */
  refuseQuestions(): void {
    this.#isSilent = true;
    for (const refuse of [...this.#questions]) refuse(silent());
  }
}

function silent(): ToolkitError {
  return new ToolkitError('ABORTED', 'The client has closed its input, so nobody answers what it is asked.');
}
