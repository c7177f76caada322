import type { IncomingMessage, ServerResponse } from 'node:http';
import { InFlight } from '../../../../../kernel/index.ts';
import type { Message, Request, RequestId } from '../../../protocol/messages.ts';
import type { Wire } from '../../../protocol/wire.ts';
import type { HttpRefusal } from '../http-refusal.ts';
import { compressibleMethods } from '../json-answers.ts';
import type { Replies } from '../replies.ts';
import { requestHeader } from '../request-headers.ts';
import { BatchReply } from './batch-reply.ts';
import { type EventLog, type EventPlace, sessionStream } from './event-log.ts';
import { EventStream, eventOf, type SentEvent, takeoverMs } from './event-stream.ts';
import { OpenQuestions } from './open-questions.ts';
import { Reply, type ReplyOptions, retryMs } from './reply.ts';
import { lostAnswer, requestStream } from './request-stream.ts';
import type { SharedSession } from './shared/shared-session.ts';

/** The first version of the protocol whose clients take an event without data. */
const primedSince = '2025-11-25';

/** What a client speaks that does not say it (MCP, Transports, Protocol Version Header). */
const unsaidVersion = '2025-03-26';

export interface SessionStreamsOptions extends Replies {
  readonly log: EventLog;
  /** Where other processes have the session too. */
  readonly shared?: SharedSession | undefined;
  /** How long a call goes on whose answer nobody reads, in milliseconds. */
  readonly resumeMs: number;
}

/** What may have to be said when the stream of a session opens. */
export interface Unheard {
  /** That every list may have changed. */
  announceAll(): void;
  /** URIs of resources that may have changed while no process told the client. */
  readonly subscribed: readonly string[];
}

/** What goes back to one client over HTTP (MCP, Streamable HTTP): the answers to its requests, and the stream of its session. */
export class SessionStreams implements Wire {
  readonly #sessionId: string;
  readonly #log: EventLog;
  readonly #answers: Replies['answers'];
  readonly #outbox: Replies['outbox'];
  readonly #replies = new InFlight<RequestId, Reply>();
  /** Streams whose answer is there, and leaves at the end of the turn: a client may come back before. */
  readonly #leaving = new InFlight<string, EventStream>();
  readonly #general: EventStream;
  readonly #questions = new OpenQuestions();
  readonly #isRevived: boolean;
  readonly #shared: SharedSession | undefined;
  readonly #resumeMs: number;
  #nextStream = 1;

  /** `isRevived`: a server of before had this session, and gave its client ids of events. */
  constructor(sessionId: string, { log, answers, outbox, shared, resumeMs }: SessionStreamsOptions, isRevived: boolean) {
    this.#isRevived = isRevived || shared !== undefined;
    this.#shared = shared;
    this.#resumeMs = resumeMs;
    this.#sessionId = sessionId;
    this.#log = log;
    this.#answers = answers;
    this.#outbox = outbox;
    this.#general = new EventStream(sessionStream, log);
  }

