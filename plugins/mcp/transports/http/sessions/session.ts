import type { IncomingMessage, ServerResponse } from 'node:http';
import type { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { ErrorCode, type JSONRPCMessage, type RequestId } from '@modelcontextprotocol/sdk/types.js';
import type { Refusal } from '../request-checks.ts';
import type { EventLog } from './event-log.ts';

export interface SessionLimits {
  /** A session that nobody has used for so long ends, in milliseconds. */
  readonly idleMs: number;
  /** Calls whose client has no connection any more are cancelled after so long, in milliseconds. */
  readonly resumeMs: number;
}

/** One client over HTTP: it may have several connections, and none for a while. */
export class Session {
  /** Who opened it; nobody else may use it. */
  readonly caller: string;
  readonly #transport: StreamableHTTPServerTransport;
  readonly #limits: SessionLimits;
  readonly #log: EventLog;
  /** Requests whose connection broke before the answer. A broken connection is no cancellation (MCP, Streamable HTTP): they go on. */
  readonly #orphans = new Set<RequestId>();
  /** Answers on their way, by request. */
  readonly #answers = new Map<RequestId, Promise<void>>();
  #connections = 0;
  #timers: NodeJS.Timeout[] = [];
  #hasEnded = false;

  constructor(caller: string, transport: StreamableHTTPServerTransport, log: EventLog, limits: SessionLimits, onEnd: () => void) {
    this.caller = caller;
    this.#transport = transport;
    this.#log = log;
    this.#limits = limits;
    transport.onclose = () => {
      this.#hasEnded = true;
      this.#stopTimers();
      onEnd();
    };
  }

  async handle(
    request: IncomingMessage,
    response: ServerResponse,
    message?: Readonly<Record<string, unknown>>,
  ): Promise<Refusal | undefined> {
    if (isRequest(message) && this.#answers.has(message.id))
      return { status: 400, message: 'A request with this id is still running.', code: ErrorCode.InvalidRequest };
    this.#carry(response, message);
    const lastId = request.headers['last-event-id'];
    const rest = request.method === 'GET' && typeof lastId === 'string' ? this.#log.endOf(lastId) : undefined;
    if (rest !== undefined) return void sendEvents(response, rest);
    acceptAsWritten(request);
    await this.#transport.handleRequest(request, response, message);
    const cancelled = message?.['method'] === 'notifications/cancelled' ? (message['params'] as { requestId?: RequestId }) : undefined;
    // Nothing follows on the stream of a cancelled request, and the transport would leave it open.
    if (cancelled?.requestId !== undefined) setImmediate(() => this.#transport.closeSSEStream(cancelled.requestId as RequestId));
    return undefined;
  }

  async answered(): Promise<void> {
    await Promise.all(this.#answers.values());
  }

  /** Ends the streams and the running calls. */
  async close(): Promise<void> {
    await this.#transport.close();
  }

  #carry(response: ServerResponse, message: Readonly<Record<string, unknown>> | undefined): void {
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
      if (this.#connections === 0) this.#rest();
    });
  }

  #rest(): void {
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

/** Media types have no case (RFC 9110, 8.3.1), but the transport looks for small letters. */
function acceptAsWritten({ headers, rawHeaders }: IncomingMessage): void {
  if (headers.accept !== undefined) headers.accept = headers.accept.toLowerCase();
  const index = rawHeaders.findIndex((name, place) => place % 2 === 0 && name.toLowerCase() === 'accept');
  if (index >= 0) rawHeaders[index + 1] = (rawHeaders[index + 1] ?? '').toLowerCase();
}

/** The transport would leave the stream open, although nothing can follow. */
function sendEvents(response: ServerResponse, events: readonly { readonly id: string; readonly text: string }[]): void {
  const body = events.map(({ id, text }) => `event: message\nid: ${id}\ndata: ${text}\n\n`).join('');
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache, no-transform' }).end(body);
}

function isRequest(message: Readonly<Record<string, unknown>> | undefined): message is { method: string; id: RequestId } {
  return message?.['method'] !== undefined && message['id'] !== undefined;
}
