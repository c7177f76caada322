import path from 'node:path';
import {
  type CallContext,
  type ErrorCode,
  type JsonObject,
  type Launcher,
  type Logger,
  messageOf,
  type OutboundFetch,
  type PluginApi,
  type SourceAccess,
  ToolkitError,
} from '../../kernel/index.ts';
import { CallQueue } from './call-queue.ts';
import type { KnownEra } from './connect/open-client.ts';
import { serverLaunch } from './connect/server-launch.ts';
import { Connection } from './connection.ts';
import { type ConnectionOwner, Connections } from './connections.ts';
import type { CountChild } from './gauges.ts';
import { type AccountOwner, operator } from './login/account-owner.ts';
import { loginOffered, watchOffers } from './login/login-offer.ts';
import type { ConnectionLogin, ServerLogin } from './login/server-login.ts';
import type { ServerLists } from './server-lists.ts';
import { type ResolveSecrets, type SecretServices, ServerValues } from './server-values.ts';
import type { ServerSettings } from './settings.ts';

/** Time that a request waits for a server that is down, in milliseconds. */
const downWaitMs = 2000;

/** Time that a request waits for a server that starts, in milliseconds. */
const startWaitMs = 15_000;

export type UpstreamState = 'stopped' | 'starting' | 'ready' | 'down' | 'needs-auth';

/** The services of the kernel. */
export interface UpstreamServices extends Pick<PluginApi, 'logger' | 'cwd'>, SecretServices {
  /** The launcher of programs, where a plugin has set one. */
  readonly launcher: () => Launcher | undefined;
  /** Called with the end of each process that has begun. */
  readonly onStart?: CountChild;
}

/** Ways of one server to the outside. */
export interface UpstreamDoors {
  readonly access: () => SourceAccess;
  /** The logins of a server with `auth: oauth`. */
  readonly login?: ServerLogin | undefined;
}

/** The caller of a request. @default accountTenant: tenant, else the caller */
export type Requester = Pick<CallContext, 'caller'> & Partial<Pick<CallContext, 'tenant' | 'accountTenant'>>;

function isCode(error: unknown, code: ErrorCode): error is ToolkitError {
  return ToolkitError.is(error) && error.code === code;
}

/** One server: its state, its connections, and the lists that it gave last. */
export class Upstream {
  readonly settings: ServerSettings;
  readonly queue: CallQueue;
  readonly values: ServerValues;
  /** The logins of a server with `auth: oauth`. */
  readonly login: ServerLogin | undefined;
  /** The lists that the server gave last to the operator; undefined while none is known. */
  observed: ServerLists | undefined;
  /** The failure of the last attempt to reach it. */
  failure: ToolkitError | undefined;
  /** Called when the lists may have changed, or cannot be read. */
  onChange: (error?: unknown) => void = () => {};
  /** True when a listing of it was given. */
  isListed = false;
  readonly #api: UpstreamServices;
  readonly #access: () => SourceAccess;
  readonly #connections: Connections;
  readonly #known: KnownEra = {};
  #reading: Promise<void> | undefined;
  #isStarting = false;
  #isOneByOne = false;
  #starts = 0;

  constructor(settings: ServerSettings, api: UpstreamServices, { access, login }: UpstreamDoors) {
    this.settings = settings;
    this.#api = api;
    this.#access = access;
    this.login = login;
    this.values = new ServerValues(settings, api);
    this.queue = new CallQueue(settings.name, settings.concurrency, settings.queue);
    const { idleStopMs = settings.perCaller ? 300_000 : undefined } = settings;
    this.#connections = new Connections((owner, signal) => this.#connect(owner, signal), api.logger, idleStopMs);
  }

