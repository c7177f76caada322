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

/** The events of one session. Ids of another session's events are not known to it. */
export class EventLog {
  readonly #limits: EventLimits;
  readonly #onResize: (bytes: number) => void;
  /** By id, oldest first. */
  readonly #events = new Map<string, StoredEvent>();
  /** Streams whose answer has been sent: nothing follows. */
  readonly #ended = new Set<string>();
  #nextId = 1;
  #isClosed = false;
  #bytes = 0;

  constructor(limits: EventLimits, onResize: (bytes: number) => void) {
    this.#limits = limits;
    this.#onResize = onResize;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** Gives the id of the event. `isAnswer`: nothing follows on its stream. */
  store(stream: string, text: string, isAnswer: boolean): string {
    const id = String(this.#nextId++);
    if (this.#isClosed) return id;
    if (isAnswer) this.#ended.add(stream);
    this.#events.set(id, { stream, text, isAnswer });
    this.#resize(text.length);
    while (this.#events.size > this.#limits.maxEvents || this.#bytes > this.#limits.maxBytes) this.dropOldest();
    return id;
  }

  /** The event with which a stream opens: it only gives the client an id to come back with. */
  storeOpening(stream: string): string {
    return this.store(stream, '', false);
  }

  streamOf(id: string): string | undefined {
    return this.#events.get(id)?.stream;
  }

  /** Whether the answer was sent on this stream: nothing follows. */
  hasEnded(stream: string): boolean {
    return this.#ended.has(stream);
  }

  eventsAfter(lastId: string, stream: string): readonly { readonly id: string; readonly text: string }[] {
    return [...this.#events]
      .filter(([id, event]) => event.stream === stream && Number(id) > Number(lastId) && event.text !== '')
      .map(([id, { text }]) => ({ id, text }));
  }

  dropOldest(): void {
    const [oldest] = this.#events;
    if (oldest === undefined) return;
    this.#events.delete(oldest[0]);
    if (oldest[1].isAnswer) this.#ended.delete(oldest[1].stream);
    this.#resize(-oldest[1].text.length);
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
