import { InFlight, ToolkitError } from '../../../kernel/index.ts';
import type { RequestId } from './messages.ts';

/** A request that was taken and is not answered yet. */
export interface RequestInFlight {
  abort(reason: unknown): void;
}

/**
 * The requests of one client that have no answer yet, whichever era they are of and whatever answers them. Each is added when it is taken, and taken out
 * when its answer goes to the wire, or when the client cancels it.
 */
export class RequestsInFlight extends InFlight<RequestId, RequestInFlight> {
  readonly #questions = new Set<(reason: ToolkitError) => void>();
  #isSilent = false;

  /** Ends a request, which is not answered then (MCP, Cancellation). */
  cancel(id: RequestId, reason: unknown): void {
    const request = this.get(id);
    this.delete(id);
    request?.abort(reason);
  }

  abortAll(reason: unknown): void {
    for (const request of this.values()) request.abort(reason);
    this.clear();
  }

  /** Resolves when each has its answer, at the latest after so many milliseconds. */
  async drain(limitMs: number): Promise<void> {
    if (this.size === 0) return;
    let timer: NodeJS.Timeout | undefined;
    // It keeps the process alive: what is waited for may not.
    const limit = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, limitMs);
    });
    await Promise.race([this.empty(), limit]);
    clearTimeout(timer);
  }

  /** Asks the client something. Rejects when `signal` aborts, and with ABORTED where the client can answer nothing any more. */
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

  /** The client can answer nothing any more: refuses the questions that are open, and all that come. */
  refuseQuestions(): void {
    this.#isSilent = true;
    for (const refuse of [...this.#questions]) refuse(silent());
  }
}

function silent(): ToolkitError {
  return new ToolkitError('ABORTED', 'The client has closed its input, so nobody answers what it is asked.');
}
