import { createHash } from 'node:crypto';
import { type Logger, messageOf, ToolkitError } from '../../kernel/index.ts';
import type { Connection } from './connection.ts';
import type { AccountOwner } from './login/account-owner.ts';
import type { ConnectionLogin } from './login/server-login.ts';

/** Connections of one server at the same time; the one that was idle longest is ended for another. */
const maxConnections = 64;

/** The owner and the secrets of a connection. */
export interface ConnectionOwner {
  /** The caller whose connection it is; undefined for the shared one. */
  readonly caller?: string;
  /** `env` or `headers`, with the secrets in them. */
  readonly values: Readonly<Record<string, string>>;
  /** The login whose tokens it sends. */
  readonly login?: ConnectionLogin;
}

type Open = (owner: ConnectionOwner, signal: AbortSignal) => Promise<Connection>;

/** The connections of one server: one for each owner and credential. Each attempt goes on when the request that began it gives up. */
export class Connections {
  readonly #open: Open;
  readonly #logger: Logger;
  readonly #idleStopMs: number | undefined;
  readonly #closing = new AbortController();
  readonly #attempts = new Map<string, { readonly connection: Promise<Connection>; readonly startedAt: number }>();
  readonly #ends = new Set<Promise<void>>();
  readonly #opened = new Map<string, Connection>();
  readonly #logins = new WeakMap<Connection, ConnectionLogin>();
  #timer: NodeJS.Timeout | undefined;

  constructor(open: Open, logger: Logger, idleStopMs: number | undefined) {
    this.#open = open;
    this.#logger = logger;
    this.#idleStopMs = idleStopMs;
  }

  get all(): readonly Connection[] {
    return [...this.#opened.values()];
  }

  /** Returns the open connection of this owner, if there is one. */
  opened(owner: ConnectionOwner): Connection | undefined {
    const connection = this.#opened.get(keyOf(owner));
    return connection?.isOpen === true ? connection : undefined;
  }

  /** Returns how long an attempt for this owner has been running, in milliseconds; 0 without one. */
  attemptMs(owner: ConnectionOwner): number {
    const attempt = this.#attempts.get(keyOf(owner));
    return attempt === undefined ? 0 : performance.now() - attempt.startedAt;
  }

  /** Returns the connection of this owner, or the running attempt, or begins one. */
  get(owner: ConnectionOwner): Connection | Promise<Connection> {
    const open = this.opened(owner);
    if (open !== undefined) return open;
    const key = keyOf(owner);
    const running = this.#attempts.get(key);
    if (running !== undefined) return running.connection;
    const attempt = this.#attempt(key, owner).finally(() => this.#attempts.delete(key));
    // Rejections are seen by those who wait; there may be none.
    attempt.catch(() => {});
    this.#attempts.set(key, { connection: attempt, startedAt: performance.now() });
    return attempt;
  }

  /** Ends a connection, so that the next request gets a new one. */
  retire(connection: Connection): void {
    for (const [key, one] of this.#opened) if (one === connection) this.#opened.delete(key);
    const end = connection.close().catch((error: unknown) => this.#logger.warn(`a connection could not be ended: ${messageOf(error)}`));
    this.#ends.add(end);
    void end.finally(() => this.#ends.delete(end));
  }

  /** Ends the idle connections of an owner whose login differs from `current`; all of them without one. Running calls come to their end. */
  retireLogins({ tenant, caller }: AccountOwner, current?: ConnectionLogin): void {
    for (const connection of this.all) {
      const login = this.#logins.get(connection);
      if (connection.running > 0 || login?.tenant !== tenant || login.caller !== caller) continue;
      if (login.id !== current?.id) this.retire(connection);
    }
  }

  /** Ends all connections and attempts. Resolves when nothing of them is left. */
  async close(): Promise<void> {
    this.#closing.abort(new ToolkitError('ABORTED', 'The kernel is closing.'));
    clearInterval(this.#timer);
    for (const connection of this.all) this.retire(connection);
    await Promise.allSettled([...this.#attempts.values()].map(({ connection }) => connection));
    for (const connection of this.all) this.retire(connection);
    await Promise.all(this.#ends);
  }

  async #attempt(key: string, owner: ConnectionOwner): Promise<Connection> {
    this.#closing.signal.throwIfAborted();
    this.#makeRoom();
    const connection = await this.#open(owner, this.#closing.signal);
    // Another secret, perhaps: the connection with the earlier one ends when it is idle.
    this.#opened.set(key, connection);
    if (owner.login !== undefined) this.#logins.set(connection, owner.login);
    void connection.closed.then(() => {
      if (this.#opened.get(key) === connection) this.#opened.delete(key);
    });
    this.#watchIdle();
    return connection;
  }

  #makeRoom(): void {
    if (this.#opened.size + this.#attempts.size < maxConnections) return;
    const [idle] = this.all.filter(({ running }) => running === 0).sort((one, other) => one.usedAt - other.usedAt);
    if (idle === undefined)
      throw new ToolkitError('RATE_LIMITED', `${maxConnections} callers use this MCP server at the same time. Try again soon.`, {});
    this.retire(idle);
  }

  #watchIdle(): void {
    if (this.#idleStopMs === undefined || this.#timer !== undefined) return;
    const idleStopMs = this.#idleStopMs;
    this.#timer = setInterval(
      () => {
        for (const connection of this.all)
          if (connection.running === 0 && !connection.isWatched && performance.now() - connection.usedAt >= idleStopMs)
            this.retire(connection);
        if (this.#opened.size > 0) return;
        clearInterval(this.#timer);
        this.#timer = undefined;
      },
      Math.max(10, idleStopMs / 4),
    ).unref();
  }
}

/** Returns a key of the owner and the secrets, without showing them. The digest of the same values is computed once. */
function keyOf({ caller, values, login }: ConnectionOwner): string {
  let digest = digests.get(values);
  if (digest === undefined) {
    digest = createHash('sha256')
      .update(JSON.stringify(Object.entries(values).sort()))
      .digest('hex');
    digests.set(values, digest);
  }
  const own = caller === undefined ? digest : `${digest} ${caller}`;
  return login === undefined ? own : JSON.stringify([own, login.tenant, login.caller, login.id]);
}

const digests = new WeakMap<ConnectionOwner['values'], string>();
