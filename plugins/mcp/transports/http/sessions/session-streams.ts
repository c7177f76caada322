import type { IncomingMessage, ServerResponse } from 'node:http';
import { InFlight } from '../../../../../kernel/index.ts';
import type { Message, Request, RequestId, Wire } from '../../../../shared/json-rpc/message.ts';
import type { HttpRefusal } from '../http-refusal.ts';
import { compressibleMethods } from '../json-answers.ts';
import type { Replies } from '../replies.ts';
import { requestHeader } from '../request-headers.ts';
import { BatchReply } from './batch-reply.ts';
import { type EventId, type EventLog, sessionStream } from './event-log.ts';
import { EventStream, eventOf, type SentEvent, takeoverMs } from './event-stream.ts';
import { OpenQuestions } from './open-questions.ts';
import { Reply, type ReplyOptions, retryMs } from './reply.ts';
import { lostResponse, requestStream } from './request-stream.ts';
import type { SharedSession } from './shared/shared-session.ts';

/** First protocol version whose clients accept an event without data. */
const emptyEventsSince = '2025-11-25';

/** Protocol version of a client that names none (MCP, Transports, Protocol Version Header). */
const defaultVersion = '2025-03-26';

export interface SessionStreamsOptions extends Replies {
  readonly log: EventLog;
  /** Handle on the session, where other processes have it too. */
  readonly shared?: SharedSession | undefined;
  /** Time that a call continues when no client reads its stream, in milliseconds. */
  readonly resumeTimeoutMs: number;
}

/** Notifications that the client may have missed when it opens the session's stream. */
export interface MissedNotifications {
  /** Notifies the client that every list may have changed. */
  notifyAllLists(): void;
  /** URIs of subscribed resources whose changes may not have been reported. */
  readonly subscribed: readonly string[];
}

/** Streams to one client over HTTP (MCP, Streamable HTTP): the responses to its requests, and the session's own stream. */
export class SessionStreams implements Wire {
  readonly #sessionId: string;
  readonly #log: EventLog;
  readonly #answers: Replies['answers'];
  readonly #outbox: Replies['outbox'];
  readonly #replies = new InFlight<RequestId, Reply>();
  /** Streams whose response is sent at the end of this event-loop iteration. A client may resume before that. */
  readonly #leaving = new InFlight<string, EventStream>();
  readonly #general: EventStream;
  readonly #questions = new OpenQuestions();
  readonly #isResumed: boolean;
  readonly #shared: SharedSession | undefined;
  readonly #resumeTimeoutMs: number;
  #nextStream = 1;

  /** `isResumed`: true when an earlier server had this session and issued event ids. */
  constructor(sessionId: string, { log, answers, outbox, shared, resumeTimeoutMs }: SessionStreamsOptions, isResumed: boolean) {
    this.#isResumed = isResumed || shared !== undefined;
    this.#shared = shared;
    this.#resumeTimeoutMs = resumeTimeoutMs;
    this.#sessionId = sessionId;
    this.#log = log;
    this.#answers = answers;
    this.#outbox = outbox;
    this.#general = new EventStream(sessionStream, log);
  }

