import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Kernel, Logger } from '../../../../../kernel/index.ts';
import type { HttpRefusal } from '../http-refusal.ts';
import { AccessLog } from './access-log.ts';
import { descriptorLimit } from './descriptor-limit.ts';
import { RefusalReports } from './refusal-reports.ts';
import { UnprovenConnections } from './unproven-connections.ts';

export interface EdgeOptions {
  /** @default half of the descriptors that this process may have, 4000 at most */
  readonly maxUnproven: number | undefined;
  readonly proxies: readonly string[];
  /** Absolute, or `log` for the log of the server. @default no access log */
  readonly accessLog: string | undefined;
}

/** The part of all descriptors that connections without a token may take, and how many these are at most. */
const shareOfDescriptors = 1 / 2;
const maxByDefault = 4000;

/** Reasons by the status of an answer, where a refusal names none. Others are faults of a request, and no reason to look. */
const reasons: ReadonlyMap<number, string> = new Map([
  [401, 'token'],
  [413, 'size'],
  [429, 'rate'],
  [503, 'unavailable'],
]);

/** The caller of a request whose token was valid. A member of the request: an entry in a WeakMap costs ten times as much, at each request. */
const callerKey = Symbol('caller');

type SeenRequest = IncomingMessage & { [callerKey]?: string };

/** Sees connections and requests come, be let in or be refused: what is kept of strangers, and what is reported of them. */
export class RequestEdge {
  readonly #connections: UnprovenConnections;
  readonly #reports: RefusalReports;
  readonly #accessLog: AccessLog | undefined;

  constructor({ maxUnproven, proxies, accessLog }: EdgeOptions, kernel: Kernel, logger: Logger) {
    this.#reports = new RefusalReports(kernel, logger);
    const max = maxUnproven ?? Math.max(1, Math.min(maxByDefault, Math.floor(descriptorLimit() * shareOfDescriptors)));
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

  /** The request has a valid token. */
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

  /** Connections that have shown no token. */
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
