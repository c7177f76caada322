import type { ServerResponse } from 'node:http';
import type { EventId } from '../event-log.ts';
import type { EventStream, SentEvent } from '../event-stream.ts';
import type { SharedSession } from './shared-session.ts';

export interface SharedStreamOptions {
  readonly shared: SharedSession;
  /** Stream of the session at this process. */
  readonly stream: EventStream;
  readonly response: ServerResponse;
  /** Id of the last event that the client has. */
  readonly last: EventId | undefined;
  /** Connects the stream. `before`: events of another process to send first. `isWriterAlive`: that process is alive. */
  connect(options: { readonly before: readonly SentEvent[]; readonly isTakeover: boolean; readonly isWriterAlive: boolean }): void;
}

/**
 * Opens the stream of a shared session here, with the events that another process sent. Returns false when the stream was taken over less
 * than five seconds ago. Rejects when the store cannot be reached.
 */
export async function openSharedStream({ shared, stream, response, last, connect }: SharedStreamOptions): Promise<boolean> {
  const foreign = last?.isOwn === false ? last : undefined;
  const recorded = foreign && shared.recordedAfter(foreign);
  const next = async (): Promise<readonly SentEvent[]> =>
    ((await recorded?.()) ?? []).map(({ number, text }) => ({ id: `${foreign?.log}.${number}`, text }));
  const [before, isWriterAlive] = await Promise.all([next(), foreign === undefined || shared.isAlive(foreign)]);
  // The client disconnected meanwhile.
  if (response.closed) return true;
  const taken = await shared.stream.take(stream.isConnected);
  if (taken === 'refused') return false;
  const release = (): void => {
    if (!stream.isConnected) void shared.stream.release().catch(() => {});
  };
  if (response.closed) {
    release();
    return true;
  }
  if (stream.isConnected) stream.disconnect();
  connect({ before, isTakeover: taken === 'takeover', isWriterAlive });
  response.once('close', release);
  if (foreign === undefined) return true;
  // The other process may still record sent events, or not know yet that its reader has left.
  let reading = Promise.resolve();
  const read = (): void => {
    reading = reading.then(next).then(
      (events) => stream.sendRecorded(events),
      () => {},
    );
  };
  response.once('close', shared.follow(foreign, read));
  read();
  return true;
}