  /** Expects the answer to this request over this response. */
  expect(message: Request, request: IncomingMessage, response: ServerResponse): void {
    const { protocolVersion } = (message.method === 'initialize' ? message.params : undefined) ?? {};
    const stream = new EventStream(requestStream(this.#nextStream++, message.id), this.#log);
    const canCompress = compressibleMethods.has(message.method);
    const isPrimed = takesPriming(request, protocolVersion);
    this.#replies.set(message.id, new Reply(stream, { request, response, sessionId: this.#sessionId, isPrimed, canCompress }));
  }

  /** The same for the requests of a batch. `refusals`: the answers that are there already. */
  expectBatch(messages: readonly Request[], refusals: readonly Message[], request: IncomingMessage, response: ServerResponse): void {
    // Its events do not say which request they answer, because they answer several.
    const stream = new EventStream(String(this.#nextStream++), this.#log);
    const options: ReplyOptions = { request, response, sessionId: this.#sessionId, isPrimed: takesPriming(request), canCompress: false };
    const reply = new BatchReply(stream, options, { requests: messages.length, refusals });
    for (const { id } of messages) this.#replies.set(id, reply);
  }

  /** Says that the answer to a request did not come at once. */
  awaits(request: RequestId): void {
    this.#replies.get(request)?.waits();
  }

  send(message: Message, request?: RequestId): void {
    const reply = request === undefined ? undefined : this.#replies.get(request);
    if (request === undefined) this.#say(message);
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

  /** Whether a request is answered here that has this id. */
  has(request: RequestId): boolean {
    return this.#replies.has(request);
  }

  /** Another process asks for the stream of a request. Whether it is written here still. */
  isOpen(name: string): boolean {
    if (this.#find(name) !== undefined) return true;
    const lost = lostAnswer(name);
    if (!this.#log.hasEnded(name) && lost !== undefined) this.#log.store(name, JSON.stringify(lost), true);
    return false;
  }

  /** The client has answered what it was asked, with the id that it was asked under. */
  answered(question: RequestId): void {
    this.#questions.answered(question);
  }

  /** Nothing more comes for a request that was cancelled. */
  drop(request: RequestId): void {
    const reply = this.#replies.get(request);
    this.#replies.delete(request);
    this.#questions.end(request);
    reply?.drop(this.#answers);
  }

  /**
   * Opens the stream of the session, or goes on with the one that the client has lost. A connection that has it already gives way, because the client may have
   * lost that one too, and questions that are open are asked again. What was said to the session while nobody listened is said
   * now; where that is no longer known, what may have been. A promise where other processes may know more; it rejects where the store cannot be reached.
   */
  open(request: IncomingMessage, response: ServerResponse, unheard: Unheard): HttpRefusal | undefined | Promise<HttpRefusal | undefined> {
    const lastId = requestHeader(request, 'last-event-id');
    const last = lastId === undefined ? undefined : this.#log.placeOf(lastId);
    if (lastId !== undefined && (last === undefined || !(last.isOwn || this.#isRevived))) return unknownEvent;
    if (last !== undefined && last.stream !== sessionStream) return this.#openRequest(response, last);
    if (this.#shared !== undefined) return this.#openShared(this.#shared, request, response, last, unheard);
    const isTakeover = this.#general.isConnected;
    if (isTakeover && !this.#general.giveWay()) return justMoved;
    this.#openSession(request, response, last, unheard, { isTakeover });
    return undefined;
  }

  /** Another process may have the stream of the session now. */
  async moved(): Promise<void> {
    const moved = await this.#shared?.stream.movedTo();
    if (moved === undefined) return;
    if (this.#general.isConnected) this.#general.leave();
    if (moved.isTakeover) this.#askAgain();
  }

  /** On the stream of the session, wherever that is. */
  #askAgain(): void {
    for (const question of this.#questions.all) this.#say(question);
  }

  #openSession(
    request: IncomingMessage,
    response: ServerResponse,
    last: EventPlace | undefined,
    unheard: Unheard,
    { before, isTakeover }: { readonly before?: readonly SentEvent[]; readonly isTakeover: boolean },
  ): void {
    const after = last?.isOwn === true ? last.number : this.#general.sent;
    // A connection that gave way may have been dead: what was sent on it last counts for nothing, unless the client says what it has.
    const isUnknown = (isTakeover && last === undefined) || (last?.isOwn === false && before === undefined);
    if (isUnknown || !this.#log.isWholeAfter(after)) unheard.announceAll();
    this.#general.connect(response, this.#sessionId, after, before);
    if (takesPriming(request)) this.#general.prime(retryMs);
    if (isTakeover) this.#askAgain();
  }

  /** The same, with what another process has sent on it, and what all of them have to say. */
  async #openShared(
    shared: SharedSession,
    request: IncomingMessage,
    response: ServerResponse,
    last: EventPlace | undefined,
    unheard: Unheard,
  ): Promise<HttpRefusal | undefined> {
    const foreign = last?.isOwn === false ? last : undefined;
    const recorded = foreign && shared.recordedAfter(foreign);
    const next = async (): Promise<readonly SentEvent[]> =>
      ((await recorded?.next()) ?? []).map(({ number, text }) => ({ id: `${foreign?.log}.${number}`, text }));
    const [before, isAlive] = await Promise.all([next(), foreign === undefined || shared.isAlive(foreign)]);
    // It has gone meanwhile.
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
    if (this.#general.isConnected) this.#general.leave();
    this.#openSession(request, response, last, unheard, { before, isTakeover: taken === 'takeover' });
    response.once('close', release);
    if (!isAlive) unheard.announceAll();
    if (foreign !== undefined) {
      // The other process may still record what it has sent, or not know yet that nobody reads there.
      let reading = Promise.resolve();
      const read = (): void => {
        reading = reading.then(next).then(
          (events) => this.#general.repeat(events),
          () => {},
        );
      };
      response.once('close', shared.follow(foreign, read));
      read();
    }
    for (const uri of unheard.subscribed) this.#say({ jsonrpc: '2.0', method: 'notifications/resources/updated', params: { uri } });
    this.hear();
    return undefined;
  }

  /** Says on the stream of the session what other processes have for it, if it is open here. */
  hear(): void {
    if (!this.#general.isConnected) return;
    void this.#shared?.takeSaid().then(
      (messages) => messages.forEach((message) => void this.#say(message)),
      () => {},
    );
  }

  /** Of several processes that have the session the one tells its client which has its stream, and that one watches resources as well. */
  #say(message: Message): void {
    if (this.#shared === undefined || this.#general.isConnected) this.#general.sendOnce(message);
    else if ('method' in message && message.method !== 'notifications/resources/updated') this.#shared.say(message);
  }

  #find(name: string): EventStream | undefined {
    const leaving = this.#leaving.get(name);
    if (leaving !== undefined) return leaving;
    return this.#replies
      .values()
      .map((reply) => reply.stream)
      .find((open) => open.name === name);
  }

  #openRequest(response: ServerResponse, last: EventPlace): HttpRefusal | undefined | Promise<undefined> {
    const { stream: name, number, isOwn } = last;
    if (!isOwn && this.#shared !== undefined) return this.#follow(this.#shared, response, last);
    const stream = isOwn ? this.#find(name) : undefined;
    if (stream?.isConnected === true && !stream.giveWay({ isLost: true })) return justMoved;
    if (stream !== undefined) return void stream.connect(response, this.#sessionId, number);
    // Also of a request that was cancelled: nothing follows.
    if (isOwn && (this.#log.hasEnded(name) || this.#log.has(last)))
      return void this.#end(
        response,
        this.#log.eventsAfter(number, name).map(({ id, text }) => eventOf(id, text)),
      );
    const lost = lostAnswer(name);
    if (lost === undefined) return unknownEvent;
    return void this.#end(response, [`event: message\ndata: ${JSON.stringify(lost)}\n\n`]);
  }

  async #follow(shared: SharedSession, response: ServerResponse, place: EventPlace): Promise<undefined> {
    const { FollowedStream } = await import('./shared/followed-stream.ts');
    await FollowedStream.open({ shared, place, response, sessionId: this.#sessionId, resumeMs: this.#resumeMs });
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

/** Whether the client takes an event without data. `asked`: the version in its `initialize`. */
function takesPriming(request: IncomingMessage, asked?: unknown): boolean {
  return String(asked ?? requestHeader(request, 'mcp-protocol-version') ?? unsaidVersion) >= primedSince;
}

const unknownEvent: HttpRefusal = { status: 400, message: 'There is no event with this Last-Event-ID any more.', code: -32000 };

const justMoved: HttpRefusal = {
  status: 409,
  message: `The stream was opened twice within ${takeoverMs / 1000} seconds, so it stays with the connection that has it. Is there a second client with this session?`,
  headers: { 'retry-after': String(takeoverMs / 1000) },
};
