import type { IncomingMessage, ServerResponse } from 'node:http';
import { ErrorCode, type JSONRPCMessage, type RequestId } from '@modelcontextprotocol/sdk/types.js';
import type { Peer } from '../../../protocol/connection.ts';
import type { HttpRefusal } from '../http-refusal.ts';
import type { EventLog } from './event-log.ts';
import { isListRequest, type SessionTransport } from './session-transport.ts';

export interface SessionLimits {
  /** A session that nobody has used for so long ends, in milliseconds. */
  readonly idleMs: number;
  /** Calls whose client has no connection any more are cancelled after so long, in milliseconds. */
  readonly resumeMs: number;
}

export interface SessionEvents {
  /** Its last connection has closed. */
  onIdle(): void;
  onEnd(): void;
}

/** One client over HTTP. It may have several connections at a time, and none for a while. */
export class Session {
  /** Who opened it; nobody else may use it. */
  readonly peer: Peer;
  readonly #transport: SessionTransport;
  readonly #limits: SessionLimits;
  readonly #onIdle: () => void;
  readonly #log: EventLog;
  /** Requests whose connection broke before the answer. A broken connection is no cancellation (MCP, Streamable HTTP): they go on. */
  readonly #orphans = new Set<RequestId>();
  /** By request, when its connection is closed: with the answer sent, or broken. */
  readonly #answers = new Map<RequestId, Promise<void>>();
  #connections = 0;
  #timers: NodeJS.Timeout[] = [];
  #hasEnded = false;

  constructor(peer: Peer, transport: SessionTransport, log: EventLog, limits: SessionLimits, { onIdle, onEnd }: SessionEvents) {
    this.peer = peer;
    this.#onIdle = onIdle;
    this.#transport = transport;
    this.#log = log;
    this.#limits = limits;
    transport.onclose = () => {
      this.#hasEnded = true;
      this.#stopTimers();
      onEnd();
    };
  }

  /** No stream is open, and no call runs. */
  get isIdle(): boolean {
    return this.#connections === 0 && this.#orphans.size === 0;
  }

  async handle(
    request: IncomingMessage,
    response: ServerResponse,
    message?: Readonly<Record<string, unknown>>,
  ): Promise<HttpRefusal | undefined> {
    if (isRequest(message) && this.#answers.has(message.id))
      return { status: 400, message: 'A request with this id is still running.', code: ErrorCode.InvalidRequest };
    this.#track(response, message);
    if (isListRequest(message)) return void (await this.#transport.answerList(request, response, message));
    const lastId = request.headers['last-event-id'];
    const missed = request.method === 'GET' && typeof lastId === 'string' ? this.#log.missedEvents(lastId) : undefined;
    if (missed !== undefined) return void sendEvents(response, missed);
    lowerCaseAccept(request);
    await this.#transport.handleRequest(request, response, message);
    const cancelled = message?.['method'] === 'notifications/cancelled' ? (message['params'] as { requestId?: RequestId }) : undefined;
    // Nothing follows on the stream of a cancelled request, and the transport would leave it open.
    if (cancelled?.requestId !== undefined) setImmediate(() => this.#transport.closeSSEStream(cancelled.requestId as RequestId));
    return undefined;
  }

  /** Resolves when every request so far has its answer, or has lost its connection. */
  async answered(): Promise<void> {
    await Promise.all(this.#answers.values());
  }

  /** Ends the streams and the running calls. */
  async close(): Promise<void> {
    await this.#transport.close();
  }

  #track(response: ServerResponse, message: Readonly<Record<string, unknown>> | undefined): void {
    this.#connections++;
    this.#stopTimers();
    const closed = new Promise<void>((resolve) => response.once('close', resolve));
    if (isRequest(message)) {
      const { id } = message;
      this.#answers.set(id, closed);
      void closed.then(() => this.#answers.delete(id));
    }
    response.once('close', () => {
      this.#connections--;
      if (!response.writableFinished && isRequest(message)) this.#orphans.add(message.id);
      if (this.#connections > 0) return;
      this.#startTimers();
      this.#onIdle();
    });
  }

  #startTimers(): void {
    if (this.#hasEnded) return;
    const { idleMs, resumeMs } = this.#limits;
    this.#timers = [setTimeout(() => void this.close(), idleMs).unref()];
    if (this.#orphans.size > 0) this.#timers.push(setTimeout(() => this.#cancelOrphans(), resumeMs).unref());
  }

  #cancelOrphans(): void {
    for (const requestId of this.#orphans) {
      const params = { requestId, reason: 'The client has been without a connection for too long.' };
      this.#transport.onmessage?.({ jsonrpc: '2.0', method: 'notifications/cancelled', params } as JSONRPCMessage);
    }
    this.#orphans.clear();
  }

  #stopTimers(): void {
    for (const timer of this.#timers.splice(0)) clearTimeout(timer);
  }
}

/** Case does not matter in media types (RFC 9110, 8.3.1), but the SDK's transport takes lower case only. */
function lowerCaseAccept({ headers, rawHeaders }: IncomingMessage): void {
  if (headers.accept !== undefined) headers.accept = headers.accept.toLowerCase();
  const index = rawHeaders.findIndex((name, position) => position % 2 === 0 && name.toLowerCase() === 'accept');
  if (index >= 0) rawHeaders[index + 1] = (rawHeaders[index + 1] ?? '').toLowerCase();
}

/** Sends the rest of a stream that is over. The SDK's transport would leave the connection open, although nothing can follow. */
function sendEvents(response: ServerResponse, events: readonly { readonly id: string; readonly text: string }[]): void {
  const body = events.map(({ id, text }) => `event: message\nid: ${id}\ndata: ${text}\n\n`).join('');
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache, no-transform' }).end(body);
}

function isRequest(message: Readonly<Record<string, unknown>> | undefined): message is { method: string; id: RequestId } {
  return message?.['method'] !== undefined && message['id'] !== undefined;
}
