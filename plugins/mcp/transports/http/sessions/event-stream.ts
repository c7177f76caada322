import type { ServerResponse } from 'node:http';
import type { Message, RequestId } from '../../../../shared/json-rpc/message.ts';
import { negotiateRevision, revisions } from '../../../protocol/revisions.ts';
import { requestHeader, type WithHeaders } from '../request-headers.ts';
import type { EventId, EventLog } from './event-log.ts';

/** Interval of the comments that keep proxies from closing a quiet stream, in milliseconds. */
const keepAliveMs = 15_000;

/** Minimum time between two takeovers of a stream, in milliseconds. Without it, two live clients would displace each other in a loop. */
export const takeoverMs = 5000;

/** Time that a client has to read the end of a stream before its connection is destroyed, in milliseconds. */
const endTimeoutMs = 1000;

/** Protocol version of a client that names none (MCP, Transports, Protocol Version Header). */
const defaultVersion = '2025-03-26';

export interface SentEvent {
  readonly id: string;
  readonly text: string;
}

/** Server-sent events for one client (HTML, 9.2), stored in its session's log, so that the client can resume. */
export class EventStream {
  /** Name of the stream in the log. */
  readonly name: string;
  readonly #log: EventLog;
  #response: ServerResponse | undefined;
  #comments: NodeJS.Timeout | undefined;
  /** Number of the newest event when the last connection was lost; earlier events were sent. */
  #sent = 0;
  #gaveWayAt = Number.NEGATIVE_INFINITY;

  constructor(name: string, log: EventLog) {
    this.name = name;
    this.#log = log;
  }

  get isConnected(): boolean {
    return this.#response !== undefined;
  }

  /** Number of the log's newest event when this stream was last connected; 0 if it never was. */
  get sent(): number {
    return this.#response === undefined ? this.#sent : this.#log.last;
  }

  /**
   * Sends further events over this response. `after`: also sends the events after this number. `before`: events of other processes to
   * send first.
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

  /** Ends the connection for a newer one. Returns false within `takeoverMs` of the last takeover. `isLost`: see `disconnect`. */
  yieldToNewer({ isLost = false } = {}): boolean {
    const now = performance.now();
    if (now - this.#gaveWayAt < takeoverMs) return false;
    this.#gaveWayAt = now;
    this.disconnect({ isLost });
    return true;
  }

  /**
   * Ends the connection, even if its client disappeared silently. The stream may continue over another one.
   * `isLost`: the client reports that this connection is lost.
   */
  disconnect({ isLost = false } = {}): void {
    const response = this.#response;
    this.#disconnect();
    if (isLost) response?.destroy();
    else response?.end();
    if (response !== undefined) setTimeout(() => response.destroy(), endTimeoutMs).unref();
  }

  /** Sends an empty event, so that the client can resume even without another one. `retryMs`: delay before it reconnects. */
  prime(retryMs: number): void {
    const number = this.#log.storeOpening(this.name);
    this.#response?.write(`id: ${this.#log.idOf(number, this.name)}\nretry: ${retryMs}\ndata: \n\n`);
  }

  /** Sends events that another process recorded, while connected. */
  sendRecorded(events: readonly SentEvent[]): void {
    for (const { id, text } of events) this.#response?.write(eventOf(id, text));
  }

  /** Sends a message. `isLast`: ends the stream after it. @default true for a response */
  send(message: Message, isLast = !('method' in message)): void {
    this.#write(JSON.stringify(message), isLast);
  }

  /** Sends a message that need not repeat: while disconnected it replaces an equal message. */
  sendOnce(message: Message): void {
    const text = JSON.stringify(message);
    if (this.#response === undefined) this.#log.removeUnsent(this.name, text, this.#sent);
    this.#write(text, false);
  }

  #write(text: string, isAnswer: boolean): void {
    const number = this.#log.store(this.name, text, isAnswer);
    this.#response?.write(eventOf(this.#log.idOf(number, this.name), text));
  }

  /** Ends the stream. */
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

/** Begins a stream of events. Returns the timer that sends comments on it; the caller clears it. */
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
  return setInterval(() => response.write(': keepalive\n\n'), keepAliveMs).unref();
}

export function eventOf(id: string, text: string): string {
  return `event: message\nid: ${id}\ndata: ${text}\n\n`;
}

/** Maximum length of a request id inside event ids, in characters of JSON. */
const maxIdLength = 100;

/** Returns the name of a request's stream, which holds the request id. So a restarted server can tell which response was lost. */
export function requestStream(number: number, id: RequestId): string {
  const text = JSON.stringify(id);
  return text.length > maxIdLength ? String(number) : `${number}.${Buffer.from(text).toString('base64url')}`;
}

/** Returns the error in place of this stream's lost response; undefined when the name holds no request id. */
export function lostResponse(stream: string): Message | undefined {
  const [, encoded] = stream.split('.');
  const id = encoded === undefined ? undefined : requestIdIn(encoded);
  if (id === undefined) return undefined;
  const message =
    'The answer to this request was lost: the server was started again while it ran, or had no more room for it. Send it again where it may run twice.';
  return { jsonrpc: '2.0', id, error: { code: -32000, message } };
}

function requestIdIn(encoded: string): RequestId | undefined {
  try {
    // Own text: the id of a stream.
    const id: unknown = JSON.parse(Buffer.from(encoded, 'base64url').toString('utf8'));
    return typeof id === 'string' || Number.isSafeInteger(id) ? (id as RequestId) : undefined;
  } catch {
    return undefined;
  }
}

/** Returns true when the client accepts an event without data. `asked`: version in its `initialize`. */
export function acceptsEmptyEvents(request: WithHeaders, asked?: unknown): boolean {
  const version = requestHeader(request, 'mcp-protocol-version') ?? defaultVersion;
  return asked === undefined ? revisions.get(version)?.hasPriming === true : negotiateRevision(asked).hasPriming;
}

/** Returns the last events of a stream that has ended, as text; undefined when nothing is known of it. */
export function lastEvents(log: EventLog, last: EventId): string | undefined {
  const { stream, number, isOwn } = last;
  // Also true for a cancelled request, which gets no more events.
  if (isOwn && (log.hasEnded(stream) || log.has(last)))
    return log
      .eventsAfter(number, stream)
      .map(({ id, text }) => eventOf(id, text))
      .join('');
  const lost = lostResponse(stream);
  return lost && `event: message\ndata: ${JSON.stringify(lost)}\n\n`;
}
