import type { IncomingMessage, ServerResponse } from 'node:http';
import { setImmediate } from 'node:timers/promises';
import { InFlight } from '../../../../../kernel/index.ts';
import { errorCodes, isRequest, type Message, type Request, type RequestId } from '../../../../shared/json-rpc/message.ts';
import { batchText } from '../../../../shared/json-rpc/message-text.ts';
import { maxLinesPerTick } from '../../../../shared/json-rpc/read-lines.ts';
import { batchProblem, sortBatch } from '../../../protocol/batch.ts';
import type { ClientIdentity } from '../../../protocol/clients/connection.ts';
import { grantOf } from '../authorization/grant.ts';
import type { HttpRefusal } from '../http-refusal.ts';
import { SessionMessages, type SessionMessagesOptions } from './session-messages.ts';
import { SessionStreams, type SessionStreamsOptions } from './session-streams.ts';

export interface SessionLimits {
  /** Time without use after which a session ends, in milliseconds. */
  readonly idleMs: number;
  /** Time without a connection after which a client's calls are cancelled, in milliseconds. */
  readonly resumeTimeoutMs: number;
}

export interface SessionOptions extends SessionLimits, SessionStreamsOptions, SessionMessagesOptions {
  /** Secret id. With it and the token of its caller, a client can use the session. */
  readonly id: string;
  /** The `initialize` request of a session that another server had. */
  readonly resumedFrom?: Request;
  /** Called when its last connection has closed. */
  onIdle(): void;
  onEnd(): void;
  /** Called when its client ends it. A promise where other processes must know; a refusal when they cannot be notified. */
  onDelete(): HttpRefusal | undefined | Promise<HttpRefusal | undefined>;
  /** Called when its client has ended it at another process. */
  onDeleted(): void;
}

type RawMessage = Readonly<Record<string, unknown>>;

/** Session of one client over HTTP. It may have several connections at a time, and none for a while. */
export class Session {
  readonly id: string;
  /** Client that opened it. No other caller may use it. */
  readonly peer: ClientIdentity;
  readonly #options: SessionOptions;
  readonly #streams: SessionStreams;
  readonly #messages: SessionMessages;
  /** Requests whose connection broke before the response. They continue: a lost connection is no cancellation (MCP, Streamable HTTP). */
  readonly #orphans = new Set<RequestId>();
  /** Requests whose connection is open. */
  readonly #connected = new InFlight<RequestId, true>();
  #connections = 0;
  #timers: NodeJS.Timeout[] = [];
  #hasEnded = false;