  get state(): UpstreamState {
    if (this.#isStarting) return 'starting';
    if (this.failure !== undefined) return isAuthFailure(this.failure) ? 'needs-auth' : 'down';
    return this.#connections.all.length > 0 ? 'ready' : 'stopped';
  }

  /** False for a server without an entry, and where each caller has secrets, and lists, of its own. */
  get comparesEarly(): boolean {
    return this.isListed && !this.settings.isOfCallers && this.observed === undefined;
  }

  get logger(): Logger {
    return this.#api.logger;
  }

  /** Masks the secrets of the kernel. */
  mask<T>(value: T): T {
    return this.#api.kernel.mask(value);
  }

  /** Returns figures for operators, without secrets. */
  get status(): JsonObject {
    const [first] = this.#connections.all;
    return {
      state: this.state,
      connections: this.#connections.all.length,
      starts: this.#starts,
      running: this.queue.running,
      queued: this.queue.queued,
      ...(first?.version === undefined ? {} : { version: first.version }),
      ...(this.failure === undefined ? {} : { failure: this.failure.message }),
      ...(this.failure?.details['offersLogin'] === true ? { offersLogin: true } : {}),
    };
  }

  /** Reads the lists of the server with the operator's own connection. Throws an error that names the server. */
  async observe(): Promise<ServerLists> {
    const connection = await this.operatorConnection();
    this.observed = connection.lists;
    return connection.lists;
  }

  /** Returns the operator's own connection. Throws an error that names the server. */
  async operatorConnection(): Promise<Connection> {
    try {
      const login = await this.#currentLogin(operator, AbortSignal.timeout(this.settings.startTimeoutMs));
      return await this.#connections.get({ ...login, values: await this.values.render(this.values.ofOperator) });
    } catch (error) {
      if (isCode(error, 'AUTH_REQUIRED')) this.failure = error;
      throw error;
    }
  }

  /** Begins to observe the server, unless it does already. Reports the end by `onChange`. */
  observeLater(): void {
    this.#reading ??= this.observe()
      .then(
        () => this.onChange(),
        (error: unknown) => this.onChange(error),
      )
      .finally(() => {
        this.#reading = undefined;
      });
  }

  /**
   * Returns a connection for a request. Waits for one at most two seconds where the server is down, and longer while it starts. Throws
   * UPSTREAM_UNAVAILABLE then; the attempt goes on.
   */
  async connectionFor(
    { caller, tenant = caller, accountTenant = tenant }: Requester,
    secrets: ResolveSecrets,
    signal: AbortSignal,
  ): Promise<Connection> {
    const { perCaller, auth, name } = this.settings;
    const values = await this.values.render(auth === 'caller' ? secrets : this.values.ofOperator);
    const owner = {
      ...(perCaller ? { caller } : {}),
      values,
      ...(await this.#currentLogin({ caller, tenant: accountTenant }, signal, true)),
    };
    const known = this.#connections.opened(owner);
    // The server may still ask for calls that were given up: with another process it is certain again whose call asks.
    if (known !== undefined && this.#isOneByOne && known.hasAbandoned && known.running === 0) this.#connections.retire(known);
    else if (known !== undefined) return known;
    // One that has not answered for long enough counts as down.
    const failure = (): ToolkitError | undefined => (this.failure?.code === 'AUTH_REQUIRED' ? undefined : this.failure);
    const isDown = failure() !== undefined || this.#connections.attemptMs(owner) > downWaitMs;
    const waitMs = isDown ? downWaitMs : startWaitMs;
    let timer: NodeJS.Timeout | undefined;
    let stop = (): void => {};
    const late = new Promise<never>((_resolve, reject) => {
      const message = `The MCP server "${name}" does not answer yet: waited ${waitMs / 1000} s. Try again soon.`;
      const details = { server: name, retryAfterMs: 1000 };
      timer = setTimeout(() => reject(failure() ?? new ToolkitError('UPSTREAM_UNAVAILABLE', message, details)), waitMs);
      stop = () => reject(signal.reason as Error);
      signal.addEventListener('abort', stop, { once: true });
    });
    try {
      signal.throwIfAborted();
      return await Promise.race([this.#connections.get(owner), late]);
    } finally {
      clearTimeout(timer);
      signal.removeEventListener('abort', stop);
    }
  }

  /** Returns the login for a request as it is now, as a member, and ends the connections of earlier ones. Throws AUTH_REQUIRED without one. */
  async #currentLogin(requester: AccountOwner, signal: AbortSignal, isForCaller = false): Promise<{ readonly login?: ConnectionLogin }> {
    if (this.login === undefined) return {};
    const owner = this.login.ownerOf(requester);
    try {
      const login = await this.login.current(owner, signal, isForCaller);
      this.#connections.retireLogins(owner, login);
      return { login };
    } catch (error) {
      if (isCode(error, 'AUTH_REQUIRED') && !error.retryable) this.#connections.retireLogins(owner);
      throw error;
    }
  }

  /** Ends a connection that the server no longer knows. */
  retire(connection: Connection): void {
    this.#connections.retire(connection);
  }

  async close(): Promise<void> {
    this.onChange = () => {};
    await this.#connections.close();
    await this.#reading;
  }

  async #connect({ caller, values, login }: ConnectionOwner, signal: AbortSignal): Promise<Connection> {
    const { settings, logger } = this;
    const cwd = path.resolve(this.#api.cwd, settings.cwd ?? '.');
    const launch = serverLaunch(this.#api.launcher(), settings, cwd, this.#access().controlFiles());
    this.#isStarting = true;
    this.#starts++;
    let offersLogin = false;
    const fetch = login === undefined ? undefined : this.login?.fetchFor(login, this.fetch);
    try {
      const connection = await Connection.open({
        ...{ settings, values, signal, launch, logger },
        cwd,
        fetch: fetch ?? watchOffers(this.fetch, () => (offersLogin = true)),
        roots: () => this.#access().roots(),
        timeoutMs: settings.startTimeoutMs,
        known: this.#known,
        isOfOneCaller: caller !== undefined,
        onLists: (lists, error) => this.#onLists(caller, lists, error),
        onUncertain: () => this.#runOneByOne(),
        onStart: this.#api.onStart,
      });
      this.failure = undefined;
      this.#onLists(caller, connection.lists);
      return connection;
    } catch (given) {
      const error = offersLogin && isCode(given, 'AUTH_FAILED') ? loginOffered(settings.name, given) : given;
      const isOfOneCaller = settings.isOfCallers && isCode(error, 'AUTH_REQUIRED');
      if (!signal.aborted && !isOfOneCaller) this.failure = this.#failureOf(error);
      throw error;
    } finally {
      this.#isStarting = false;
    }
  }

  /** Servers of 2025 do not say for which call they ask: of those that do ask, one call runs at a time. */
  #runOneByOne(): void {
    if (this.settings.perCaller || this.#isOneByOne) return;
    this.#isOneByOne = true;
    this.queue.runOneByOne();
  }

  /** The lists of a caller may have less: they are no news of the server. */
  #onLists(caller: string | undefined, lists: ServerLists | undefined, error?: unknown): void {
    if (caller !== undefined) return;
    if (lists === undefined) this.onChange(this.#failureOf(error));
    else {
      this.observed = lists;
      this.onChange();
    }
  }

  #failureOf(error: unknown): ToolkitError {
    if (ToolkitError.is(error)) return error;
    return new ToolkitError(
      'UPSTREAM_UNAVAILABLE',
      `The MCP server "${this.settings.name}" cannot be read: ${messageOf(error)}`,
      {},
      { cause: error },
    );
  }

  /** The guarded fetch of this source. */
  readonly fetch: OutboundFetch = (...given) => this.#access().fetch(...given);
}

export function isAuthFailure({ code }: ToolkitError): boolean {
  return code === 'AUTH_FAILED' || code === 'AUTH_REQUIRED' || code === 'INSUFFICIENT_SCOPE' || code === 'MISSING_PARAMETER';
}
