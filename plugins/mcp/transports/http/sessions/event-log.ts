import { randomBytes } from 'node:crypto';

export interface EventLimits {
  /** Events of one session. */
  readonly maxEvents: number;
  /** Bytes of one session. */
  readonly maxBytes: number;
  /** Bytes of all sessions; the longest log of the tenant who has most gives way first. */
  readonly maxTotalBytes: number;
}

/** What was sent to clients, kept in memory for as long as it fits, so that one that lost its connection can go on (`Last-Event-ID`). */
export class EventLogs {
  readonly #limits: EventLimits;
  readonly #byTenant = new Map<string, Set<EventLog>>();
  #bytes = 0;

  constructor(limits: EventLimits) {
    this.#limits = limits;
  }

  /** A log for one session of this tenant. */
  open(tenant: string): EventLog {
    const log = new EventLog(this.#limits, (bytes) => this.#resize(bytes));
    this.#byTenant.set(tenant, (this.#byTenant.get(tenant) ?? new Set()).add(log));
    return log;
  }

  close(tenant: string, log: EventLog): void {
    log.close();
    const logs = this.#byTenant.get(tenant);
    logs?.delete(log);
    if (logs?.size === 0) this.#byTenant.delete(tenant);
  }

  #resize(bytes: number): void {
    this.#bytes += bytes;
    while (this.#bytes > this.#limits.maxTotalBytes) {
      const logs = largest([...this.#byTenant.values()], (own) => [...own].reduce((sum, { bytes: size }) => sum + size, 0));
      largest([...(logs ?? [])], (log) => log.bytes)?.dropOldest();
    }
  }
}

function largest<T>(all: readonly T[], sizeOf: (one: T) => number): T | undefined {
  const sizes = all.map(sizeOf);
  return all[sizes.indexOf(Math.max(...sizes))];
}

interface StoredEvent {
  readonly stream: string;
  /** JSON. */
  readonly text: string;
  /** The last event of its stream. */
  readonly isAnswer: boolean;
}

/** The stream that is not about one request; its events have ids without a stream. */
export const sessionStream = '';

/** The id of an event, as a client gives it back. */
export interface EventPlace {
  /** False for an event of another session, or of this one before the server was started again. */
  readonly isOwn: boolean;
  readonly number: number;
  readonly stream: string;
}

const idPattern = /^([0-9a-f]{8})\.([1-9]\d{0,14})(?:\.([\w.-]{1,300}))?$/;

/** The events of one session, numbered from 1. Ids of another session's events are not known to it. */
export class EventLog {
  /** Begins the ids of this log: numbers begin again when a session is revived. */
  readonly #name = randomBytes(4).toString('hex');
  readonly #limits: EventLimits;
  readonly #onResize: (bytes: number) => void;
  /** By number, oldest first. */
  readonly #events = new Map<number, StoredEvent>();
  /** Streams whose answer has been sent: nothing follows. */
  readonly #ended = new Set<string>();
  #last = 0;
  /** Of the stream of the session, the newest event that had to give way. */
  #lost = 0;
  #isClosed = false;
  #bytes = 0;

  constructor(limits: EventLimits, onResize: (bytes: number) => void) {
    this.#limits = limits;
    this.#onResize = onResize;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** The number of the newest event. */
  get last(): number {
    return this.#last;
  }

  /** Gives the number of the event. `isAnswer`: nothing follows on its stream. */
  store(stream: string, text: string, isAnswer: boolean): number {
    const number = ++this.#last;
    if (this.#isClosed) return number;
    if (isAnswer) this.#ended.add(stream);
    this.#events.set(number, { stream, text, isAnswer });
    this.#resize(text.length);
    while (this.#events.size > this.#limits.maxEvents || this.#bytes > this.#limits.maxBytes) this.dropOldest();
    return number;
  }

  /** The event with which a stream opens: it only gives the client an id to come back with. */
  storeOpening(stream: string): number {
    return this.store(stream, '', false);
  }

  idOf(number: number, stream: string): string {
    return `${this.#name}.${number}${stream === sessionStream ? '' : `.${stream}`}`;
  }

  /** Undefined for a text that no log of any session gave as an id. */
  placeOf(id: string): EventPlace | undefined {
    const [, name, number, stream = sessionStream] = idPattern.exec(id) ?? [];
    if (number === undefined) return undefined;
    const isOwn = name === this.#name && Number(number) <= this.#last;
    return { isOwn, number: Number(number), stream };
  }

  /** Whether the event is still here. */
  has({ isOwn, number, stream }: EventPlace): boolean {
    return isOwn && this.#events.get(number)?.stream === stream;
  }

  /** Whether the answer was sent on this stream: nothing follows. */
  hasEnded(stream: string): boolean {
    return this.#ended.has(stream);
  }

  /** Whether no event of the stream of the session that came after this one had to give way. */
  isWholeAfter(number: number): boolean {
    return this.#lost <= number;
  }

  eventsAfter(after: number, stream: string): readonly { readonly id: string; readonly text: string }[] {
    return [...this.#events]
      .filter(([number, event]) => event.stream === stream && number > after && event.text !== '')
      .map(([number, { text }]) => ({ id: this.idOf(number, stream), text }));
  }

  /** Takes the events with this text out that came after the one of this number: no client has seen them. */
  takeBack(stream: string, text: string, after: number): void {
    for (const [number, event] of this.#events) {
      if (number <= after || event.stream !== stream || event.text !== text) continue;
      this.#events.delete(number);
      this.#resize(-text.length);
    }
  }

  dropOldest(): void {
    const [oldest] = this.#events;
    if (oldest === undefined) return;
    const [number, { stream, text, isAnswer }] = oldest;
    this.#events.delete(number);
    if (isAnswer) this.#ended.delete(stream);
    if (stream === sessionStream) this.#lost = number;
    this.#resize(-text.length);
  }

  /** Forgets everything, and keeps nothing from now on. */
  close(): void {
    this.#isClosed = true;
    this.#events.clear();
    this.#ended.clear();
    this.#resize(-this.#bytes);
  }

  #resize(bytes: number): void {
    this.#bytes += bytes;
    this.#onResize(bytes);
  }
}
