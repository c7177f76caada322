import type { ConsoleEvent } from '../wire/events.ts';

/** A signed-in client that is told what happened. */
export interface FeedClient {
  /** Aborts when the client is gone. */
  readonly signal: AbortSignal;
  /** Resolves to false when the session has ended. Asked every 15 seconds. */
  readonly isOpen: () => Promise<boolean>;
}

/** Interval of the comment lines, which keep a silent connection open, and of the checks of the session, in milliseconds. */
export const heartbeatMs = 15_000;

/**
 * The events of one client as server-sent events, with a comment at the beginning and at each heartbeat. An event that the client has not taken yet is
 * kept once, so that a slow one costs no memory. Ends with `end`, with the client's signal, and when the client breaks off; with the event `session` when
 * its session has ended; without one when nobody can say, so that the page connects again and its session is checked there.
 */
export class EventsStream implements AsyncIterable<string> {
  readonly #client: FeedClient;
  readonly #onEnd: () => void;
  readonly #pending = new Set<ConsoleEvent>();
  readonly #heartbeat: NodeJS.Timeout;
  #isChecking = false;
  #isCommentDue = true;
  #isSessionOver = false;
  #isEnded = false;
  #wake: () => void = () => {};

  /** `onEnd`: called once. */
  constructor(client: FeedClient, onEnd: () => void) {
    this.#client = client;
    this.#onEnd = onEnd;
    this.#heartbeat = setInterval(() => void this.#checkSession(), heartbeatMs).unref();
    client.signal.addEventListener('abort', this.end, { once: true });
  }

  send(event: ConsoleEvent): void {
    if (this.#isSessionOver) return;
    this.#pending.add(event);
    this.#wake();
  }

  /** Ends the stream. Events that the client has not taken are dropped. */
  readonly end = (): void => {
    if (this.#isEnded) return;
    this.#isEnded = true;
    clearInterval(this.#heartbeat);
    this.#client.signal.removeEventListener('abort', this.end);
    this.#wake();
    this.#onEnd();
  };

  [Symbol.asyncIterator](): AsyncIterator<string, undefined> {
    const texts = this.#texts();
    return {
      next: () => texts.next(),
      return: async () => {
        // A generator that waits takes no `return` before it goes on.
        this.end();
        return texts.return(undefined);
      },
    };
  }

  async *#texts(): AsyncGenerator<string, undefined> {
    try {
      while (!this.#isEnded) {
        const text = this.#next();
        if (text !== undefined) yield text;
        else if (this.#isSessionOver) break;
        else
          await new Promise<void>((resolve) => {
            this.#wake = resolve;
          });
      }
      return undefined;
    } finally {
      this.end();
    }
  }

  /** Takes the next text. Undefined when there is none now. */
  #next(): string | undefined {
    if (this.#isCommentDue) {
      this.#isCommentDue = false;
      return ':\n\n';
    }
    const [event] = this.#pending;
    if (event === undefined) return undefined;
    this.#pending.delete(event);
    return `event: ${event}\ndata:\n\n`;
  }

  async #checkSession(): Promise<void> {
    if (this.#isChecking || this.#isSessionOver) return;
    this.#isChecking = true;
    try {
      if (await this.#client.isOpen()) this.#isCommentDue = true;
      else {
        this.#isSessionOver = true;
        this.#pending.clear();
        this.#pending.add('session');
      }
      this.#wake();
    } catch {
      this.end();
    } finally {
      this.#isChecking = false;
    }
  }
}
