import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import type { ProtocolOptions } from '../../../protocol/connection.ts';
import { createProtocolServer } from '../../../protocol/protocol-server.ts';
import type { HttpRefusal } from '../http-refusal.ts';
import { EventLogs } from './event-log.ts';
import { Session, type SessionLimits } from './session.ts';

export interface SessionsOptions extends SessionLimits {
  readonly maxSessions: number;
  readonly protocol: ProtocolOptions;
}

const eventLimits = { maxEvents: 1000, maxBytes: 4 * 1024 * 1024, maxTotalBytes: 64 * 1024 * 1024 };

/** When a client that lost its stream should come back, in milliseconds. */
const retryMs = 1000;

/** The open sessions of a server. */
export class Sessions {
  readonly #options: SessionsOptions;
  readonly #sessions = new Map<string, Session>();
  readonly #logs = new EventLogs(eventLimits);
  /** Sessions that are about to open count as well. */
  #opening = 0;

  constructor(options: SessionsOptions) {
    this.#options = options;
  }

  /** The session that a request names, if it is the caller's. That of another caller is answered like one that does not exist. */
  find({ headers }: IncomingMessage, caller: string): Session | HttpRefusal {
    const id = headers['mcp-session-id'];
    if (typeof id !== 'string')
      return { status: 400, message: 'The header Mcp-Session-Id is required. Open a session with "initialize" first.' };
    const session = this.#sessions.get(id);
    if (session?.caller === caller) return session;
    return { status: 404, message: 'The session does not exist or has ended. Open a new one with "initialize".', code: -32001 };
  }

  /** Opens a session with its `initialize` request. */
  async open(
    request: IncomingMessage,
    response: ServerResponse,
    message: Readonly<Record<string, unknown>>,
    caller: string,
  ): Promise<HttpRefusal | undefined> {
    if (this.#sessions.size + this.#opening >= this.#options.maxSessions)
      return { status: 503, message: 'Too many sessions are open. Try again later.', headers: { 'retry-after': '30' } };
    this.#opening++;
    const log = this.#logs.open();
    const transport: StreamableHTTPServerTransport = new StreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      eventStore: log,
      retryInterval: retryMs,
      onsessioninitialized: (id) => void this.#sessions.set(id, session),
    });
    const session = new Session(caller, transport, log, this.#options, () => {
      if (transport.sessionId !== undefined) this.#sessions.delete(transport.sessionId);
      this.#logs.close(log);
    });
    try {
      const server = createProtocolServer(this.#options.protocol, caller);
      // Asserted: the SDK's own types disagree under exactOptionalPropertyTypes.
      await server.connect(transport as Parameters<typeof server.connect>[0]);
      await session.handle(request, response, message);
    } finally {
      this.#opening--;
      // The transport refused to open the session.
      if (transport.sessionId === undefined) await session.close();
    }
    return undefined;
  }

  /** Resolves when every request that came in has its answer. */
  async answered(): Promise<void> {
    await Promise.all([...this.#sessions.values()].map((session) => session.answered()));
  }

  async close(): Promise<void> {
    await Promise.all([...this.#sessions.values()].map((session) => session.close()));
  }
}
