import { type ConsoleEvent, consoleEvents } from '../wire/events.ts';

/** The stream of what happens on the server. */
export interface Live {
  /** Calls the listener after each event of that name, and after each connection: events before it were missed. Returns the end of it. */
  on(event: ConsoleEvent, listener: () => void): () => void;
  /** Calls the listener when the connection is made or lost. Returns the end of it. */
  onState(listener: (isOnline: boolean) => void): () => void;
  close(): void;
}

/** The part of EventSource that this needs. */
export interface EventStream {
  onopen: ((event: Event) => void) | null;
  onerror: ((event: Event) => void) | null;
  readonly readyState: number;
  addEventListener(name: string, listener: () => void): void;
  close(): void;
}

export interface LiveOptions {
  readonly open: () => EventStream;
  /** Calls back later, and returns the end of it. */
  readonly later: (run: () => void, delayMs: number) => () => void;
}

const closedState = 2;
const firstRetryMs = 1000;
const maxRetryMs = 15_000;

/** Opens the stream and opens it again whenever it ends. */
export function createLive({ open, later }: LiveOptions): Live {
  const listeners = new Map<ConsoleEvent, Set<() => void>>(consoleEvents.map((name) => [name, new Set()]));
  const stateListeners = new Set<(isOnline: boolean) => void>();
  let stream: EventStream | undefined;
  let stopRetry = (): void => {};
  let retryMs = firstRetryMs;
  const notify = (event: ConsoleEvent): void => {
    for (const listener of listeners.get(event) ?? []) listener();
  };
  const connect = (): void => {
    const current = open();
    stream = current;
    for (const event of consoleEvents) current.addEventListener(event, () => notify(event));
    current.onopen = () => {
      retryMs = firstRetryMs;
      for (const listener of stateListeners) listener(true);
      // Also after the first one: a listener that is there may have read before the server knew of this client.
      for (const event of consoleEvents) if (event !== 'session') notify(event);
    };
    current.onerror = () => {
      for (const listener of stateListeners) listener(false);
      // A browser connects again by itself, but not after an answer with another status.
      if (current.readyState !== closedState) return;
      stopRetry = later(connect, retryMs);
      retryMs = Math.min(retryMs * 2, maxRetryMs);
    };
  };
  connect();
  return {
    on(event, listener) {
      listeners.get(event)?.add(listener);
      return () => listeners.get(event)?.delete(listener);
    },
    onState(listener) {
      stateListeners.add(listener);
      return () => stateListeners.delete(listener);
    },
    close() {
      stopRetry();
      stream?.close();
    },
  };
}
