import type { IncomingMessage, ServerResponse } from 'node:http';
import { isPlainObject, type Logger, ToolkitError } from '../../../../kernel/index.ts';
import { answerProbe } from '../../../shared/health/probe-answer.ts';
import type { Readiness } from '../../../shared/health/readiness.ts';
import { pathOf } from '../../../shared/http/host-check.ts';
import { stopping } from '../../../shared/http/refusal.ts';
import { errorCodes, errorResponseId } from '../../../shared/json-rpc/message.ts';
import { batchProblem, requestIds } from '../../protocol/batch.ts';
import { hasEnvelope } from '../../protocol/clients/envelope.ts';
import { initializeError, isInitialize } from '../../protocol/methods/lifecycle.ts';
import { requestVersions } from '../../protocol/revisions.ts';
import { endWithGrant } from './authorization/grant.ts';
import { type RequestCheckOptions, RequestChecks } from './checks.ts';
import { allowOrigin, answerPreflight } from './cors.ts';
import type { RequestEdge } from './edge/request-edge.ts';
import { answerHealth } from './health.ts';
import { type MessageBody, type RawMessage, readMessageBody } from './message-body.ts';
import { noSessions, operatorOnly, serverFailed, unavailable, withoutSession } from './refusals.ts';
import { type HttpRefusal, repliesOf, sendRefusal } from './reply.ts';
import { requestHeader } from './request-headers.ts';
import type { PluginRoutes } from './routes/routes.ts';
import { SessionlessRequests } from './sessionless/requests.ts';
import { Session } from './sessions/session.ts';
import { Sessions, type SessionsOptions } from './sessions/sessions.ts';
import type { AcceptedToken } from './tokens/accepted-tokens.ts';
import type { RevokedToken } from './tokens/token-revocations.ts';

export interface EndpointOptions {
  readonly checks: RequestCheckOptions;
  readonly sessions: SessionsOptions;
  /** True when no session is opened: each request is handled on its own. */
  readonly stateless: boolean;
  readonly maxBodyBytes: number;
  /** Request headers that pages may send, in addition to those that the server reads. */
  readonly allowedHeaders: readonly string[];
  readonly logger: Logger;
  readonly readiness: Readiness;
  readonly edge: RequestEdge;
  /** Routes of plugins. @default none */
  readonly routes?: PluginRoutes | undefined;
  /** Aborts when the server takes no new work. */
  readonly closing: AbortSignal;
}

type Answered = HttpRefusal | undefined | Promise<HttpRefusal | undefined>;

/** Handles each HTTP request: runs the checks in order, then passes it to its session. */
export class Endpoint {
  readonly sessions: Sessions;
  readonly sessionless: SessionlessRequests;
  readonly #options: EndpointOptions;
  readonly #checks: RequestChecks;

  constructor(options: EndpointOptions) {
    this.#options = options;
    this.#checks = new RequestChecks(options.checks);
    const { protocol } = options.sessions;
    const replies = repliesOf(protocol.catalog.kernel);
    this.sessions = new Sessions(options.sessions, replies);
    this.sessionless = new SessionlessRequests(protocol, replies);
  }

  /** Replaces the accepted tokens. Ends the sessions and requests of callers whose token is gone. */
  useTokens(tokens: readonly AcceptedToken[]): readonly RevokedToken[] {
    return this.#endAllOf(this.#checks.tokens.replace(tokens));
  }

  /** Removes these tokens. Ends the sessions and requests of their callers. */
  dropTokens(tokens: readonly RevokedToken[]): readonly RevokedToken[] {
    return this.#endAllOf(this.#checks.tokens.drop(tokens));
  }

