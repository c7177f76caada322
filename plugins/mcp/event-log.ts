import type { EventStore } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';

export interface EventLimits {
  /** Events of one session. */
  readonly maxEvents: number;
  /** Bytes of one session. */
  readonly maxBytes: number;
  /** Bytes of all sessions; the longest log gives way first. */
  readonly maxTotalBytes: number;
}

/** What was sent to clients, kept in memory for as long as it fits, so that one that lost its connection can go on (`Last-Event-ID`). */
export class EventLogs {
  readonly #limits: EventLimits;
  readonly #logs = new Set<EventLog>();
  #bytes = 0;

  constructor(limits: EventLimits) {
    this.#limits = limits;
  }

  /** A log for one session. */
  open(): EventLog {
    const log = new EventLog(this.#limits, (bytes) => this.#resize(bytes));
    this.#logs.add(log);
    return log;
  }

  close(log: EventLog): void {
    log.clear();
    this.#logs.delete(log);
  }

  #resize(bytes: number): void {
    this.#bytes += bytes;
    while (this.#bytes > this.#limits.maxTotalBytes) {
      const longest = [...this.#logs].reduce((a, b) => (b.bytes > a.bytes ? b : a));
      longest.dropOldest();
    }
  }
}

interface StoredEvent {
  readonly stream: string;
  /** JSON. */
  readonly text: string;
}

/** The events of one session; another session's are unknown here. */
export class EventLog implements EventStore {
  readonly #limits: EventLimits;
  readonly #onResize: (bytes: number) => void;
  /** By id, oldest first. */
  readonly #events = new Map<string, StoredEvent>();
  #nextId = 1;
  #bytes = 0;

  constructor(limits: EventLimits, onResize: (bytes: number) => void) {
    this.#limits = limits;
    this.#onResize = onResize;
  }

  get bytes(): number {
    return this.#bytes;
  }

  async storeEvent(stream: string, message: JSONRPCMessage): Promise<string> {
    const id = String(this.#nextId++);
    const text = JSON.stringify(message);
    this.#events.set(id, { stream, text });
    this.#resize(text.length);
    while (this.#events.size > this.#limits.maxEvents || this.#bytes > this.#limits.maxBytes) this.dropOldest();
    return id;
  }

  async getStreamIdForEventId(id: string): Promise<string | undefined> {
    return this.#events.get(id)?.stream;
  }

  async replayEventsAfter(lastId: string, { send }: { send: (id: string, message: JSONRPCMessage) => Promise<void> }): Promise<string> {
    const stream = this.#events.get(lastId)?.stream ?? '';
    for (const [id, event] of [...this.#events]) {
      // The first event of a stream is empty: it only gives the client an id to come back with.
      if (event.stream === stream && Number(id) > Number(lastId) && event.text !== '{}')
        await send(id, JSON.parse(event.text) as JSONRPCMessage);
    }
    return stream;
  }

  dropOldest(): void {
    const [oldest] = this.#events;
    if (oldest === undefined) return;
    this.#events.delete(oldest[0]);
    this.#resize(-oldest[1].text.length);
  }

  clear(): void {
    this.#events.clear();
    this.#resize(-this.#bytes);
  }

  #resize(bytes: number): void {
    this.#bytes += bytes;
    this.#onResize(bytes);
  }
}