  constructor(options: SessionOptions) {
    const { id, peer, resumedFrom, shared } = options;
    this.id = id;
    this.peer = peer;
    this.#options = options;
    this.#streams = new SessionStreams(id, options, resumedFrom !== undefined);
    this.#messages = new SessionMessages(options, this.#streams);
    shared?.attach({
      receive: (message) => this.#messages.onMessage(message),
      end: () => {
        options.onDeleted();
        void this.close();
      },
      onStreamRead: (stream) => {
        if (this.#streams.isOpen(stream) && this.#connections === 0) this.#restartTimers();
      },
      sendPending: () => this.#streams.sendPending(),
      onMoved: () => void this.#streams.onMoved().catch(() => {}),
      set: (name, request) => this.#messages.change(name, request),
    });
    if (resumedFrom === undefined) return;
    this.#messages.resume(resumedFrom);
    // The request that resumes it may be refused before it arrives here.
    this.#startTimers();
  }

  /** True when no stream is open and no call runs. */
  get isIdle(): boolean {
    return this.#connections === 0 && this.#orphans.size === 0;
  }

  /** Answers the `initialize` that opens the session. */
  open(request: IncomingMessage, response: ServerResponse, message: Request): void {
    this.#ask(request, response, message);
  }

  /** Handles a request. Rejects when the shared store cannot be reached. */
  async handle(request: IncomingMessage, response: ServerResponse, message?: RawMessage): Promise<HttpRefusal | undefined> {
    if (request.method === 'GET') return this.#listen(request, response);
    if (message === undefined) {
      const refusal = await this.#options.onDelete();
      if (refusal !== undefined) return refusal;
      await this.close();
      return void response.writeHead(200).end();
    }
    if (isRequest(message)) return this.#refuse(message) ?? void this.#ask(request, response, message);
    this.#track(response);
    const told = this.#messages.receive(message as unknown as Message);
    if (told instanceof Promise) await told;
    response.writeHead(202, { vary: 'Origin' }).end();
    return undefined;
  }

  /** Handles a batch. Rejects like `handle`. */
  async handleBatch(request: IncomingMessage, response: ServerResponse, batch: readonly unknown[]): Promise<HttpRefusal | undefined> {
    const code = errorCodes.invalidRequest;
    const problem = batchProblem(batch, this.#messages.version);
    if (problem !== undefined) return { status: 400, message: problem, code };
    const { messages, refusals } = sortBatch(batch, (id) => this.#connected.has(id));
    const requests = messages.filter(isRequest);
    this.#track(
      response,
      requests.map(({ id }) => id),
    );
    this.#streams.expectBatch(requests, refusals, request, response);
    const scopes = grantOf(request)?.scopes;
    for (const [index, message] of messages.entries()) {
      // Yields to the event loop, as between single requests.
      if (index > 0 && index % maxLinesPerTick === 0) await setImmediate();
      if (isRequest(message)) this.#messages.ask(message, scopes);
      else await this.#messages.receive(message);
    }
    for (const { id } of requests) this.#streams.startWaiting(id);
    if (requests.length > 0) return undefined;
    if (refusals.length === 0) response.writeHead(202, { vary: 'Origin' }).end();
    else response.writeHead(400, { 'content-type': 'application/json', vary: 'Origin' }).end(batchText(refusals));
    return undefined;
  }

  async #listen(request: IncomingMessage, response: ServerResponse): Promise<HttpRefusal | undefined> {
    const opening = this.#streams.open(request, response, this.#messages);
    const refusal = opening instanceof Promise ? await opening : opening;
    if (refusal === undefined) this.#track(response);
    return refusal;
  }

  #refuse({ id, method }: Request): HttpRefusal | undefined {
    const code = errorCodes.invalidRequest;
    if (method === 'initialize') return { status: 400, message: 'This session is open already.', code };
    if (this.#connected.has(id)) return { status: 400, message: 'A request with this id is still running.', code };
    return undefined;
  }

  #ask(request: IncomingMessage, response: ServerResponse, message: Request): void {
    this.#track(response, [message.id]);
    this.#streams.expect(message, request, response);
    this.#messages.ask(message, grantOf(request)?.scopes);
    this.#streams.startWaiting(message.id);
  }

  /** Resolves when every request so far has its answer, or has lost its connection. */
  answered(): Promise<void> {
    return this.#connected.empty();
  }

  /** Ends the session for its client. Never rejects: if other processes cannot be notified, it has ended here. */
  async end(): Promise<void> {
    const told = Promise.resolve(this.#options.onDelete()).catch(() => undefined);
    await Promise.all([told, this.close()]);
  }

  /** Ends the streams and the running calls. */
  async close(): Promise<void> {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    this.#stopTimers();
    this.#streams.close();
    this.#options.shared?.leave();
    this.#options.onEnd();
    await this.#messages.close();
    await this.#options.log.written();
  }

  #track(response: ServerResponse, asked: readonly RequestId[] = []): void {
    this.#connections++;
    this.#stopTimers();
    for (const id of asked) this.#connected.set(id, true);
    const close = (): void => {
      this.#connections--;
      for (const id of asked) this.#lose(id, response.writableFinished);
      if (this.#connections > 0) return;
      this.#startTimers();
      this.#options.onIdle();
    };
    // The client may have disconnected while other processes were asked.
    if (response.closed) close();
    else response.once('close', close);
  }

  #lose(asked: RequestId, isAnswered: boolean): void {
    this.#connected.delete(asked);
    if (!isAnswered) this.#orphans.add(asked);
  }

  #startTimers(): void {
    if (this.#hasEnded) return;
    const { idleMs, resumeTimeoutMs } = this.#options;
    this.#timers = [setTimeout(() => void this.close(), idleMs).unref()];
    if (this.#orphans.size > 0) this.#timers.push(setTimeout(() => this.#cancelOrphans(), resumeTimeoutMs).unref());
  }

  #cancelOrphans(): void {
    for (const requestId of this.#orphans) {
      const params = { requestId, reason: 'The client has been without a connection for too long.' };
      this.#messages.cancel(params);
      // A client that asks for its stream at another process would wait.
      if (this.#options.shared !== undefined) this.#streams.drop(requestId);
    }
    this.#orphans.clear();
  }

  #restartTimers(): void {
    this.#stopTimers();
    this.#startTimers();
  }

  #stopTimers(): void {
    for (const timer of this.#timers.splice(0)) clearTimeout(timer);
  }
}
