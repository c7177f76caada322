import type { ServerResponse } from 'node:http';
import type { EventId } from '../event-log.ts';
import { beginEvents, eventOf, lostResponse } from '../event-stream.ts';
import type { SharedSession } from './shared-session.ts';

/** Maximum interval of the notices that keep the writing process informed of its reader, in milliseconds. */
const maxNotifyIntervalMs = 4_000;

/** Number of unread notices after which the writing process counts as dead. */
const maxUnansweredNotices = 2;

export interface FollowOptions {
  readonly shared: SharedSession;
  /** Id of the last event that the client has. */
  readonly lastEvent: EventId;
  readonly response: ServerResponse;
  readonly sessionId: string;
  /** Time without a reader after which the call is cancelled, in milliseconds. */
  readonly resumeTimeoutMs: number;
}

/**
 * Sends the stream of a request that another process runs or has run, for a client that resumes it here: the recorded events, then new
 * ones. Resolves when the stream has begun. Rejects when the store cannot be reached, before anything is sent.
 */
export async function followStream({ shared, lastEvent, response, sessionId, resumeTimeoutMs }: FollowOptions): Promise<void> {
  const [notice, isAlive] = await Promise.all([shared.notifyRead(lastEvent), shared.isAlive(lastEvent)]);
  // The client disconnected meanwhile.
  if (response.closed) return;
  const recorded = shared.recordedAfter(lastEvent);
  /** Key of the last notice to the writing process. */
  let lastNotice = notice;
  let unansweredNotices = 0;
  let reading: Promise<void> = Promise.resolve();
  let isOver = false;

  const notifyTimer = setInterval(() => void notifyWriter(), Math.min(maxNotifyIntervalMs, Math.ceil(resumeTimeoutMs / 3))).unref();
  const comments = beginEvents(response, sessionId);
  const unfollow = shared.follow(lastEvent, () => void read());
  response.once('close', end);
  if (isAlive) void read();
  else await endWithoutWriter();

  /** Reads one batch after the other, so that no event is sent twice. */
  function read(): Promise<void> {
    reading = reading.then(send).catch(breakOff);
    return reading;
  }

  async function send(): Promise<void> {
    if (isOver) return;
    for (const { number, text, isLast } of await recorded()) {
      if (isOver) return;
      if (text !== '') response.write(eventOf(`${lastEvent.log}.${number}.${lastEvent.stream}`, text));
      if (isLast) end();
    }
  }

  /** Notifies the writing process again that its stream is read. */
  async function notifyWriter(): Promise<void> {
    try {
      const isHeard = await shared.isReceived(lastNotice);
      unansweredNotices = isHeard ? 0 : unansweredNotices + 1;
      if (isHeard) lastNotice = await shared.notifyRead(lastEvent);
      if (unansweredNotices >= maxUnansweredNotices) await endWithoutWriter();
    } catch {
      breakOff();
    }
  }

  /** Ends the stream after the recorded events, because the writing process is gone. */
  async function endWithoutWriter(): Promise<void> {
    await read();
    if (isOver) return;
    const lost = lostResponse(lastEvent.stream);
    if (lost !== undefined) response.write(`event: message\ndata: ${JSON.stringify(lost)}\n\n`);
    end();
  }

  function end(): void {
    if (isOver) return;
    isOver = true;
    unfollow();
    clearInterval(notifyTimer);
    clearInterval(comments);
    response.end();
  }

  /** Breaks the connection. The client reconnects, perhaps when the store can be reached again. */
  function breakOff(): void {
    if (!isOver) response.destroy();
  }
}