  /** Registers a request whose response goes over this HTTP response. */
  expect(message: Request, request: IncomingMessage, response: ServerResponse): void {
    const { protocolVersion } = (message.method === 'initialize' ? message.params : undefined) ?? {};
    const stream = new EventStream(requestStream(this.#nextStream++, message.id), this.#log);
    const canCompress = compressibleMethods.has(message.method);
    const isPrimed = acceptsEmptyEvents(request, protocolVersion);
    this.#replies.set(message.id, new Reply(stream, { request, response, sessionId: this.#sessionId, isPrimed, canCompress }));
  }

  /** Registers the requests of a batch. `refusals`: responses that exist already. */
  expectBatch(messages: readonly Request[], refusals: readonly Message[], request: IncomingMessage, response: ServerResponse): void {
    // The name holds no request id, because the stream answers several requests.
    const stream = new EventStream(String(this.#nextStream++), this.#log);
    const options: ReplyOptions = {
      request,
      response,
      sessionId: this.#sessionId,
      isPrimed: acceptsEmptyEvents(request),
      canCompress: false,
    };
    const reply = new BatchReply(stream, options, { requests: messages.length, refusals });
    for (const { id } of messages) this.#replies.set(id, reply);
  }

  /** Called when the response to a request is not ready at once. */
  startWaiting(request: RequestId): void {
    this.#replies.get(request)?.startWaiting();
  }

  send(message: Message, request?: RequestId): void {
    const reply = request === undefined ? undefined : this.#replies.get(request);
    if (request === undefined) this.#notify(message);
    else if ('method' in message) {
      this.#questions.note(message, request);
      reply?.tell(message);
    } else {
      this.#replies.delete(request);
      this.#questions.end(request);
      if (reply === undefined) return;
      this.#leaving.set(reply.stream.name, reply.stream);
      this.#outbox.add(() => {
        this.#leaving.delete(reply.stream.name);
        reply.answer(message, this.#answers);
      });
    }
  }

  /** Returns true while a request with this id is answered here. */
  has(request: RequestId): boolean {
    return this.#replies.has(request);
  }

  /** Returns true while this process writes the request's stream. Called when another process asks for it. */
  isOpen(name: string): boolean {
    if (this.#find(name) !== undefined) return true;
    const lost = lostResponse(name);
    if (!this.#log.hasEnded(name) && lost !== undefined) this.#log.store(name, JSON.stringify(lost), true);
    return false;
  }

  /** Records that the client answered a question. `question`: id of the question as the client received it. */
  onAnswer(question: RequestId): void {
    this.#questions.answered(question);
  }

  /** Ends the stream of a cancelled request. */
  drop(request: RequestId): void {
    const reply = this.#replies.get(request);
    this.#replies.delete(request);
    this.#questions.end(request);
    reply?.drop(this.#answers);
  }

  /**
   * Opens the session's stream, or resumes a lost one. An existing connection ends, because the client may have lost it, and open questions
   * are sent again. Sends the missed notifications, or announces possible changes where they are unknown. A promise where processes share
   * the session; it rejects when the store cannot be reached.
   */
  open(
    request: IncomingMessage,
    response: ServerResponse,
    missed: MissedNotifications,
  ): HttpRefusal | undefined | Promise<HttpRefusal | undefined> {
    const lastId = requestHeader(request, 'last-event-id');
    const last = lastId === undefined ? undefined : this.#log.parseId(lastId);
    if (lastId !== undefined && (last === undefined || !(last.isOwn || this.#isResumed))) return unknownEvent;
    if (last !== undefined && last.stream !== sessionStream) return this.#openRequest(response, last);
    if (this.#shared !== undefined) return this.#openShared(this.#shared, request, response, last, missed);
    const isTakeover = this.#general.isConnected;
    if (isTakeover && !this.#general.yieldToNewer()) return justMoved;
    this.#openSession(request, response, last, missed, { isTakeover });
    return undefined;
  }

  /** Checks if another process has the session's stream now. */
  async onMoved(): Promise<void> {
    const moved = await this.#shared?.stream.movedTo();
    if (moved === undefined) return;
    if (this.#general.isConnected) this.#general.disconnect();
    if (moved.isTakeover) this.#askAgain();
  }

  /** Sends the open questions again on the session's stream, in whichever process it is. */
  #askAgain(): void {
    for (const question of this.#questions.all) this.#notify(question);
  }

  #openSession(
    request: IncomingMessage,
    response: ServerResponse,
    last: EventId | undefined,
    missed: MissedNotifications,
    { before, isTakeover }: { readonly before?: readonly SentEvent[]; readonly isTakeover: boolean },
  ): void {
    const after = last?.isOwn === true ? last.number : this.#general.sent;
    // The replaced connection may have been dead: its last messages count as missed, unless the client names its last event.
    const isUnknown = (isTakeover && last === undefined) || (last?.isOwn === false && before === undefined);
    if (isUnknown || !this.#log.isCompleteAfter(after)) missed.notifyAllLists();
    this.#general.connect(response, this.#sessionId, after, before);
    if (acceptsEmptyEvents(request)) this.#general.prime(retryMs);
    if (isTakeover) this.#askAgain();
  }

  /** Opens the stream of a shared session, with the events that another process sent and the pending notifications of all. */
  async #openShared(
    shared: SharedSession,
    request: IncomingMessage,
    response: ServerResponse,
    last: EventId | undefined,
    missed: MissedNotifications,
  ): Promise<HttpRefusal | undefined> {
    const foreign = last?.isOwn === false ? last : undefined;
    const recorded = foreign && shared.recordedAfter(foreign);
    const next = async (): Promise<readonly SentEvent[]> =>
      ((await recorded?.next()) ?? []).map(({ number, text }) => ({ id: `${foreign?.log}.${number}`, text }));
    const [before, isAlive] = await Promise.all([next(), foreign === undefined || shared.isAlive(foreign)]);
    // The client disconnected meanwhile.
    if (response.closed) return undefined;
    const taken = await shared.stream.take(this.#general.isConnected);
    if (taken === 'refused') return justMoved;
    const release = (): void => {
      if (!this.#general.isConnected) void shared.stream.release().catch(() => {});
    };
    if (response.closed) {
      release();
      return undefined;
    }
    if (this.#general.isConnected) this.#general.disconnect();
    this.#openSession(request, response, last, missed, { before, isTakeover: taken === 'takeover' });
    response.once('close', release);
    if (!isAlive) missed.notifyAllLists();
    if (foreign !== undefined) {
      // The other process may still record sent events, or not know yet that its reader has left.
      let reading = Promise.resolve();
      const read = (): void => {
        reading = reading.then(next).then(
          (events) => this.#general.sendRecorded(events),
          () => {},
        );
      };
      response.once('close', shared.follow(foreign, read));
      read();
    }
    for (const uri of missed.subscribed) this.#notify({ jsonrpc: '2.0', method: 'notifications/resources/updated', params: { uri } });
    this.sendPending();
    return undefined;
  }

  /** Sends the pending notifications of other processes, if the session's stream is open here. */
  sendPending(): void {
    if (!this.#general.isConnected) return;
    void this.#shared?.drainPending().then(
      (messages) => messages.forEach((message) => void this.#notify(message)),
      () => {},
    );
  }

  /** Sends a notification on the session's stream. Of several processes, only the one with the stream reports changes to the client. */
  #notify(message: Message): void {
    if (this.#shared === undefined || this.#general.isConnected) this.#general.sendOnce(message);
    else if ('method' in message && message.method !== 'notifications/resources/updated') this.#shared.queueNotification(message);
  }

  #find(name: string): EventStream | undefined {
    const leaving = this.#leaving.get(name);
    if (leaving !== undefined) return leaving;
    return this.#replies
      .values()
      .map((reply) => reply.stream)
      .find((open) => open.name === name);
  }

  #openRequest(response: ServerResponse, last: EventId): HttpRefusal | undefined | Promise<undefined> {
    const { stream: name, number, isOwn } = last;
    if (!isOwn && this.#shared !== undefined) return this.#follow(this.#shared, response, last);
    const stream = isOwn ? this.#find(name) : undefined;
    if (stream?.isConnected === true && !stream.yieldToNewer({ isLost: true })) return justMoved;
    if (stream !== undefined) return void stream.connect(response, this.#sessionId, number);
    // Also true for a cancelled request, which gets no more events.
    if (isOwn && (this.#log.hasEnded(name) || this.#log.has(last)))
      return void this.#end(
        response,
        this.#log.eventsAfter(number, name).map(({ id, text }) => eventOf(id, text)),
      );
    const lost = lostResponse(name);
    if (lost === undefined) return unknownEvent;
    return void this.#end(response, [`event: message\ndata: ${JSON.stringify(lost)}\n\n`]);
  }

  async #follow(shared: SharedSession, response: ServerResponse, place: EventId): Promise<undefined> {
    const { FollowedStream } = await import('./shared/followed-stream.ts');
    await FollowedStream.open({ shared, lastEvent: place, response, sessionId: this.#sessionId, resumeTimeoutMs: this.#resumeTimeoutMs });
  }

  /** Ends all streams. */
  close(): void {
    for (const reply of new Set(this.#replies.values())) reply.end();
    this.#replies.clear();
    this.#general.end();
  }

  #end(response: ServerResponse, events: readonly string[]): void {
    response
      .writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache, no-transform', 'mcp-session-id': this.#sessionId })
      .end(events.join(''));
  }
}

/** Returns true when the client accepts an event without data. `asked`: version in its `initialize`. */
function acceptsEmptyEvents(request: IncomingMessage, asked?: unknown): boolean {
  return String(asked ?? requestHeader(request, 'mcp-protocol-version') ?? defaultVersion) >= emptyEventsSince;
}

const unknownEvent: HttpRefusal = { status: 400, message: 'There is no event with this Last-Event-ID any more.', code: -32000 };

const justMoved: HttpRefusal = {
  status: 409,
  message: `The stream was opened twice within ${takeoverMs / 1000} seconds, so it stays with the connection that has it. Is there a second client with this session?`,
  headers: { 'retry-after': String(takeoverMs / 1000) },
};
