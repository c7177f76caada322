import type { IncomingMessage, ServerResponse } from 'node:http';
import { setImmediate } from 'node:timers/promises';
import { InFlight } from '../../../../../kernel/index.ts';
import { maxLinesPerTick } from '../../../../shared/json-rpc/lines.ts';
import { batchText, errorCodes, isRequest, type Message, type Request, type RequestId } from '../../../../shared/json-rpc/message.ts';
import type { LogLevel } from '../../../../shared/mcp-sdk/types.ts';
import { batchProblem, sortBatch } from '../../../protocol/batch.ts';
import type { Arrival } from '../../../protocol/clients/arrival.ts';
import { cancelledBy } from '../../../protocol/clients/cancellation.ts';
import type { ClientIdentity, ProtocolOptions } from '../../../protocol/clients/connection.ts';
import { SessionClient } from '../../../protocol/clients/session-client.ts';
import type { HttpRefusal } from '../reply.ts';
import { arrivalOf } from '../request-headers.ts';
import { type MissedNotifications, SessionStreams, type SessionStreamsOptions } from './session-streams.ts';
import { changeSetting, isSetting, requestsIn, subscribedIn } from './shared/client-settings.ts';
import type { SharedSession } from './shared/shared-session.ts';
import { sharedWire } from './shared/shared-wire.ts';

export interface SessionLimits {
  /** Time without use after which a session ends, in milliseconds. */
  readonly idleMs: number;
  /** Time without a connection after which a client's calls are cancelled, in milliseconds. */
  readonly resumeTimeoutMs: number;
}

export interface SessionOptions extends SessionLimits, SessionStreamsOptions {
  readonly protocol: ProtocolOptions;
  readonly peer: ClientIdentity;
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
  readonly #connection: SessionClient;
  /** Requests whose connection broke before the response. They continue: a lost connection is no cancellation (MCP, Streamable HTTP). */
  readonly #orphans = new Set<RequestId>();
  /** Requests whose connection is open. */
  readonly #connected = new InFlight<RequestId, true>();
  #connections = 0;
  #timers: NodeJS.Timeout[] = [];
  #hasEnded = false;

  constructor(options: SessionOptions) {
    const { id, peer, protocol, resumedFrom, shared } = options;
    this.id = id;
    this.peer = peer;
    this.#options = options;
    this.#streams = new SessionStreams(id, options, resumedFrom !== undefined);
    this.#connection = new SessionClient(protocol, peer, shared === undefined ? this.#streams : sharedWire(shared, this.#streams));
    shared?.attach({
      receive: (message) => this.#onMessage(message),
      end: () => {
        options.onDeleted();
        void this.close();
      },
      onStreamRead: (stream) => {
        if (this.#streams.isOpen(stream) && this.#connections === 0) this.#restartTimers();
      },
      sendPending: () => this.#streams.sendPending(),
      onMoved: () => void this.#streams.onMoved().catch(() => {}),
      set: (name, request) => {
        const repeated = changeSetting(shared.settings, name, request);
        if (repeated !== undefined) this.#repeatSetting(repeated);
      },
    });
    if (resumedFrom === undefined) return;
    this.#connection.resume(resumedFrom, shared === undefined);
    if (shared !== undefined) for (const request of requestsIn(shared.settings)) this.#repeatSetting(request);
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
    const forwarded = this.#receive(message as unknown as Message);
    if (forwarded instanceof Promise) await forwarded;
    response.writeHead(202, { vary: 'Origin' }).end();
    return undefined;
  }

  /** Handles a batch. Rejects like `handle`. */
  async handleBatch(request: IncomingMessage, response: ServerResponse, batch: readonly unknown[]): Promise<HttpRefusal | undefined> {
    const code = errorCodes.invalidRequest;
    const problem = batchProblem(batch, this.#connection.protocolVersion);
    if (problem !== undefined) return { status: 400, message: problem, code };
    const { messages, refusals } = sortBatch(batch, (id) => this.#connected.has(id));
    const requests = messages.filter(isRequest);
    this.#track(
      response,
      requests.map(({ id }) => id),
    );
    this.#streams.expectBatch(requests, refusals, request, response);
    const arrival = arrivalOf(request, this.id);
    for (const [index, message] of messages.entries()) {
      // Yields to the event loop, as between single requests.
      if (index > 0 && index % maxLinesPerTick === 0) await setImmediate();
      if (isRequest(message)) this.#pass(message, arrival);
      else await this.#receive(message);
    }
    for (const { id } of requests) this.#streams.startWaiting(id);
    if (requests.length > 0) return undefined;
    if (refusals.length === 0) response.writeHead(202, { vary: 'Origin' }).end();
    else response.writeHead(400, { 'content-type': 'application/json', vary: 'Origin' }).end(batchText(refusals));
    return undefined;
  }

  async #listen(request: IncomingMessage, response: ServerResponse): Promise<HttpRefusal | undefined> {
    const missed: MissedNotifications = {
      notifyAllLists: () => this.#connection.notifyAllLists(),
      subscribed: () => (this.#options.shared === undefined ? [] : subscribedIn(this.#options.shared.settings)),
    };
    const opening = this.#streams.open(request, response, missed);
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
    this.#pass(message, arrivalOf(request, this.id));
    this.#streams.startWaiting(message.id);
  }

  /** Passes a request to its handler. */
  #pass(message: Request, arrival: Arrival): void {
    const { shared } = this.#options;
    if (shared !== undefined && isSetting(message)) shared.settings.pending.set(message.id, message);
    this.#connection.receive(message, arrival);
  }

  /** Handles a notification or a response of the client. A promise where it is for another process. */
  #receive(message: Message): void | Promise<void> {
    const { shared } = this.#options;
    const cancelled = cancelledBy(message);
    const isResponse = !('method' in message) && message.id !== undefined;
    if (isResponse) this.#streams.onAnswer(message.id as RequestId);
    if (shared === undefined || (cancelled !== undefined && this.#streams.has(cancelled))) this.#onMessage(message);
    else if (cancelled !== undefined) return shared.cancel(message as Parameters<SharedSession['cancel']>[0]);
    else if (isResponse)
      return shared.incoming(message as Message & { id: RequestId }).then((own) => {
        if (own !== undefined) this.#connection.receive(own);
      });
    else this.#connection.receive(message);
    return undefined;
  }

  /** Handles a notification or a response for this process, even if it arrived at another one. */
  #onMessage(message: Message): void {
    const { shared } = this.#options;
    if (shared !== undefined && !('method' in message)) this.#streams.onAnswer(`${shared.label}-${message.id}`);
    this.#connection.receive(message);
    const cancelled = cancelledBy(message);
    if (cancelled !== undefined) this.#streams.drop(cancelled);
  }

  /** Repeats a request for a setting that the client made at another process. */
  #repeatSetting(request: Request): void {
    if (request.method === 'logging/setLevel') this.#connection.logLevel = request.params?.['level'] as LogLevel;
    else this.#connection.receive(request);
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
    await this.#connection.close();
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
      this.#connection.receive({ jsonrpc: '2.0', method: 'notifications/cancelled', params });
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
