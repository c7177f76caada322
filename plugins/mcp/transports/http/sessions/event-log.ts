import { randomBytes } from 'node:crypto';
import { Holdings } from '../../../../shared/fairness/holdings.ts';
import type { EventRecord } from './shared/recorded-events.ts';

export interface EventLimits {
  /** Maximum number of events of one session. */
  readonly maxEvents: number;
  /** Maximum size of one session's events, in bytes. */
  readonly maxBytes: number;
  /** Maximum size of all events, in bytes. Above it, the longest log of the tenant with most is shortened first. */
  readonly maxTotalBytes: number;
}

/** Logs of all open sessions, in memory. They share a limit. */
export interface EventLogs {
  readonly limits: EventLimits;
  /** Bytes of each tenant. */
  readonly byTenant: Holdings<string>;
  /** Bytes of each log, by tenant. */
  readonly byLog: Map<string, Holdings<EventLog>>;
}

export function eventLogs(limits: EventLimits): EventLogs {
  return { limits, byTenant: new Holdings(), byLog: new Map() };
}

/** Store of a log's events for other processes. */
export interface SharedLog {
  readonly name: string;
  readonly record: EventRecord;
}

interface StoredEvent {
  readonly stream: string;
  /** JSON. */
  readonly text: string;
  /** True for the last event of its stream. */
  readonly isAnswer: boolean;
}

/** Name of the session's own stream. The ids of its events carry no stream. */
export const sessionStream = '';

/** Id of an event, parsed from the client's `Last-Event-ID`. */
export interface EventId {
  /** False for an event of another log: another session's, or one from before a restart of the server. */
  readonly isOwn: boolean;
  /** Name of the event's log. */
  readonly log: string;
  readonly number: number;
  readonly stream: string;
}

const idPattern = /^([0-9a-f]{8}(?:[0-9a-f]{8})?)\.([1-9]\d{0,14})(?:\.([\w.-]{1,300}))?$/;

/**
 * Recent events of one session, numbered from 1, so that its client can resume after a lost connection (`Last-Event-ID`). Does not know the
 * ids of other sessions' events.
 */
export class EventLog {
  /** Prefix of this log's event ids: the numbers begin again when a session is resumed. */
  readonly #name: string;
  readonly #record: EventRecord | undefined;
  readonly #logs: EventLogs;
  readonly #tenant: string;
  /** By number, oldest first. */
  readonly #events = new Map<number, StoredEvent>();
  /** Streams whose response was sent; they get no more events. */
  readonly #ended = new Set<string>();
  #last = 0;
  /** Number of the newest dropped event of the session's own stream. */
  #lastDropped = 0;
  #isClosed = false;
  #bytes = 0;

  /** Opens a log among those of all sessions. `shared`: publishes its events to other processes under a name. */
  constructor(logs: EventLogs, tenant: string, shared?: SharedLog) {
    this.#name = shared?.name ?? randomBytes(4).toString('hex');
    this.#record = shared?.record;
    this.#logs = logs;
    this.#tenant = tenant;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** The number of the newest event. */
  get last(): number {
    return this.#last;
  }

  /** Stores an event and returns its number. `isAnswer`: true for the last event of its stream. */
  store(stream: string, text: string, isAnswer: boolean): number {
    const number = ++this.#last;
    if (this.#isClosed) return number;
    if (isAnswer) this.#ended.add(stream);
    this.#events.set(number, { stream, text, isAnswer });
    this.#resize(text.length);
    if (text !== '') this.#record?.add(stream, { number, text, isLast: isAnswer });
    const { maxEvents, maxBytes } = this.#logs.limits;
    while (this.#events.size > maxEvents || this.#bytes > maxBytes) this.dropOldest();
    return number;
  }

  /** Stores the first event of a stream, which only gives the client an id to resume from. */
  storeOpening(stream: string): number {
    return this.store(stream, '', false);
  }

  /** Ends a stream, with or without a response, and notifies other processes. */
  end(stream: string): void {
    if (this.#record === undefined || stream === sessionStream || this.#ended.has(stream)) return;
    this.#record.add(stream, { number: ++this.#last, text: '', isLast: true });
  }

  /** Resolves when other processes can find all events so far. */
  async written(): Promise<void> {
    await this.#record?.written();
  }

  idOf(number: number, stream: string): string {
    return `${this.#name}.${number}${stream === sessionStream ? '' : `.${stream}`}`;
  }

  /** Parses an event id; undefined for a text that is not one. */
  parseId(id: string): EventId | undefined {
    const [, log, number, stream = sessionStream] = idPattern.exec(id) ?? [];
    if (log === undefined) return undefined;
    const isOwn = log === this.#name && Number(number) <= this.#last;
    return { isOwn, log, number: Number(number), stream };
  }

  /** Returns true while the log still has the event. */
  has({ isOwn, number, stream }: Omit<EventId, 'log'>): boolean {
    return isOwn && this.#events.get(number)?.stream === stream;
  }

  /** Returns true when the response was sent on this stream. */
  hasEnded(stream: string): boolean {
    return this.#ended.has(stream);
  }

  /** Returns true when no event of the session's own stream after this number was dropped. */
  isCompleteAfter(number: number): boolean {
    return this.#lastDropped <= number;
  }

  eventsAfter(after: number, stream: string): readonly { readonly id: string; readonly text: string }[] {
    return [...this.#events]
      .filter(([number, event]) => event.stream === stream && number > after && event.text !== '')
      .map(([number, { text }]) => ({ id: this.idOf(number, stream), text }));
  }

  /** Removes the events with this text after this number. No client has received them. */
  removeUnsent(stream: string, text: string, after: number): void {
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
    if (stream === sessionStream) this.#lastDropped = number;
    this.#resize(-text.length);
  }

  /** Deletes all events, and stores none from now on. */
  close(): void {
    this.#isClosed = true;
    this.#events.clear();
    this.#ended.clear();
    this.#resize(-this.#bytes);
  }

  /** Counts the bytes, and shortens the longest log of the tenant with most while all logs are too long. */
  #resize(bytes: number): void {
    const { limits, byTenant, byLog } = this.#logs;
    this.#bytes += bytes;
    byTenant.add(this.#tenant, bytes);
    const own = byLog.get(this.#tenant) ?? new Holdings<EventLog>();
    own.add(this, bytes);
    if (own.total > 0) byLog.set(this.#tenant, own);
    else byLog.delete(this.#tenant);
    while (byTenant.total > limits.maxTotalBytes)
      byLog
        .get(byTenant.largest() ?? '')
        ?.largest()
        ?.dropOldest();
  }
}
