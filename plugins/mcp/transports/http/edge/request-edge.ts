import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Kernel, Logger } from '../../../../../kernel/index.ts';
import type { HttpRefusal } from '../http-refusal.ts';
import { AccessLog } from './access-log.ts';
import { descriptorLimit } from './descriptor-limit.ts';
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
  readonly #reports: RefusalReports;
  readonly #accessLog: AccessLog | undefined;

  constructor({ maxUnauthenticated, proxies, accessLog }: EdgeOptions, kernel: Kernel, logger: Logger) {
    this.#reports = new RefusalReports(kernel, logger);
    const max = maxUnauthenticated ?? Math.max(1, Math.min(maxByDefault, Math.floor(descriptorLimit() * shareOfDescriptors)));
    const onClosed = (address: string): void => this.#reports.note({ reason: 'connections', address });
    this.#connections = new UnprovenConnections({ max, proxies, onClosed });
    const file = accessLog === 'log' ? undefined : accessLog;
    this.#accessLog = accessLog === undefined ? undefined : new AccessLog({ file, logger, mask: (text) => kernel.mask(text) });
  }

  connect(socket: Socket): void {
    this.#connections.add(socket);
  }

  begin(request: IncomingMessage, response: ServerResponse): void {
    this.#accessLog?.follow(request, response, () => (request as SeenRequest)[callerKey]);
  }

  /** Records that the request has a valid token. */
  admit(request: IncomingMessage, caller: string): void {
    (request as SeenRequest)[callerKey] = caller;
    this.#connections.prove(request.socket);
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
