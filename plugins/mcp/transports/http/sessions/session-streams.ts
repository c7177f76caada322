import type { IncomingMessage, ServerResponse } from 'node:http';
import { InFlight } from '../../../../../kernel/index.ts';
import { isRequest, type Message, type Request, type RequestId, type Wire } from '../../../../shared/json-rpc/message.ts';
import { cancelledBy } from '../../../protocol/clients/cancellation.ts';
import { compressibleMethods, type HttpRefusal, type Replies } from '../reply.ts';
import { requestHeader } from '../request-headers.ts';
import { type EventId, type EventLog, sessionStream } from './event-log.ts';
import { acceptsEmptyEvents, EventStream, lastEvents, lostResponse, requestStream, type SentEvent, takeoverMs } from './event-stream.ts';
import { Reply, retryMs } from './reply.ts';
import type { SharedSession } from './shared/shared-session.ts';

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
  subscribed(): readonly string[];
}

/** A question to the client without an answer. */
interface OpenQuestion {
  readonly message: Message;
  /** Id of the request that the question belongs to. */
  readonly request: RequestId;
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
  readonly #questions = new Map<RequestId, OpenQuestion>();
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
    const reply = new Reply(stream, {
      request,
      response,
      sessionId: this.#sessionId,
      isPrimed: acceptsEmptyEvents(request),
      canCompress: false,
      batch: { requests: messages.length, refusals },
    });
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
      this.#noteQuestion(message, request);
      reply?.tell(message);
    } else {
      this.#replies.delete(request);
      this.#endQuestions(request);
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
    this.#questions.delete(question);
  }

  /** Records a message to the client that is a question, or the cancellation of one. */
  #noteQuestion(message: Message, request: RequestId): void {
    const cancelled = isRequest(message) ? undefined : cancelledBy(message);
    if (isRequest(message)) this.#questions.set(message.id, { message, request });
    else if (cancelled !== undefined) this.#questions.delete(cancelled);
  }

  /** Forgets the questions of a request that has ended. */
  #endQuestions(request: RequestId): void {
    for (const [id, question] of this.#questions) if (question.request === request) this.#questions.delete(id);
  }

  /** Ends the stream of a cancelled request. */
  drop(request: RequestId): void {
    const reply = this.#replies.get(request);
    this.#replies.delete(request);
    this.#endQuestions(request);
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
    for (const { message } of this.#questions.values()) this.#notify(message);
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
    const { openSharedStream } = await import('./shared/open-shared-stream.ts');
    const isOpen = await openSharedStream({
      shared,
      stream: this.#general,
      response,
      last,
      connect: ({ before, isTakeover, isWriterAlive }) => {
        this.#openSession(request, response, last, missed, { before, isTakeover });
        if (!isWriterAlive) missed.notifyAllLists();
        for (const uri of missed.subscribed()) this.#notify({ jsonrpc: '2.0', method: 'notifications/resources/updated', params: { uri } });
        this.sendPending();
      },
    });
    return isOpen ? undefined : justMoved;
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
    const events = lastEvents(this.#log, last);
    if (events === undefined) return unknownEvent;
    response
      .writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache, no-transform', 'mcp-session-id': this.#sessionId })
      .end(events);
    return undefined;
  }

  async #follow(shared: SharedSession, response: ServerResponse, place: EventId): Promise<undefined> {
    const { followStream } = await import('./shared/follow-stream.ts');
    await followStream({ shared, lastEvent: place, response, sessionId: this.#sessionId, resumeTimeoutMs: this.#resumeTimeoutMs });
  }

  /** Ends all streams. */
  close(): void {
    for (const reply of new Set(this.#replies.values())) reply.end();
    this.#replies.clear();
    this.#general.end();
  }
}

const unknownEvent: HttpRefusal = { status: 400, message: 'There is no event with this Last-Event-ID any more.', code: -32000 };

const justMoved: HttpRefusal = {
  status: 409,
  message: `The stream was opened twice within ${takeoverMs / 1000} seconds, so it stays with the connection that has it. Is there a second client with this session?`,
  headers: { 'retry-after': String(takeoverMs / 1000) },
};