  #endAllOf(gone: readonly RevokedToken[]): readonly RevokedToken[] {
    for (const { name } of gone) {
      this.#options.edge.cut(name);
      this.sessions.endAllOf(name);
      this.#options.sessions.protocol.tasks.cancelAllOf(name);
    }
    return gone;
  }

  /** Resolves when every request so far has its response, or has lost its connection. */
  async answered(): Promise<void> {
    await Promise.all([this.sessions.answered(), this.sessionless.answered(), this.#options.routes?.answered()]);
  }

  /** Ends all sessions and requests. */
  async close(): Promise<void> {
    this.sessionless.close();
    await this.sessions.close();
  }

  /** Answers a request, also with its failure. */
  async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    this.#options.edge.begin(request, response);
    try {
      const refusal = await this.#answer(request, response);
      if (refusal !== undefined) this.#refuse(request, response, refusal);
    } catch (error) {
      if (isUnavailable(error) && !response.headersSent) {
        this.#refuse(request, response, this.#unavailable(error));
        return;
      }
      // Not logged: the client disconnected in the middle of its request.
      if (request.complete) this.#options.logger.error('an HTTP request failed', { error });
      if (!response.headersSent) sendRefusal(request, response, serverFailed);
      else response.destroy();
    }
  }

  #unavailable(error: ToolkitError): HttpRefusal {
    this.#options.logger.warn(error.message);
    return unavailable;
  }

  #refuse(request: IncomingMessage, response: ServerResponse, refusal: HttpRefusal): void {
    this.#options.edge.refuse(request, refusal);
    sendRefusal(request, response, refusal);
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<HttpRefusal | undefined> {
    const checks = this.#checks;
    const { readiness, routes } = this.#options;
    // Over a kept connection the client would not notice that its next request belongs to another process.
    if (readiness.isLeaving) response.setHeader('connection', 'close');
    const path = request.url === '/mcp' ? '/mcp' : pathOf(request.url);
    const route = path === '/mcp' ? undefined : routes?.find(path);
    if (routes !== undefined && route !== undefined)
      return (
        checks.hosts.check(request) ??
        (route.access === 'operator' ? await this.#admitOperator(request, response) : undefined) ??
        void (await routes.answer(route, request, response))
      );
    const isProbe = (path === '/live' || path === '/ready') && (request.method === 'GET' || request.method === 'HEAD');
    const refusal = isProbe ? checks.checkProbe(request) : (checks.hosts.check(request) ?? checks.checkOrigin(request));
    if (refusal !== undefined) return refusal;
    if (request.method !== 'POST' || request.headers.origin !== undefined) allowOrigin(request, response);
    if (isProbe) return void (await answerProbe(response, path, readiness));
    if (request.method === 'OPTIONS') return void answerPreflight(request, response, this.#options.allowedHeaders);
    if (path === '/health' && (request.method === 'GET' || request.method === 'HEAD')) return this.#health(request, response);
    const { authorization } = this.#options.checks;
    if (authorization?.isMetadataPath(path) === true && (request.method === 'GET' || request.method === 'HEAD'))
      return void authorization.sendMetadata(response);
    const known = checks.callerOf(request);
    const caller = known instanceof Promise ? await known : known;
    if (typeof caller !== 'string') return caller;
    this.#options.edge.admit(request, response, caller);
    // The client disconnected while its token was checked.
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
    const hasSession = requestHeader(request, 'mcp-session-id') !== undefined && request.method !== 'DELETE';
    const tenant = hasSession ? this.sessions.tenantOf(request, caller) : caller;
    return (
      checks.checkMedia(request) ??
      this.#countConnection(request, response, tenant instanceof Promise ? await tenant : tenant) ??
      (request.method === 'POST'
        ? await this.#post(request, response, caller)
        : await this.#toSession(request, response, caller, (session) => session.handle(request, response)))
    );
  }

  /** Refuses a request to a route of operators without the token of one, before anything of it is read. */
  async #admitOperator(request: IncomingMessage, response: ServerResponse): Promise<HttpRefusal | undefined> {
    const caller = await this.#checks.callerOf(request);
    if (typeof caller !== 'string') return caller;
    this.#options.edge.admit(request, response, caller);
    return this.#checks.isOperator(request) ? undefined : operatorOnly;
  }

  /** Counts the connection before its body uses memory. A caller above its limit may still end a session. */
  #countConnection(request: IncomingMessage, response: ServerResponse, tenant: string): HttpRefusal | undefined {
    // A connection that is already closed would never release its slot.
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

  /** Handles a POST. A refusal carries the request id where the body was read, or the ids of the batch. */
  async #post(request: IncomingMessage, response: ServerResponse, caller: string): Promise<HttpRefusal | undefined> {
    const body = await readMessageBody(request, this.#options.maxBodyBytes);
    if ('status' in body) return body;
    if (this.#options.edge.wasCut(response)) return undefined;
    let refusal: HttpRefusal | undefined;
    try {
      const answered =
        'batch' in body ? this.#takeBatch(request, response, body.batch, caller) : this.#take(request, response, body.message, caller);
      refusal = answered instanceof Promise ? await answered : answered;
    } catch (error) {
      if (response.headersSent) throw error;
      refusal = isUnavailable(error) ? this.#unavailable(error) : this.#failed(error);
    }
    return refusal && { ...idsIn(body), ...refusal };
  }

  #failed(error: unknown): HttpRefusal {
    this.#options.logger.error('an HTTP request failed', { error });
    return serverFailed;
  }

  /** Handles a message without a session, which describes its client, or passes it to its session. */
  #take(request: IncomingMessage, response: ServerResponse, message: RawMessage, caller: string): Answered {
    const lacking = this.#options.checks.authorization?.scopeRefusal(request, message);
    if (lacking !== undefined) return lacking;
    const isStopping = this.#options.closing.aborted;
    if (hasEnvelope(message['params']) || isSessionlessVersion(request))
      return isStopping ? stopping : this.sessionless.handle(request, response, message, caller);
    if (this.#options.stateless)
      return (
        this.#checks.checkVersion(request) ?? (isStopping ? stopping : this.sessionless.handleStateless(request, response, message, caller))
      );
    if (requestHeader(request, 'mcp-session-id') !== undefined || !isInitialize(message))
      return this.#toSession(
        request,
        response,
        caller,
        (session) => session.handle(request, response, message),
        initializeRefusal(request, message),
      );
    return this.#checks.checkVersion(request) ?? (isStopping ? stopping : this.sessions.open(request, response, message, caller));
  }

  /** Passes a batch to its session, which accepts or refuses it. Refused without a session. */
  #takeBatch(request: IncomingMessage, response: ServerResponse, batch: readonly unknown[], caller: string): Answered {
    for (const message of batch) {
      const lacking = isPlainObject(message) ? this.#options.checks.authorization?.scopeRefusal(request, message) : undefined;
      if (lacking !== undefined) return { ...lacking, ids: requestIds(batch) };
    }
    if (requestHeader(request, 'mcp-session-id') === undefined || this.#options.stateless)
      return { status: 400, message: batchProblem(batch, undefined) ?? '', code: errorCodes.invalidRequest };
    return this.#toSession(request, response, caller, (session) => session.handleBatch(request, response, batch));
  }

  /** Passes a request to its session. `noSessionRefusal`: reason why there can be no session, if it is not that the session is unknown. */
  #toSession(
    request: IncomingMessage,
    response: ServerResponse,
    caller: string,
    use: (session: Session) => Promise<HttpRefusal | undefined>,
    noSessionRefusal?: HttpRefusal,
  ): Answered {
    if (isSessionlessVersion(request)) return withoutSession;
    if (this.#options.stateless) return noSessions;
    const refusal = this.#checks.checkVersion(request);
    if (refusal !== undefined) return refusal;
    const answer = (session: Session | HttpRefusal): Answered => {
      if (this.#options.edge.wasCut(response)) return undefined;
      return session instanceof Session ? use(session) : (noSessionRefusal ?? session);
    };
    const found = this.sessions.find(request, caller);
    return found instanceof Promise ? found.then(answer) : answer(found);
  }

  /** Answers a health request. Without a valid token the response has public facts only. */
  #health(request: IncomingMessage, response: ServerResponse): undefined {
    const { readiness, sessions } = this.#options;
    const { kernel, size } = sessions.protocol.catalog;
    answerHealth(response, readiness, size.tools, this.#checks.isOperator(request) ? kernel.mask(kernel.status()) : undefined);
  }
}

/** Returns true when the version in the header has no sessions. */
function isSessionlessVersion(request: IncomingMessage): boolean {
  return requestVersions.includes(requestHeader(request, 'mcp-protocol-version') ?? '');
}

/** Returns the request ids for an error about this body. */
function idsIn(body: MessageBody): Pick<HttpRefusal, 'id' | 'ids'> {
  return 'batch' in body ? { ids: requestIds(body.batch) } : { id: errorResponseId(body.message) };
}

function isUnavailable(error: unknown): error is ToolkitError {
  return ToolkitError.is(error) && error.code === 'STATE_UNAVAILABLE';
}

/** Returns the refusal of an invalid `initialize`. */
function initializeRefusal(request: IncomingMessage, { method, params }: RawMessage): HttpRefusal | undefined {
  const issue = method === 'initialize' && requestHeader(request, 'mcp-session-id') === undefined ? initializeError(params) : undefined;
  return issue === undefined ? undefined : { status: 400, message: issue, code: errorCodes.invalidParams };
}
