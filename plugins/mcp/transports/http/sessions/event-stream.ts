import type { ServerResponse } from 'node:http';
import type { Message } from '../../../protocol/messages.ts';
import type { EventLog } from './event-log.ts';

/** Comments on streams that are quiet keep proxies from closing them. In milliseconds. */
const quietMs = 15_000;

/** Server-sent events for one client (HTML, 9.2), kept in the log of its session, from which it goes on after a broken connection. */
export class EventStream {
  /** Its name in the log. */
  readonly name: string;
  readonly #log: EventLog;
  #response: ServerResponse | undefined;
  #comments: NodeJS.Timeout | undefined;

  constructor(name: string, log: EventLog) {
    this.name = name;
    this.#log = log;
  }

  get isConnected(): boolean {
    return this.#response !== undefined;
  }

  /** Sends what comes from now on over this response. `after`: the last event that the client has seen, where it comes back. */
  connect(response: ServerResponse, sessionId: string, after?: string): void {
    const missed = after === undefined ? [] : this.#log.eventsAfter(after, this.name);
    this.#response = response;
    response.writeHead(200, {
      'content-type': 'text/event-stream',
      'cache-control': 'no-cache, no-transform',
      connection: 'keep-alive',
      'x-accel-buffering': 'no',
      vary: 'Origin',
      'mcp-session-id': sessionId,
    });
    response.flushHeaders();
    for (const { id, text } of missed) response.write(eventOf(id, text));
    this.#comments = setInterval(() => response.write(': keepalive\n\n'), quietMs).unref();
    response.once('close', () => {
      if (this.#response === response) this.#disconnect();
    });
  }

  /** An empty event, with which a client can come back even if it gets no other one. `retryMs`: when it should. */
  prime(retryMs: number): void {
    this.#response?.write(`id: ${this.#log.storeOpening(this.name)}\nretry: ${retryMs}\ndata: \n\n`);
  }

  send(message: Message): void {
    const text = JSON.stringify(message);
    const id = this.#log.store(this.name, text, !('method' in message));
    this.#response?.write(eventOf(id, text));
  }

  end(): void {
    const response = this.#response;
    this.#disconnect();
    response?.end();
  }

  #disconnect(): void {
    clearInterval(this.#comments);
    this.#response = undefined;
  }
}

export function eventOf(id: string, text: string): string {
  return `event: message\nid: ${id}\ndata: ${text}\n\n`;
}
