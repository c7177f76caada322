import type { IncomingMessage, ServerResponse } from 'node:http';
import { messageText } from '../../../protocol/message-text.ts';
import type { Message, Request, RequestId } from '../../../protocol/messages.ts';
import type { Wire } from '../../../protocol/wire.ts';
import type { HttpRefusal } from '../http-refusal.ts';
import { compressibleMethods, type JsonAnswers } from '../json-answers.ts';
import type { Replies } from '../replies.ts';
import { type EventLog, type EventPlace, sessionStream } from './event-log.ts';
import { EventStream, eventOf } from './event-stream.ts';
import { lostAnswer, requestStream } from './request-stream.ts';

/** A request that runs for longer becomes a stream, with which its client can come back after a broken connection. In milliseconds. */
const patienceMs = 50;

/** When a client that lost its stream should come back, in milliseconds. */
const retryMs = 1000;

/** The first version of the protocol whose clients take an event without data. */
const primedSince = '2025-11-25';

/** What a client speaks that does not say it (MCP, Transports, Protocol Version Header). */
const unsaidVersion = '2025-03-26';

export interface SessionStreamsOptions extends Replies {
  readonly log: EventLog;
}

/** What goes back to one client over HTTP (MCP, Streamable HTTP): the answers to its requests, and the stream of its session. */
export class SessionStreams implements Wire {
  readonly #sessionId: string;
  readonly #log: EventLog;
  readonly #answers: Replies['answers'];
  readonly #outbox: Replies['outbox'];
  readonly #replies = new Map<RequestId, Reply>();
  readonly #general: EventStream;
  readonly #isRevived: boolean;
  #nextStream = 1;

  /** `isRevived`: a server of before had this session, and gave its client ids of events. */
  constructor(sessionId: string, { log, answers, outbox }: SessionStreamsOptions, isRevived: boolean) {
    this.#isRevived = isRevived;
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
    const reply = new Reply(stream, {
      request,
      response,
      sessionId: this.#sessionId,
      isPrimed: takesPriming(request, protocolVersion),
      canCompress,
    });
    this.#replies.set(message.id, reply);
  }

  /** Says that the answer to a request did not come at once. */
  awaits(request: RequestId): void {
    this.#replies.get(request)?.waits();
  }

  send(message: Message, request?: RequestId): void {
    const reply = request === undefined ? undefined : this.#replies.get(request);
    if (request === undefined) this.#general.sendOnce(message);
    else if ('method' in message) reply?.tell(message);
    else {
      this.#replies.delete(request);
      if (reply !== undefined) this.#outbox.add(() => reply.answer(message, this.#answers));
    }
  }

  /** Nothing more comes for a request that was cancelled. */
  drop(request: RequestId): void {
    const reply = this.#replies.get(request);
    this.#replies.delete(request);
    reply?.end();
  }

  /**
   * Opens the stream of the session, or goes on with the one that the client has lost. What was said to the session while nobody listened is said
   * now; where that is no longer known, `sayAll` says what may have been.
   */
  open(request: IncomingMessage, response: ServerResponse, sayAll: () => void): HttpRefusal | undefined {
    const lastId = request.headers['last-event-id'];
    const last = typeof lastId === 'string' ? this.#log.placeOf(lastId) : undefined;
    if (lastId !== undefined && (last === undefined || !(last.isOwn || this.#isRevived))) return unknownEvent;
    return last === undefined || last.stream === sessionStream
      ? this.#openSession(request, response, last, sayAll)
      : this.#openRequest(response, last);
  }

  #openSession(
    request: IncomingMessage,
    response: ServerResponse,
    last: EventPlace | undefined,
    sayAll: () => void,
  ): HttpRefusal | undefined {
    if (this.#general.isConnected) return taken('The stream of this session is open already: there is one at a time.');
    const after = last?.isOwn === true ? last.number : this.#general.sent;
    if (last?.isOwn === false || !this.#log.isWholeAfter(after)) sayAll();
    this.#general.connect(response, this.#sessionId, after);
    if (takesPriming(request)) this.#general.prime(retryMs);
    return undefined;
  }

  #openRequest(response: ServerResponse, last: EventPlace): HttpRefusal | undefined {
    const { stream: name, number, isOwn } = last;
    const stream = isOwn ? [...this.#replies.values()].map((reply) => reply.stream).find((open) => open.name === name) : undefined;
    if (stream?.isConnected === true) return taken('The stream of this event has a connection already.');
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

  /** Ends all streams. */
  close(): void {
    for (const reply of this.#replies.values()) reply.end();
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
function takesPriming({ headers }: IncomingMessage, asked?: unknown): boolean {
  return String(asked ?? headers['mcp-protocol-version'] ?? unsaidVersion) >= primedSince;
}

interface ReplyOptions {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly sessionId: string;
  readonly isPrimed: boolean;
  readonly canCompress: boolean;
}

/** The answer to one request: JSON when it comes soon and alone, otherwise the end of a stream. */
class Reply {
  readonly stream: EventStream;
  readonly #options: ReplyOptions;
  #patience: NodeJS.Timeout | undefined;
  #isStream = false;

  constructor(stream: EventStream, options: ReplyOptions) {
    this.stream = stream;
    this.#options = options;
  }

  /** The request takes its time. */
  waits(): void {
    this.#patience ??= setTimeout(() => this.#openStream(), patienceMs).unref();
  }

  tell(message: Message): void {
    this.#openStream();
    this.stream.send(message);
  }

  answer(message: Message, answers: JsonAnswers): void {
    clearTimeout(this.#patience);
    const { request, response, sessionId, canCompress } = this.#options;
    if (!this.#isStream) return void answers.send(request, response, messageText(message), { sessionId, canCompress });
    this.stream.send(message);
    this.stream.end();
  }

  end(): void {
    this.#openStream();
    this.stream.end();
  }

  #openStream(): void {
    clearTimeout(this.#patience);
    if (this.#isStream) return;
    this.#isStream = true;
    const { response, sessionId, isPrimed } = this.#options;
    if (response.destroyed) return;
    this.stream.connect(response, sessionId);
    if (isPrimed) this.stream.prime(retryMs);
  }
}

const unknownEvent: HttpRefusal = { status: 400, message: 'There is no event with this Last-Event-ID any more.', code: -32000 };

function taken(message: string): HttpRefusal {
  return { status: 409, message, code: -32000 };
}
