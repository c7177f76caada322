import { hash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { JsonObject } from '../../../../../kernel/index.ts';
import type { ProtocolOptions } from '../../../protocol/connection.ts';
import type { Request } from '../../../protocol/messages.ts';
import type { HttpRefusal } from '../http-refusal.ts';
import type { Replies } from '../replies.ts';
import { EventLogs } from './event-log.ts';
import { Session, type SessionLimits } from './session.ts';
import { SessionIds } from './session-ids.ts';

export interface SessionsOptions extends SessionLimits {
  readonly maxSessions: number;
  /** There are several tokens: a caller is a tenant, and has half of the places at most. Otherwise each session is a tenant. */
  readonly hasSeveralCallers: boolean;
  readonly protocol: ProtocolOptions;
}

/** So many sessions that ended here are known, and not revived here. */
const maxEnded = 10_000;

const eventLimits = { maxEvents: 1000, maxBytes: 4 * 1024 * 1024, maxTotalBytes: 64 * 1024 * 1024 };

/** The open sessions of a server. */
export class Sessions {
  readonly #options: SessionsOptions;
  /** By id; of those that are idle, the one that was not used for longest comes first. */
  readonly #sessions = new Map<string, Session>();
  /** Digests of their ids, the oldest first. */
  readonly #ended = new Set<string>();
  readonly #ids: SessionIds;
  readonly #logs = new EventLogs(eventLimits);
  readonly #replies: Replies;
  #opened = 0;

  constructor(options: SessionsOptions, replies: Replies) {
    this.#options = options;
    this.#ids = new SessionIds(options.protocol.keys);
    this.#replies = replies;
  }

  /**
   * The session that a request names, if it is the caller's. One that a server with the same key had is revived. That of another caller is answered
   * like one that does not exist.
   */
  find({ headers }: IncomingMessage, caller: string): Session | HttpRefusal {
    const id = headers['mcp-session-id'];
    if (typeof id !== 'string')
      return { status: 400, message: 'The header Mcp-Session-Id is required. Open a session with "initialize" first.' };
    const session = this.#sessions.get(id);
    if (session?.peer.caller === caller) return session;
    return (session === undefined ? this.#revive(id, caller) : undefined) ?? unknownSession;
  }

  /** Whose share a request uses: that of its session, or of its caller where it names none. */
  tenantOf(request: IncomingMessage, caller: string): string {
    const session = this.find(request, caller);
    return session instanceof Session ? session.peer.tenant : caller;
  }

  /** Opens a session with its `initialize` request. */
  async open(request: IncomingMessage, response: ServerResponse, message: Request, caller: string): Promise<HttpRefusal | undefined> {
    const refusal = this.#makeRoom(caller);
    if (refusal !== undefined) return refusal;
    this.#add(this.#ids.issue(message, caller), caller).open(request, response, message);
    return undefined;
  }

  #revive(id: string, caller: string): Session | HttpRefusal | undefined {
    const revived = this.#ended.has(digest(id)) ? undefined : this.#ids.openingOf(id, caller);
    if (revived === undefined) return undefined;
    const { kernel } = this.#options.protocol.catalog;
    if (kernel.closing.aborted) return stopping;
    const refusal = this.#makeRoom(caller);
    if (refusal !== undefined) return refusal;
    kernel.logger.debug('a session of a server of before goes on', { caller });
    return this.#add(id, caller, revived);
  }

  #add(id: string, caller: string, revived?: Request): Session {
    this.#opened++;
    // Not the id, with which whoever knows it could use the session.
    const tenant = this.#options.hasSeveralCallers ? caller : `session ${this.#opened}`;
    const log = this.#logs.open(tenant);
    const session: Session = new Session({
      ...this.#options,
      ...this.#replies,
      id,
      ...(revived === undefined ? {} : { revived }),
      peer: { caller, tenant },
      log,
      onIdle: () => this.#toEnd(session),
      onEnd: () => {
        this.#sessions.delete(id);
        this.#remember(id);
        this.#logs.close(tenant, log);
      },
      onDelete: () => this.#ids.end(id),
    });
    this.#sessions.set(id, session);
    return session;
  }

  #remember(id: string): void {
    this.#ended.add(digest(id));
    const [oldest = ''] = this.#ended;
    if (this.#ended.size > maxEnded) this.#ended.delete(oldest);
  }

  /** How many are open, by caller. */
  get status(): JsonObject {
    return { open: this.#sessions.size, maxSessions: this.#options.maxSessions, callers: Object.fromEntries(this.#counts()) };
  }

  /** Resolves when every request that came in has its answer. */
  async answered(): Promise<void> {
    await Promise.all([...this.#sessions.values()].map((session) => session.answered()));
  }

  async close(): Promise<void> {
    await Promise.all([...this.#sessions.values()].map((session) => session.close()));
  }

  #counts(): ReadonlyMap<string, number> {
    const counts = new Map<string, number>();
    for (const { peer } of this.#sessions.values()) counts.set(peer.caller, (counts.get(peer.caller) ?? 0) + 1);
    return counts;
  }

  /** Sees to it that the caller can open one more: an idle session may have to end for it. Nobody's gives way to a caller who has as many. */
  #makeRoom(caller: string): HttpRefusal | undefined {
    const { maxSessions, hasSeveralCallers } = this.#options;
    const counts = this.#counts();
    const countOf = (name: string): number => counts.get(name) ?? 0;
    const mine = countOf(caller);
    const share = hasSeveralCallers ? Math.max(1, Math.floor(maxSessions / 2)) : maxSessions;
    if (mine < share && this.#sessions.size < maxSessions) return undefined;
    let leaving: readonly [string, Session] | undefined;
    for (const [id, session] of this.#sessions) {
      const owner = session.peer.caller;
      const mayLeave = session.isIdle && (owner === caller || (mine < share && countOf(owner) > mine));
      if (mayLeave && (leaving === undefined || countOf(owner) > countOf(leaving[1].peer.caller))) leaving = [id, session];
    }
    if (leaving === undefined) return noRoom(hasSeveralCallers && mine >= share ? mine : undefined);
    const [id, session] = leaving;
    this.#sessions.delete(id);
    void session.close();
    return undefined;
  }

  #toEnd(session: Session): void {
    if (this.#sessions.delete(session.id)) this.#sessions.set(session.id, session);
  }
}

/** Shorter than the id may be. */
function digest(id: string): string {
  return hash('sha256', id, 'base64url');
}

const unknownSession: HttpRefusal = {
  status: 404,
  message: 'The session does not exist or has ended. Open a new one with "initialize".',
  code: -32001,
};

/** The answer of a server that takes no new sessions any more. */
export const stopping: HttpRefusal = { status: 503, message: 'The server is stopping.', headers: { 'retry-after': '30' } };

/** `share` is how many the caller has, where these are all that it may have. */
function noRoom(share: number | undefined): HttpRefusal {
  const whose = share === undefined ? 'Too many sessions are open' : `Your ${share} sessions are all that one caller may have`;
  return {
    status: 503,
    message: `${whose}, and all of them are in use. End one with DELETE, or try again later.`,
    headers: { 'retry-after': '30' },
  };
}
