import type { ServerResponse } from 'node:http';
import type { EventPlace } from '../event-log.ts';
import { beginEvents, eventOf } from '../event-stream.ts';
import { lostAnswer } from '../request-stream.ts';
import type { RecordedStream } from './recorded-events.ts';
import type { SharedSession } from './shared-session.ts';

/** How often the process that writes the stream is told that it is read, at most, in milliseconds. */
const mostTurnMs = 4_000;

/** Who has not taken what it was told for so many turns is not there any more. */
const patience = 2;

export interface FollowedStreamOptions {
  readonly shared: SharedSession;
  /** The last event that the client has. */
  readonly place: EventPlace;
  readonly response: ServerResponse;
  readonly sessionId: string;
  /** After how long without a reader the call is cancelled, in milliseconds. */
  readonly resumeMs: number;
}

/** The stream of a request that another process answers, or has answered, for a client that comes back here: what was recorded, and what is. */
export class FollowedStream {
  readonly #options: FollowedStreamOptions;
  readonly #recorded: RecordedStream;
  #reading: Promise<void> = Promise.resolve();
  #ends: (() => void)[] = [];
  /** What the writer was told last. */
  #told: string;
  #unheard = 0;
  #isOver = false;

  private constructor(options: FollowedStreamOptions, told: string) {
    this.#options = options;
    this.#told = told;
    this.#recorded = options.shared.recordedAfter(options.place);
  }

  /** Resolves when it has begun. Rejects where the store cannot be reached, before anything is sent. */
  static async open(options: FollowedStreamOptions): Promise<void> {
    const { shared, place, response, sessionId, resumeMs } = options;
    const [told, isAlive] = await Promise.all([shared.tellRead(place), shared.isAlive(place)]);
    // The client has gone meanwhile.
    if (response.closed) return;
    const stream = new FollowedStream(options, told);
    const read = (): void => void stream.#read();
    const turn = setInterval(() => void stream.#turn(), Math.min(mostTurnMs, Math.ceil(resumeMs / 3))).unref();
    const comments = beginEvents(response, sessionId);
    stream.#ends = [shared.follow(place, read), () => clearInterval(turn), () => clearInterval(comments)];
    response.once('close', () => stream.#end());
    if (isAlive) read();
    else await stream.#lose();
  }

  /** One after the other, so that no event comes twice. */
  #read(): Promise<void> {
    this.#reading = this.#reading.then(() => this.#send()).catch(() => this.#break());
    return this.#reading;
  }

  async #send(): Promise<void> {
    if (this.#isOver) return;
    const { place, response } = this.#options;
    for (const { number, text, isLast } of await this.#recorded.next()) {
      if (this.#isOver) return;
      if (text !== '') response.write(eventOf(`${place.log}.${number}.${place.stream}`, text));
      if (isLast) this.#end();
    }
  }

  /** The writer is told again that its stream is read. */
  async #turn(): Promise<void> {
    const { shared, place } = this.#options;
    try {
      const isHeard = await shared.isTaken(this.#told);
      this.#unheard = isHeard ? 0 : this.#unheard + 1;
      if (isHeard) this.#told = await shared.tellRead(place);
      if (this.#unheard >= patience) await this.#lose();
    } catch {
      this.#break();
    }
  }

  /** There is no writer any more: what it has recorded is all that comes. */
  async #lose(): Promise<void> {
    await this.#read();
    if (this.#isOver) return;
    const { place, response } = this.#options;
    const lost = lostAnswer(place.stream);
    if (lost !== undefined) response.write(`event: message\ndata: ${JSON.stringify(lost)}\n\n`);
    this.#end();
  }

  #end(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    for (const end of this.#ends) end();
    this.#options.response.end();
  }

  /** The client comes back, perhaps when the store can be reached. */
  #break(): void {
    if (this.#isOver) return;
    this.#options.response.destroy();
  }
}
