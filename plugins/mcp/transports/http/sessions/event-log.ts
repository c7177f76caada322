import { randomBytes } from 'node:crypto';
import type { RecordedEvents } from './shared/recorded-events.ts';

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

  /** A log for one session of this tenant. `shared`: what other processes are to find of it, and the name that it has there. */
  open(tenant: string, shared?: SharedLog): EventLog {
    const log = new EventLog(this.#limits, (bytes) => this.#resize(bytes), shared);
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

/** Where the events of a log are for other processes as well. */
export interface SharedLog {
  readonly name: string;
  readonly record: RecordedEvents;
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
  /** The name of its log. */
  readonly log: string;
  readonly number: number;
  readonly stream: string;
}

const idPattern = /^([0-9a-f]{8}(?:[0-9a-f]{8})?)\.([1-9]\d{0,14})(?:\.([\w.-]{1,300}))?$/;

/** The events of one session, numbered from 1. Ids of another session's events are not known to it. */
export class EventLog {
  /** Begins the ids of this log: numbers begin again when a session is revived. */
  readonly #name: string;
  readonly #record: RecordedEvents | undefined;
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

  constructor(limits: EventLimits, onResize: (bytes: number) => void, shared?: SharedLog) {
    this.#name = shared?.name ?? randomBytes(4).toString('hex');
    this.#record = shared?.record;
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
    if (text !== '') this.#record?.add(stream, { number, text, isLast: isAnswer });
    while (this.#events.size > this.#limits.maxEvents || this.#bytes > this.#limits.maxBytes) this.dropOldest();
    return number;
  }

  /** The event with which a stream opens: it only gives the client an id to come back with. */
  storeOpening(stream: string): number {
    return this.store(stream, '', false);
  }

  /** Nothing more comes on this stream, whether it has its answer or not: other processes are told. */
  end(stream: string): void {
    if (this.#record === undefined || stream === sessionStream || this.#ended.has(stream)) return;
    this.#record.add(stream, { number: ++this.#last, text: '', isLast: true });
  }

  /** Resolves when other processes find what there is so far. */
  async written(): Promise<void> {
    await this.#record?.written();
  }

  idOf(number: number, stream: string): string {
    return `${this.#name}.${number}${stream === sessionStream ? '' : `.${stream}`}`;
  }

  /** Undefined for a text that no log of any session gave as an id. */
  placeOf(id: string): EventPlace | undefined {
    const [, log, number, stream = sessionStream] = idPattern.exec(id) ?? [];
    if (log === undefined) return undefined;
    const isOwn = log === this.#name && Number(number) <= this.#last;
    return { isOwn, log, number: Number(number), stream };
  }

  /** Whether the event is still here. */
  has({ isOwn, number, stream }: Omit<EventPlace, 'log'>): boolean {
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
    this.#record?.drop(number);
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
