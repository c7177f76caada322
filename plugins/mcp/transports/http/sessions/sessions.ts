import { hash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { JsonObject } from '../../../../../kernel/index.ts';
import type { Cluster } from '../../../cluster/cluster.ts';
import type { ProtocolOptions } from '../../../protocol/connection.ts';
import type { Request } from '../../../protocol/messages.ts';
import type { HttpRefusal } from '../http-refusal.ts';
import type { Replies } from '../replies.ts';
import { requestHeader } from '../request-headers.ts';
import { EventLogs } from './event-log.ts';
import { Session, type SessionLimits, type SessionOptions } from './session.ts';
import { SessionIds } from './session-ids.ts';
import type { SharedSession } from './shared/shared-session.ts';

export interface SessionsOptions extends SessionLimits {
  readonly maxSessions: number;
  /** There are several tokens: a caller is a tenant, and has half of the places at most. Otherwise each session is a tenant. */
  readonly hasSeveralCallers: boolean;
  readonly protocol: ProtocolOptions;
}

type Found = Session | HttpRefusal;

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
  readonly #cluster: Cluster | undefined;
  readonly #reviving = new Map<string, Promise<Found>>();
  #opened = 0;

  constructor(options: SessionsOptions, replies: Replies) {
    this.#options = options;
    this.#ids = new SessionIds(options.protocol.keys);
    this.#replies = replies;
    this.#cluster = options.protocol.cluster;
  }

  /**
   * The session that a request names, if it is the caller's. One that a server with the same key had is revived; a promise where other processes may
   * have it. That of another caller is answered like one that does not exist.
   */
  find(request: IncomingMessage, caller: string): Found | Promise<Found> {
    const id = requestHeader(request, 'mcp-session-id');
    if (id === undefined) return { status: 400, message: 'The header Mcp-Session-Id is required. Open a session with "initialize" first.' };
    const session = this.#sessions.get(id);
    if (session?.peer.caller === caller) return session;
    if (session !== undefined) return unknownSession;
    return this.#cluster === undefined ? this.#revive(id, caller) : this.#reviveOnce(this.#cluster, id, caller);
  }

  /** Whose share a request uses: that of its session, or of its caller where it names none. */
  tenantOf(request: IncomingMessage, caller: string): string | Promise<string> {
    const session = this.find(request, caller);
    const tenant = (found: Found): string => (found instanceof Session ? found.peer.tenant : caller);
    return session instanceof Promise ? session.then(tenant) : tenant(session);
  }

  /** Opens a session with its `initialize` request. Rejects where other processes have to know of it and the store cannot be reached. */
  async open(request: IncomingMessage, response: ServerResponse, message: Request, caller: string): Promise<HttpRefusal | undefined> {
    const id = this.#ids.issue(message, caller);
    const shared = this.#cluster === undefined ? undefined : await openShared(this.#cluster, digest(id));
    try {
      if (shared !== undefined && !this.#ids.isCarried(id)) await shared.keepOpening(message, caller);
      const refusal = this.#makeRoom(caller);
      if (refusal === undefined) this.#add(id, caller, { shared }).open(request, response, message);
      else shared?.leave();
      return refusal;
    } catch (error) {
      shared?.leave();
      throw error;
    }
  }

  #revive(id: string, caller: string): Found {
    const opening = this.#ended.has(digest(id)) ? undefined : this.#ids.openingOf(id, caller);
    // What is no promise where nothing is shared.
    return opening === undefined || opening instanceof Promise ? unknownSession : this.#goOn(id, caller, opening, {});
  }

  /** Requests that come meanwhile wait for the same one. */
  #reviveOnce(cluster: Cluster, id: string, caller: string): Promise<Found> {
    const key = JSON.stringify([id, caller]);
    const known = this.#reviving.get(key);
    if (known !== undefined) return known;
    const reviving = this.#reviveShared(cluster, id, caller).finally(() => this.#reviving.delete(key));
    this.#reviving.set(key, reviving);
    return reviving;
  }

  async #reviveShared(cluster: Cluster, id: string, caller: string): Promise<Found> {
    const name = digest(id);
    if (this.#ended.has(name) || !this.#ids.mayBeOpen(id, caller)) return unknownSession;
    // It hears from here on whether its client ends it.
    const shared = await openShared(cluster, name);
    let found: Found = unknownSession;
    try {
      const isCarried = this.#ids.isCarried(id);
      const [kept, opening] = await Promise.all([shared.kept(), isCarried ? this.#ids.openingOf(id, caller) : openingOf(shared, caller)]);
      if (opening !== undefined && !shared.hasEnded) found = this.#goOn(id, caller, opening, { shared, kept });
      return found;
    } finally {
      if (!(found instanceof Session)) shared.leave();
    }
  }

  #goOn(id: string, caller: string, revived: Request, more: Partial<SessionOptions>): Found {
    const { kernel } = this.#options.protocol.catalog;
    if (kernel.closing.aborted) return stopping;
    const refusal = this.#makeRoom(caller);
    if (refusal !== undefined) return refusal;
    kernel.logger.debug('a session of another server goes on', { caller });
    return this.#add(id, caller, { ...more, revived });
  }

  #add(id: string, caller: string, more: Partial<SessionOptions>): Session {
    this.#opened++;
    // Not the id, with which whoever knows it could use the session.
    const name = more.shared === undefined ? String(this.#opened) : digest(id).slice(0, 12);
    const tenant = this.#options.hasSeveralCallers ? caller : `session ${name}`;
    const { shared } = more;
    const log = this.#logs.open(tenant, shared === undefined ? undefined : { name: shared.label, record: shared.record() });
    const session: Session = new Session({
      ...this.#options,
      ...this.#replies,
      ...more,
      id,
      peer: { caller, tenant },
      log,
      onIdle: () => this.#toEnd(session),
      onEnd: () => {
        this.#sessions.delete(id);
        // What ends only here goes on at the other processes, and comes back with its next request.
        if (shared === undefined) this.#remember(id);
        this.#logs.close(tenant, log);
      },
      onDelete: () => {
        const isKnown = this.#ids.end(id);
        return shared === undefined ? undefined : this.#endShared(id, shared, isKnown);
      },
      onDeleted: () => this.#remember(id),
    });
    this.#sessions.set(id, session);
    return session;
  }

  async #endShared(id: string, shared: SharedSession, isKnown: boolean | Promise<boolean>): Promise<HttpRefusal | undefined> {
    if (!(await isKnown)) return notEnded;
    this.#remember(id);
    await shared.end();
    return undefined;
  }

  #remember(id: string): void {
    this.#ended.add(digest(id));
    const [oldest = ''] = this.#ended;
    if (this.#ended.size > maxEnded) this.#ended.delete(oldest);
  }

  /** Ends the sessions of a caller as their clients would: at all processes, and for good. */
  endAllOf(caller: string): void {
    for (const session of [...this.#sessions.values()].filter(({ peer }) => peer.caller === caller)) void session.end();
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

async function openShared(cluster: Cluster, name: string): Promise<SharedSession> {
  await Promise.all([cluster.sessions.listen(), cluster.processes.begin()]);
  const { SharedSession: Shared } = await import('./shared/shared-session.ts');
  return new Shared(cluster, name);
}

/** With what a session of this caller began whose id does not carry it. */
async function openingOf(shared: SharedSession, caller: string): Promise<Request | undefined> {
  const { caller: owner, ...opening } = (await shared.opening()) ?? {};
  return owner === caller ? ({ ...opening, id: 'revived' } as Request) : undefined;
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

const notEnded: HttpRefusal = {
  status: 503,
  message: 'The session was not ended, because the store of the server cannot be reached. Try again later.',
  headers: { 'retry-after': '5' },
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
