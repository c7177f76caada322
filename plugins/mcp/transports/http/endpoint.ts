import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Logger, ToolkitError } from '../../../../kernel/index.ts';
import { isOpening } from '../../protocol/answers.ts';
import { allowOrigin, answerPreflight } from './cors.ts';
import { type HttpRefusal, sendRefusal } from './http-refusal.ts';
import { absoluteTarget, type RequestCheckOptions, RequestChecks } from './request-checks.ts';
import { Session } from './sessions/session.ts';
import { Sessions, type SessionsOptions } from './sessions/sessions.ts';

export interface EndpointOptions {
  readonly checks: RequestCheckOptions;
  readonly sessions: SessionsOptions;
  /** Request headers that pages may send, beside those of the protocol. */
  readonly allowedHeaders: readonly string[];
  readonly logger: Logger;
  /** Aborts when no new work is taken any more. */
  readonly closing: AbortSignal;
}

/** Answers each request: the checks in their order, then its session. */
export class Endpoint {
  readonly sessions: Sessions;
  readonly #options: EndpointOptions;
  readonly #checks: RequestChecks;

  constructor(options: EndpointOptions) {
    this.#options = options;
    this.#checks = new RequestChecks(options.checks);
    this.sessions = new Sessions(options.sessions);
  }

  async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      const refusal = await this.#answer(request, response);
      if (refusal !== undefined) sendRefusal(request, response, refusal);
    } catch (error) {
      // A client that goes away in the middle of its request is not worth a line.
      if (request.complete) this.#options.logger.error('an HTTP request failed', { error });
      if (!response.headersSent) sendRefusal(request, response, { status: 500, message: 'The server failed.', code: -32603 });
      else response.destroy();
    }
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<HttpRefusal | undefined> {
    const checks = this.#checks;
    const refusal = checks.checkOrigin(request);
    if (refusal !== undefined) return refusal;
    allowOrigin(request, response);
    const path = absoluteTarget(request.url)?.pathname ?? (request.url ?? '/').split('?', 1)[0] ?? '/';
    if (request.method === 'OPTIONS') return void answerPreflight(response, this.#options.allowedHeaders);
    if (path === '/health' && (request.method === 'GET' || request.method === 'HEAD')) return this.#health(request, response);
    const { authorization } = this.#options.checks;
    if (authorization?.isMetadataPath(path) === true && (request.method === 'GET' || request.method === 'HEAD'))
      return void authorization.sendMetadata(response);
    const known = checks.callerOf(request);
    const caller = known instanceof Promise ? await known : known;
    if (typeof caller !== 'string') return caller;
    // It has gone while its token was checked.
    if (request.destroyed) return undefined;
    authorization?.endInTime(request, response);
    if (path !== '/mcp' && path !== '/')
      return { status: 404, message: `There is nothing at ${path.slice(0, 100)}. The endpoint is /mcp.` };
    if (!['GET', 'POST', 'DELETE'].includes(request.method ?? ''))
      return {
        status: 405,
        message: `The method ${request.method} is not supported.`,
        headers: { allow: 'GET, POST, DELETE, OPTIONS' },
      };
    return (
      checks.checkMedia(request) ??
      checks.checkVersion(request) ??
      this.#countConnection(request, response, caller) ??
      (await this.#toSession(request, response, caller))
    );
  }

  /** Before its body is read, which takes memory. Whoever has too much is always let in to end a session. */
  #countConnection(request: IncomingMessage, response: ServerResponse, caller: string): HttpRefusal | undefined {
    if (request.method === 'DELETE') return undefined;
    const { sessions } = this;
    const { shares } = this.#options.sessions.protocol;
    try {
      response.once('close', shares.take(sessions.tenantOf(request, caller), 'connections'));
      return undefined;
    } catch (error) {
      if (!ToolkitError.is(error)) throw error;
      return { status: 429, message: error.message, headers: { 'retry-after': '1' } };
    }
  }

  async #toSession(request: IncomingMessage, response: ServerResponse, caller: string): Promise<HttpRefusal | undefined> {
    const read = request.method === 'POST' ? await this.#checks.readMessage(request) : undefined;
    if (read !== undefined && 'status' in read) return read;
    const message = read?.message;
    const lacking = message === undefined ? undefined : this.#options.checks.authorization?.scopeRefusal(request, message);
    if (lacking !== undefined) return lacking;
    if (message !== undefined && request.headers['mcp-session-id'] === undefined && isOpening(message)) {
      if (this.#options.closing.aborted) return { status: 503, message: 'The server is stopping.', headers: { 'retry-after': '30' } };
      return this.sessions.open(request, response, message, caller);
    }
    const session = this.sessions.find(request, caller);
    if (!(session instanceof Session)) return session;
    return session.handle(request, response, message);
  }

  /** Whoever has no token, or a wrong one, is told what everybody may know. */
  #health(request: IncomingMessage, response: ServerResponse): undefined {
    const { closing, sessions } = this.#options;
    const { kernel, size } = sessions.protocol.catalog;
    const state = this.#checks.isOperator(request) ? { state: kernel.mask(kernel.status()) } : {};
    const body = { status: closing.aborted ? 'stopping' : 'ok', tools: size.tools, ...state };
    response
      .writeHead(closing.aborted ? 503 : 200, { 'content-type': 'application/json', 'cache-control': 'no-store' })
      .end(JSON.stringify(body));
  }
}
