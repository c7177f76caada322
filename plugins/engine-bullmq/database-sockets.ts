import { Socket } from 'node:net';

/** Message of the driver for a statement that had no answer in time. */
const noAnswer = 'Query read timeout';

/**
 * Sockets of the connections of one queue or worker of BullMQ. BullMQ replaces a connection that closed, and keeps one that is silent: it would find
 * the silent ones of a pool one after the other, and the one that listens never.
 */
export class DatabaseSockets {
  readonly #open = new Set<Socket>();

  /** Returns a socket for a new connection. */
  readonly create = (): Socket => {
    const socket = new Socket();
    this.#open.add(socket);
    socket.once('close', () => this.#open.delete(socket));
    return socket;
  };

  /** Destroys all connections when the error says that one was silent: the same fault may have hit the others. */
  replaceAfter(error: unknown): void {
    if (error instanceof Error && error.message === noAnswer) this.destroy();
  }

  destroy(): void {
    for (const socket of this.#open) socket.destroy();
  }

  /** Resolves like `closing`, which a silent connection would keep from it: all are destroyed after `timeoutMs`. */
  async close(closing: Promise<unknown>, timeoutMs: number): Promise<void> {
    const timer = setTimeout(() => this.destroy(), timeoutMs);
    try {
      await closing;
    } finally {
      clearTimeout(timer);
    }
  }
}
