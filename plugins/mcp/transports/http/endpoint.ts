import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Logger, ToolkitError } from '../../../../kernel/index.ts';
import { isOpening, openingFlaw } from '../../protocol/answers.ts';
import { errorCodes, type RequestId } from '../../protocol/messages.ts';
import { modernVersions } from '../../protocol/modern/envelope.ts';
import { endWithGrant } from './authorization/grant.ts';
import { allowOrigin, answerPreflight } from './cors.ts';
import type { RequestEdge } from './edge/request-edge.ts';
import { type HttpRefusal, sendRefusal } from './http-refusal.ts';
import { isModern, ModernRequests } from './modern/modern-requests.ts';
import type { Readiness, Unready } from './readiness.ts';
import { repliesOf } from './replies.ts';
import { absoluteTarget, type RequestCheckOptions, RequestChecks } from './request-checks.ts';
import { Session } from './sessions/session.ts';
import { Sessions, type SessionsOptions, stopping } from './sessions/sessions.ts';
import { StatelessRequests } from './stateless-requests.ts';
import type { AcceptedToken } from './tokens/accepted-token.ts';
import { OpenRequests } from './tokens/open-requests.ts';
import type { GoneToken } from './tokens/token-news.ts';

export interface EndpointOptions {
  readonly checks: RequestCheckOptions;
  readonly sessions: SessionsOptions;
  /** No session is opened: each request is answered for itself. */
  readonly stateless: boolean;
  /** Request headers that pages may send, beside those of the protocol. */
  readonly allowedHeaders: readonly string[];
  readonly logger: Logger;
  readonly readiness: Readiness;
  readonly edge: RequestEdge;
  /** Aborts when no new work is taken any more. */
  readonly closing: AbortSignal;
}

/** Answers each request: the checks in their order, then its session. */
export class Endpoint {
  readonly sessions: Sessions;
  readonly modern: ModernRequests;
  /** Where no session is opened. */
  readonly apart: StatelessRequests | undefined;
  readonly #options: EndpointOptions;
  readonly #checks: RequestChecks;
  readonly #open = new OpenRequests();

  constructor(options: EndpointOptions) {
    this.#options = options;
    this.#checks = new RequestChecks(options.checks);
    const { protocol } = options.sessions;
    const replies = repliesOf(protocol.catalog.kernel);
    this.sessions = new Sessions(options.sessions, replies);
    this.modern = new ModernRequests(protocol, replies);
    this.apart = options.stateless ? new StatelessRequests(protocol, replies) : undefined;
  }

  /** Takes these tokens from now on, and ends what runs for callers whose token is gone. */
  useTokens(tokens: readonly AcceptedToken[]): readonly GoneToken[] {
    return this.#endAllOf(this.#checks.useTokens(tokens));
  }

  /** Takes these tokens no longer, and ends what runs for their callers. */
  dropTokens(tokens: readonly GoneToken[]): readonly GoneToken[] {
    return this.#endAllOf(this.#checks.dropTokens(tokens));
  }

