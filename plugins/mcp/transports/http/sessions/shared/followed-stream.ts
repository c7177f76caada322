import type { ServerResponse } from 'node:http';
import type { EventId } from '../event-log.ts';
import { beginEvents, eventOf } from '../event-stream.ts';
import { lostResponse } from '../request-stream.ts';
import type { RecordedStream } from './recorded-events.ts';
import type { SharedSession } from './shared-session.ts';

/** Maximum interval of the notices that keep the writing process informed of its reader, in milliseconds. */
const maxNotifyIntervalMs = 4_000;

/** Number of unread notices after which the writing process counts as dead. */
const maxUnansweredNotices = 2;

export interface FollowedStreamOptions {
  readonly shared: SharedSession;
  /** Id of the last event that the client has. */
  readonly lastEvent: EventId;
  readonly response: ServerResponse;
  readonly sessionId: string;
  /** Time without a reader after which the call is cancelled, in milliseconds. */
  readonly resumeTimeoutMs: number;
}

/** Stream of a request that another process runs or has run, for a client that resumes it here. Sends the recorded events, then new ones. */
export class FollowedStream {
  readonly #options: FollowedStreamOptions;
  readonly #recorded: RecordedStream;
  #reading: Promise<void> = Promise.resolve();
  #ends: (() => void)[] = [];
  /** Key of the last notice to the writing process. */
  #lastNotice: string;
  #unansweredNotices = 0;
  #isOver = false;

  private constructor(options: FollowedStreamOptions, told: string) {
    this.#options = options;
    this.#lastNotice = told;
    this.#recorded = options.shared.recordedAfter(options.lastEvent);
  }

  /** Resolves when the stream has begun. Rejects when the store cannot be reached, before anything is sent. */
  static async open(options: FollowedStreamOptions): Promise<void> {
    const { shared, lastEvent: place, response, sessionId, resumeTimeoutMs } = options;
    const [told, isAlive] = await Promise.all([shared.notifyRead(place), shared.isAlive(place)]);
    // The client disconnected meanwhile.
    if (response.closed) return;
    const stream = new FollowedStream(options, told);
    const read = (): void => void stream.#read();
    const turn = setInterval(() => void stream.#notifyWriter(), Math.min(maxNotifyIntervalMs, Math.ceil(resumeTimeoutMs / 3))).unref();
    const comments = beginEvents(response, sessionId);
    stream.#ends = [shared.follow(place, read), () => clearInterval(turn), () => clearInterval(comments)];
    response.once('close', () => stream.#end());
    if (isAlive) read();
    else await stream.#endWithoutWriter();
  }

  /** Reads one batch after the other, so that no event is sent twice. */
  #read(): Promise<void> {
    this.#reading = this.#reading.then(() => this.#send()).catch(() => this.#break());
    return this.#reading;
  }

  async #send(): Promise<void> {
    if (this.#isOver) return;
    const { lastEvent: place, response } = this.#options;
    for (const { number, text, isLast } of await this.#recorded.next()) {
      if (this.#isOver) return;
      if (text !== '') response.write(eventOf(`${place.log}.${number}.${place.stream}`, text));
      if (isLast) this.#end();
    }
  }

  /** Notifies the writing process again that its stream is read. */
  async #notifyWriter(): Promise<void> {
    const { shared, lastEvent: place } = this.#options;
    try {
      const isHeard = await shared.isReceived(this.#lastNotice);
      this.#unansweredNotices = isHeard ? 0 : this.#unansweredNotices + 1;
      if (isHeard) this.#lastNotice = await shared.notifyRead(place);
      if (this.#unansweredNotices >= maxUnansweredNotices) await this.#endWithoutWriter();
    } catch {
      this.#break();
    }
  }

  /** Ends the stream after the recorded events, because the writing process is gone. */
  async #endWithoutWriter(): Promise<void> {
    await this.#read();
    if (this.#isOver) return;
    const { lastEvent: place, response } = this.#options;
    const lost = lostResponse(place.stream);
    if (lost !== undefined) response.write(`event: message\ndata: ${JSON.stringify(lost)}\n\n`);
    this.#end();
  }

  #end(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    for (const end of this.#ends) end();
    this.#options.response.end();
  }

  /** Breaks the connection. The client reconnects, perhaps when the store can be reached again. */
  #break(): void {
    if (this.#isOver) return;
    this.#options.response.destroy();
  }
}
