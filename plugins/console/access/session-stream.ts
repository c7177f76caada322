import type { Session, Sessions } from './sessions.ts';

/** Server-sent event that tells the page to show the login (`wire/events.ts`). */
const sessionEvent = 'event: session\ndata:\n\n';

export interface SessionStreamOptions {
  readonly sessions: Pick<Sessions, 'whenEnded'>;
  readonly session: Session;
  /** Aborts when the client is gone. */
  readonly signal: AbortSignal;
  /** Called when the session has ended, before the stream ends. */
  readonly onEnd: () => void;
}

/** Passes a stream of server-sent events on as long as the session lasts. Then it says so, and ends. */
export async function* sessionStream(
  events: AsyncIterable<string>,
  { sessions, session, signal, onEnd }: SessionStreamOptions,
): AsyncGenerator<string, void> {
  const iterator = events[Symbol.asyncIterator]();
  let end: (outcome: 'session' | 'client') => void = () => {};
  const ended = new Promise<'session' | 'client'>((resolve) => {
    end = resolve;
  });
  const leave = (): void => end('client');
  signal.addEventListener('abort', leave, { once: true });
  if (signal.aborted) leave();
  const unwatch = await sessions.whenEnded(session, () => end('session'));
  try {
    for (;;) {
      const next = await Promise.race([ended, iterator.next()]);
      if (next === 'session') {
        onEnd();
        yield sessionEvent;
        return;
      }
      if (next === 'client' || next.done === true) return;
      yield next.value;
    }
  } finally {
    unwatch();
    signal.removeEventListener('abort', leave);
    // Not awaited: a generator answers only after what it waits for.
    void Promise.resolve(iterator.return?.()).catch(() => {});
  }
}

/** True for the answer of an endpoint that is a stream. */
export function isStream(value: unknown): value is AsyncIterable<string> {
  return typeof value === 'object' && value !== null && Symbol.asyncIterator in value;
}
