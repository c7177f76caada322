import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client';
import { isPlainObject } from '../../../kernel/index.ts';

/** Reported progress as it was sent. */
export type ReportedProgress = Readonly<Record<string, unknown>>;

/**
 * Routes notices of progress to the requests that they are about. The client itself handles notices later than answers, so that the last ones
 * would be lost.
 */
export class ProgressRoutes {
  readonly #listeners = new Map<string, (progress: ReportedProgress) => void>();
  #last = 0;

  /** Returns a token for one request. */
  begin(listener: (progress: ReportedProgress) => void): string {
    const token = `progress-${++this.#last}`;
    this.#listeners.set(token, listener);
    return token;
  }

  end(token: string): void {
    this.#listeners.delete(token);
  }

  /** Takes the notices of progress out of the messages of a transport. */
  intercept(transport: Transport): void {
    let handler: Transport['onmessage'];
    Object.defineProperty(transport, 'onmessage', {
      configurable: true,
      enumerable: true,
      get: () => handler,
      set: (next: Transport['onmessage']) => {
        handler = next === undefined ? undefined : (message, extra) => void (this.#take(message) || next(message, extra));
      },
    });
  }

  /** Returns true for a notice of progress. One of an ended request is dropped. */
  #take(message: JSONRPCMessage): boolean {
    if (!('method' in message) || message.method !== 'notifications/progress') return false;
    const { params } = message;
    if (!isPlainObject(params)) return true;
    this.#listeners.get(String(params['progressToken']))?.(params);
    return true;
  }
}