  #endAllOf(gone: readonly GoneToken[]): readonly GoneToken[] {
    for (const { name } of gone) {
      this.#open.cut(name);
      this.sessions.endAllOf(name);
      this.#options.sessions.protocol.tasks.cancelAllOf(name);
    }
    return gone;
  }

  /** Resolves when every request so far has its answer, or has lost its connection. */
  async answered(): Promise<void> {
    await Promise.all([this.sessions.answered(), this.modern.answered(), this.apart?.answered()]);
  }

  /** Ends all that runs. */
  async close(): Promise<void> {
    this.modern.close();
    this.apart?.close();
    await this.sessions.close();
  }

  async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    this.#options.edge.begin(request, response);
    try {
      const refusal = await this.#answer(request, response);
      if (refusal !== undefined) this.#refuse(request, response, refusal);
    } catch (error) {
      if (ToolkitError.is(error) && error.code === 'STATE_UNAVAILABLE' && !response.headersSent) {
        this.#options.logger.warn(error.message);
        this.#refuse(request, response, unavailable);
        return;
      }
      // A client that goes away in the middle of its request is not worth a line.
      if (request.complete) this.#options.logger.error('an HTTP request failed', { error });
      if (!response.headersSent) sendRefusal(request, response, { status: 500, message: 'The server failed.', code: -32603 });
      else response.destroy();
    }
  }

  #refuse(request: IncomingMessage, response: ServerResponse, refusal: HttpRefusal): void {
    this.#options.edge.refuse(request, refusal);
    sendRefusal(request, response, refusal);
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<HttpRefusal | undefined> {
    const checks = this.#checks;
    const { readiness } = this.#options;
    // Whoever keeps the connection would not notice that others are to get what comes next.
    if (readiness.isLeaving) response.setHeader('connection', 'close');
    const path = absoluteTarget(request.url)?.pathname ?? (request.url ?? '/').split('?', 1)[0] ?? '/';
    const isProbe = (path === '/live' || path === '/ready') && (request.method === 'GET' || request.method === 'HEAD');
    const refusal = isProbe ? checks.checkProbe(request) : checks.checkOrigin(request);
    if (refusal !== undefined) return refusal;
    allowOrigin(request, response);
    if (isProbe) return sendProbe(response, path === '/live' ? undefined : await readiness.lack());
    if (request.method === 'OPTIONS') return void answerPreflight(response, this.#options.allowedHeaders);
    if (path === '/health' && (request.method === 'GET' || request.method === 'HEAD')) return this.#health(request, response);
    const { authorization } = this.#options.checks;
    if (authorization?.isMetadataPath(path) === true && (request.method === 'GET' || request.method === 'HEAD'))
      return void authorization.sendMetadata(response);
    const known = checks.callerOf(request);
    const caller = known instanceof Promise ? await known : known;
    if (typeof caller !== 'string') return caller;
    this.#options.edge.admit(request, caller);
    this.#open.add(caller, response);
    // It has gone while its token was checked.
    if (request.destroyed) return undefined;
    if (request.method === 'GET') endWithGrant(request, response);
    if (path !== '/mcp' && path !== '/')
      return { status: 404, message: `There is nothing at ${path.slice(0, 100)}. The endpoint is /mcp.` };
    if (!['GET', 'POST', 'DELETE'].includes(request.method ?? ''))
      return {
        status: 405,
        message: `The method ${request.method} is not supported.`,
        headers: { allow: 'GET, POST, DELETE, OPTIONS' },
      };
    const tenant = request.method === 'DELETE' ? caller : this.sessions.tenantOf(request, caller);
    return (
      checks.checkMedia(request) ??
      this.#countConnection(request, response, tenant instanceof Promise ? await tenant : tenant) ??
      (request.method === 'POST' ? await this.#post(request, response, caller) : await this.#toSession(request, response, caller))
    );
  }

  /** Before its body is read, which takes memory. Whoever has too much is always let in to end a session. */
  #countConnection(request: IncomingMessage, response: ServerResponse, tenant: string): HttpRefusal | undefined {
    // One that is closed by now would never give its place back.
    if (request.method === 'DELETE' || response.closed) return undefined;
    const { shares } = this.#options.sessions.protocol;
    try {
      response.once('close', shares.take(tenant, 'connections'));
      return undefined;
    } catch (error) {
      if (!ToolkitError.is(error)) throw error;
      return { status: 429, message: error.message, headers: { 'retry-after': '1' } };
    }
  }

  /** The message tells of which era it is: whether it belongs to a session, or says itself who asks. */
  async #post(request: IncomingMessage, response: ServerResponse, caller: string): Promise<HttpRefusal | undefined> {
    const read = await this.#checks.readMessage(request);
    if ('status' in read) return read;
    if (this.#open.wasCut(response)) return undefined;
    const { message } = read;
    const lacking = this.#options.checks.authorization?.scopeRefusal(request, message);
    if (lacking !== undefined) return lacking;
    const isStopping = this.#options.closing.aborted;
    if (isModern(request, message)) return isStopping ? stopping : this.modern.handle(request, response, message, caller);
    if (this.apart !== undefined)
      return this.#checks.checkVersion(request) ?? (isStopping ? stopping : this.apart.handle(request, response, message, caller));
    if (request.headers['mcp-session-id'] !== undefined || !isOpening(message)) return this.#toSession(request, response, caller, message);
    return this.#checks.checkVersion(request) ?? (isStopping ? stopping : this.sessions.open(request, response, message, caller));
  }

  #toSession(
    request: IncomingMessage,
    response: ServerResponse,
    caller: string,
    message?: Readonly<Record<string, unknown>>,
  ): HttpRefusal | undefined | Promise<HttpRefusal | undefined> {
    if (modernVersions.includes(request.headers['mcp-protocol-version'] as string)) return withoutSession;
    if (this.apart !== undefined) return noSessions;
    const refusal = this.#checks.checkVersion(request);
    if (refusal !== undefined) return refusal;
    const answer = (session: Session | HttpRefusal): HttpRefusal | undefined | Promise<HttpRefusal | undefined> => {
      if (this.#open.wasCut(response)) return undefined;
      return session instanceof Session ? session.handle(request, response, message) : (flawOf(request, message) ?? session);
    };
    const found = this.sessions.find(request, caller);
    return found instanceof Promise ? found.then(answer) : answer(found);
  }

  /** Whoever has no token, or a wrong one, is told what everybody may know. */
  #health(request: IncomingMessage, response: ServerResponse): undefined {
    const { readiness, sessions } = this.#options;
    const { kernel, size } = sessions.protocol.catalog;
    const state = this.#checks.isOperator(request) ? { state: kernel.mask(kernel.status()) } : {};
    sendStatus(response, { status: readiness.isStopping ? 'stopping' : 'ok', tools: size.tools, ...state }, readiness.isStopping);
  }
}

/** Nothing that a stranger may not know. */
function sendProbe(response: ServerResponse, lack: Unready | undefined): undefined {
  sendStatus(response, { status: lack ?? 'ok' }, lack !== undefined);
}

function sendStatus(response: ServerResponse, body: object, isUnavailable: boolean): void {
  response
    .writeHead(isUnavailable ? 503 : 200, { 'content-type': 'application/json', 'cache-control': 'no-store' })
    .end(JSON.stringify(body));
}

/** Only POST means anything in the version that the request names. */
const withoutSession: HttpRefusal = {
  status: 405,
  message: 'This version of the protocol has no sessions: send requests with POST, and listen with "subscriptions/listen".',
  headers: { allow: 'POST, OPTIONS' },
};

/** What is shared with other processes cannot be asked for. */
const unavailable: HttpRefusal = {
  status: 503,
  message: 'The store of the server cannot be reached. Try again later.',
  headers: { 'retry-after': '5' },
};

const noSessions: HttpRefusal = {
  status: 405,
  message: 'This server keeps no sessions ("stateless"): send requests with POST.',
  headers: { allow: 'POST, OPTIONS' },
};

/** An `initialize` that opens no session is told why. */
function flawOf({ headers }: IncomingMessage, message: Readonly<Record<string, unknown>> = {}): HttpRefusal | undefined {
  const { method, id, params } = message;
  const flaw = method === 'initialize' && headers['mcp-session-id'] === undefined ? openingFlaw(params) : undefined;
  return flaw === undefined ? undefined : { status: 400, message: flaw, code: errorCodes.invalidParams, id: id as RequestId };
}
