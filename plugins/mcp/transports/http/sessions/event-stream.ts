import type { ServerResponse } from 'node:http';
import type { Message } from '../../../protocol/messages.ts';
import type { EventLog } from './event-log.ts';

/** Comments on streams that are quiet keep proxies from closing them. In milliseconds. */
const quietMs = 15_000;

/** After a connection has given way to a newer one, it is so long until the next one does: two living clients would chase each other. In milliseconds. */
export const takeoverMs = 5000;

/** Time that a client has to read the end of a stream before its connection is destroyed, in milliseconds. */
const endMs = 1000;

export interface SentEvent {
  readonly id: string;
  readonly text: string;
}

/** Server-sent events for one client (HTML, 9.2), kept in the log of its session, from which it goes on after a broken connection. */
export class EventStream {
  /** Its name in the log. */
  readonly name: string;
  readonly #log: EventLog;
  #response: ServerResponse | undefined;
  #comments: NodeJS.Timeout | undefined;
  /** The newest event when the last connection was lost: those before were sent. */
  #sent = 0;
  #gaveWayAt = Number.NEGATIVE_INFINITY;

  constructor(name: string, log: EventLog) {
    this.name = name;
    this.#log = log;
  }

  get isConnected(): boolean {
    return this.#response !== undefined;
  }

  /** The number of the newest event of the log when this stream was last connected; 0 where it never was. */
  get sent(): number {
    return this.#response === undefined ? this.#sent : this.#log.last;
  }

  /**
   * Sends what comes from now on over this response. `after`: what came after the event of this number as well. `before`: events of other processes
   * that come first.
   */
  connect(response: ServerResponse, sessionId: string, after?: number, before: readonly SentEvent[] = []): void {
    const missed = after === undefined ? [] : this.#log.eventsAfter(after, this.name);
    this.#response = response;
    this.#comments = beginEvents(response, sessionId);
    for (const { id, text } of [...before, ...missed]) response.write(eventOf(id, text));
    response.once('close', () => {
      if (this.#response === response) this.#disconnect();
    });
  }

  /** Ends the connection for a newer one. False where one has given way less than five seconds before. `isLost`: see `leave`. */
  giveWay({ isLost = false } = {}): boolean {
    const now = performance.now();
    if (now - this.#gaveWayAt < takeoverMs) return false;
    this.#gaveWayAt = now;
    this.leave({ isLost });
    return true;
  }

  /** Ends the connection, also one whose client has gone without a word. More can come over another one. `isLost`: its client says that it has gone. */
  leave({ isLost = false } = {}): void {
    const response = this.#response;
    this.#disconnect();
    if (isLost) response?.destroy();
    else response?.end();
    if (response !== undefined) setTimeout(() => response.destroy(), endMs).unref();
  }

  /** An empty event, with which a client can come back even if it gets no other one. `retryMs`: when it should. */
  prime(retryMs: number): void {
    const number = this.#log.storeOpening(this.name);
    this.#response?.write(`id: ${this.#log.idOf(number, this.name)}\nretry: ${retryMs}\ndata: \n\n`);
  }

  /** Sends what another process has recorded, as long as there is a connection. */
  repeat(events: readonly SentEvent[]): void {
    for (const { id, text } of events) this.#response?.write(eventOf(id, text));
  }

  /** `isLast`: nothing follows. @default an answer is the last one */
  send(message: Message, isLast = !('method' in message)): void {
    this.#write(JSON.stringify(message), isLast);
  }

  /** The same for what need not be said twice: while there is no connection, it takes the place of what says the same. */
  sendOnce(message: Message): void {
    const text = JSON.stringify(message);
    if (this.#response === undefined) this.#log.takeBack(this.name, text, this.#sent);
    this.#write(text, false);
  }

  #write(text: string, isAnswer: boolean): void {
    const number = this.#log.store(this.name, text, isAnswer);
    this.#response?.write(eventOf(this.#log.idOf(number, this.name), text));
  }

  /** Nothing more comes. */
  end(): void {
    this.#log.end(this.name);
    const response = this.#response;
    this.#disconnect();
    response?.end();
  }

  #disconnect(): void {
    clearInterval(this.#comments);
    this.#sent = this.sent;
    this.#response = undefined;
  }
}

/** Begins a stream of events. Returns what sends comments on it, until it is cleared. */
export function beginEvents(response: ServerResponse, sessionId: string): NodeJS.Timeout {
  response.writeHead(200, {
    'content-type': 'text/event-stream',
    'cache-control': 'no-cache, no-transform',
    connection: 'keep-alive',
    'x-accel-buffering': 'no',
    vary: 'Origin',
    'mcp-session-id': sessionId,
  });
  response.flushHeaders();
  return setInterval(() => response.write(': keepalive\n\n'), quietMs).unref();
}

export function eventOf(id: string, text: string): string {
  return `event: message\nid: ${id}\ndata: ${text}\n\n`;
}
