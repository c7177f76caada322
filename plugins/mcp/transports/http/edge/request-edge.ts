import { readFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Kernel, Logger } from '../../../../../kernel/index.ts';
import type { HttpRefusal } from '../reply.ts';
import { loggedPath } from '../routes/own-paths.ts';
import { AccessLog } from './access-log.ts';
import { RefusalReports } from './refusal-reports.ts';
import { UnprovenConnections } from './unproven-connections.ts';

export interface EdgeOptions {
  /** Maximum number of connections without a valid token. @default half of the process's descriptors, 4000 at most */
  readonly maxUnauthenticated: number | undefined;
  readonly proxies: readonly string[];
  /** Absolute path of the access log, or `log` for the server's log. @default no access log */
  readonly accessLog: string | undefined;
}

/** Share of all descriptors for connections without a token, and their maximum number. */
const shareOfDescriptors = 1 / 2;
const maxByDefault = 4000;

/** Reported reasons by HTTP status, for refusals without a reason of their own. Other statuses are client errors and not reported. */
const reasons: ReadonlyMap<number, string> = new Map([
  [401, 'token'],
  [413, 'size'],
  [429, 'rate'],
  [503, 'unavailable'],
]);

/** Key of the caller on a request with a valid token. A WeakMap would cost ten times as much for each request. */
const callerKey = Symbol('caller');

type SeenRequest = IncomingMessage & { [callerKey]?: string };

/** Tracks connections and requests before their token is checked: limits strangers, reports refusals, writes the access log. */
export class RequestEdge {
  readonly #connections: UnprovenConnections;
  /** Sockets that have carried a valid token; a quick check for their further requests. */
  readonly #proven = new WeakSet<Socket>();
  readonly #reports: RefusalReports;
  readonly #accessLog: AccessLog | undefined;
  /** Open requests with a valid token, by caller. */
  readonly #open = new Map<string, Set<ServerResponse>>();
  readonly #cut = new WeakSet<ServerResponse>();

  constructor({ maxUnauthenticated, proxies, accessLog }: EdgeOptions, kernel: Kernel, logger: Logger) {
    this.#reports = new RefusalReports(kernel, logger);
    const max = maxUnauthenticated ?? Math.max(1, Math.min(maxByDefault, Math.floor(descriptorLimit() * shareOfDescriptors)));
    const onClosed = (address: string): void => this.#reports.note({ reason: 'connections', address });
    this.#connections = new UnprovenConnections({ max, proxies, onClosed });
    const file = accessLog === 'log' ? undefined : accessLog;
    const mask = (text: string): string => kernel.mask(text);
    const replacedPath = (target: string | undefined): string | undefined => loggedPath(kernel.httpRoutes.routes, target);
    this.#accessLog = accessLog === undefined ? undefined : new AccessLog({ file, logger, mask, replacedPath });
  }

  connect(socket: Socket): void {
    this.#connections.add(socket);
  }

  begin(request: IncomingMessage, response: ServerResponse): void {
    this.#accessLog?.follow(request, response, () => (request as SeenRequest)[callerKey]);
  }

  /** Records that the request has a valid token. Tracks it until it has its response, or has lost its connection. */
  admit(request: IncomingMessage, response: ServerResponse, caller: string): void {
    (request as SeenRequest)[callerKey] = caller;
    if (!this.#proven.has(request.socket)) {
      this.#proven.add(request.socket);
      this.#connections.prove(request.socket);
    }
    if (response.closed) return;
    const own = this.#open.get(caller) ?? new Set();
    this.#open.set(caller, own.add(response));
    response.once('close', () => {
      own.delete(response);
      if (own.size === 0 && this.#open.get(caller) === own) this.#open.delete(caller);
    });
  }

  /** Breaks the connections of a caller's open requests. */
  cut(caller: string): void {
    for (const response of this.#open.get(caller) ?? []) {
      this.#cut.add(response);
      response.destroy();
    }
  }

  /** Returns true when the request's connection was cut: the request must not continue. */
  wasCut(response: ServerResponse): boolean {
    return this.#cut.has(response);
  }

  refuse(request: IncomingMessage, refusal: HttpRefusal): void {
    const { status } = refusal;
    const reason = refusal.reason ?? reasons.get(status);
    const address = request.socket.remoteAddress;
    if (reason === undefined || address === undefined) return;
    const caller = (request as SeenRequest)[callerKey];
    this.#reports.note({ reason, status, address, ...(caller === undefined ? {} : { caller }) });
  }

  /** Number of connections without a valid token. */
  get unproven(): number {
    return this.#connections.size;
  }

  reopen(): void {
    this.#accessLog?.reopen();
  }

  close(): void {
    this.#reports.close();
    this.#accessLog?.close();
  }
}

/** Default where the system reports no limit. */
const defaultLimit = 1024;

/** Returns the maximum number of open files and connections of this process. Only Linux reports it. */
function descriptorLimit(): number {
  try {
    // Own text: written by the system, in ASCII
    const [, soft] = /^Max open files +(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? [];
    return soft === undefined ? defaultLimit : Number(soft);
  } catch {
    return defaultLimit;
  }
}
