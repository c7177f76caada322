import { hash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { JsonObject } from '../../../../../kernel/index.ts';
import { halfOfPlaces } from '../../../../shared/fairness/half-of-places.ts';
import { Holdings } from '../../../../shared/fairness/holdings.ts';
import { stopping } from '../../../../shared/http/refusal.ts';
import type { Request } from '../../../../shared/json-rpc/message.ts';
import type { Cluster } from '../../../cluster/cluster.ts';
import type { ProtocolOptions } from '../../../protocol/clients/connection.ts';
import type { HttpRefusal, Replies } from '../reply.ts';
import { requestHeader } from '../request-headers.ts';
import { EventLog, eventLogs } from './event-log.ts';
import { Session, type SessionLimits, type SessionOptions } from './session.ts';
import { endId, holdsInitialize, initializeRequestOf, issueId, mayBeOpen, type SessionIds, sessionIds } from './session-ids.ts';
import type { SharedSession } from './shared/shared-session.ts';

export interface SessionsOptions extends SessionLimits {
  readonly maxSessions: number;
  /** True with several tokens: each caller is a tenant with at most half of the sessions. Otherwise each session is a tenant. */
  readonly hasSeveralCallers: boolean;
  readonly protocol: ProtocolOptions;
}

type FoundSession = Session | HttpRefusal;

/** Maximum number of remembered sessions that ended here. They are not resumed here. */
const maxRememberedEnded = 10_000;

const eventLimits = { maxEvents: 1000, maxBytes: 4 * 1024 * 1024, maxTotalBytes: 64 * 1024 * 1024 };

/** Open sessions of a server. */
export class Sessions {
  readonly #options: SessionsOptions;
  /** Sessions by id. Idle ones are ordered by last use, oldest first. */
  readonly #sessions = new Map<string, Session>();
  /** Digests of the ids of ended sessions, oldest first. */
  readonly #ended = new Set<string>();
  readonly #ids: SessionIds;
  readonly #logs = eventLogs(eventLimits);
  readonly #replies: Replies;
  readonly #cluster: Cluster | undefined;
  readonly #resuming = new Map<string, Promise<FoundSession>>();
  #opened = 0;

  constructor(options: SessionsOptions, replies: Replies) {
    this.#options = options;
    this.#ids = sessionIds(options.protocol.keys);
    this.#replies = replies;
    this.#cluster = options.protocol.cluster;
  }

  /**
   * Finds the session that a request names. Resumes a session of another server with the same key; a promise where processes share sessions.
   * Another caller's session gets the same refusal as an unknown one.
   */
  find(request: IncomingMessage, caller: string): FoundSession | Promise<FoundSession> {
    const id = requestHeader(request, 'mcp-session-id');
    if (id === undefined) return { status: 400, message: 'The header Mcp-Session-Id is required. Open a session with "initialize" first.' };
    const session = this.#sessions.get(id);
    if (session?.peer.caller === caller) return session;
    if (session !== undefined) return unknownSession;
    return this.#cluster === undefined ? this.#resume(id, caller) : this.#resumeOnce(this.#cluster, id, caller);
  }

  /** Returns the tenant of a request: that of its session, or of its caller without a session. */
  tenantOf(request: IncomingMessage, caller: string): string | Promise<string> {
    const session = this.find(request, caller);
    const tenant = (found: FoundSession): string => (found instanceof Session ? found.peer.tenant : caller);
    return session instanceof Promise ? session.then(tenant) : tenant(session);
  }

  /** Opens a session with its `initialize` request. Rejects when other processes must know of it and the store cannot be reached. */
  async open(request: IncomingMessage, response: ServerResponse, message: Request, caller: string): Promise<HttpRefusal | undefined> {
    const id = issueId(this.#ids, message, caller);
    const shared = this.#cluster === undefined ? undefined : await openShared(this.#cluster, digest(id));
    try {
      if (shared !== undefined && !holdsInitialize(id)) await shared.storeInitialize(message, caller);
      const refusal = this.#makeRoom(caller);
      if (refusal === undefined) this.#add(id, caller, { shared }).open(request, response, message);
      else shared?.leave();
      return refusal;
    } catch (error) {
      shared?.leave();
      throw error;
    }
  }

  #resume(id: string, caller: string): FoundSession {
    const opening = this.#ended.has(digest(id)) ? undefined : initializeRequestOf(this.#ids, id, caller);
    // Never a promise where nothing is shared.
    return opening === undefined || opening instanceof Promise ? unknownSession : this.#addResumed(id, caller, opening, {});
  }

  /** Resumes a session once. Concurrent requests wait for the same result. */
  #resumeOnce(cluster: Cluster, id: string, caller: string): Promise<FoundSession> {
    const key = JSON.stringify([id, caller]);
    const known = this.#resuming.get(key);
    if (known !== undefined) return known;
    const resuming = this.#resumeShared(cluster, id, caller).finally(() => this.#resuming.delete(key));
    this.#resuming.set(key, resuming);
    return resuming;
  }

  async #resumeShared(cluster: Cluster, id: string, caller: string): Promise<FoundSession> {
    const name = digest(id);
    if (this.#ended.has(name) || !mayBeOpen(this.#ids, id, caller)) return unknownSession;
    // From here on the handle learns when the client ends the session.
    const shared = await openShared(cluster, name);
    let found: FoundSession = unknownSession;
    try {
      const isCarried = holdsInitialize(id);
      const [opening] = await Promise.all([
        isCarried ? initializeRequestOf(this.#ids, id, caller) : storedInitializeRequest(shared, caller),
        shared.loadSettings(),
      ]);
      if (opening !== undefined && !shared.hasEnded) found = this.#addResumed(id, caller, opening, { shared });
      return found;
    } finally {
      if (!(found instanceof Session)) shared.leave();
    }
  }

  #addResumed(id: string, caller: string, initializeRequest: Request, more: Partial<SessionOptions>): FoundSession {
    const { kernel } = this.#options.protocol.catalog;
    if (kernel.closing.aborted) return stopping;
    const refusal = this.#makeRoom(caller);
    if (refusal !== undefined) return refusal;
    kernel.logger.debug('a session of another server goes on', { caller });
    return this.#add(id, caller, { ...more, resumedFrom: initializeRequest });
  }

  #add(id: string, caller: string, more: Partial<SessionOptions>): Session {
    this.#opened++;
    // Not the id, which is a secret.
    const name = more.shared === undefined ? String(this.#opened) : digest(id).slice(0, 12);
    const tenant = this.#options.hasSeveralCallers ? caller : `session ${name}`;
    const { shared } = more;
    const log = new EventLog(this.#logs, tenant, shared === undefined ? undefined : { name: shared.label, record: shared.record() });
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
        // A shared session that ends only here continues at other processes, and is resumed by its next request.
        if (shared === undefined) this.#remember(id);
        log.close();
      },
      onDelete: () => {
        const isKnown = endId(this.#ids, id);
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
    if (this.#ended.size > maxRememberedEnded) this.#ended.delete(oldest);
  }

  /** Ends a caller's sessions at all processes, for good, as their clients would. */
  endAllOf(caller: string): void {
    for (const session of [...this.#sessions.values()].filter(({ peer }) => peer.caller === caller)) void session.end();
  }

  /** Number of open sessions by caller. */
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

  #counts(): Holdings<string> {
    const counts = new Holdings<string>();
    for (const { peer } of this.#sessions.values()) counts.add(peer.caller, 1);
    return counts;
  }

  /** Makes room for a new session, and may end an idle one for it. A caller at its own limit ends no other caller's session. */
  #makeRoom(caller: string): HttpRefusal | undefined {
    const { maxSessions, hasSeveralCallers } = this.#options;
    const counts = this.#counts();
    const ofCaller = counts.of(caller);
    const share = hasSeveralCallers ? halfOfPlaces(maxSessions) : maxSessions;
    if (ofCaller < share && this.#sessions.size < maxSessions) return undefined;
    const idle = [...this.#sessions.values()].filter(({ isIdle }) => isIdle);
    const idleOwners = new Set(idle.map(({ peer }) => peer.caller));
    const mayGiveWay = (owner: string): boolean =>
      idleOwners.has(owner) && (owner === caller || (ofCaller < share && counts.of(owner) > ofCaller));
    const owner = counts.largest({ among: mayGiveWay });
    const leaving = idle.find(({ peer }) => peer.caller === owner);
    if (leaving === undefined) return tooManySessions(hasSeveralCallers && ofCaller >= share ? ofCaller : undefined);
    this.#sessions.delete(leaving.id);
    void leaving.close();
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

/** Returns the stored `initialize` of this caller's session, whose id does not carry it. */
async function storedInitializeRequest(shared: SharedSession, caller: string): Promise<Request | undefined> {
  const { caller: owner, ...opening } = (await shared.storedInitialize()) ?? {};
  return owner === caller ? ({ ...opening, id: 'revived' } as Request) : undefined;
}

/** Returns a digest, which is shorter than an id may be. */
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

/** Returns the refusal of a new session. `share`: number of the caller's sessions, when the caller has reached its own limit. */
function tooManySessions(share: number | undefined): HttpRefusal {
  const whose = share === undefined ? 'Too many sessions are open' : `Your ${share} sessions are all that one caller may have`;
  return {
    status: 503,
    message: `${whose}, and all of them are in use. End one with DELETE, or try again later.`,
    headers: { 'retry-after': '30' },
  };
}
