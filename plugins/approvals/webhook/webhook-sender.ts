import {
  type ApprovalRecord,
  excerpt,
  type HttpRouteAccess,
  type Logger,
  messageOf,
  type OutboundFetch,
  parseUrl,
  type StateStore,
} from '../../../kernel/index.ts';
import { StoreWatch } from '../../shared/cluster/store-watch.ts';
import { isSecure } from '../../shared/http/loopback.ts';
import { pagesOf } from '../../shared/state/pages-of.ts';
import { outboxPrefix, readEntry } from './outbox.ts';
import { WebhookLane } from './webhook-lane.ts';
import type { Webhook } from './webhook-options.ts';
import { type WebhookTiming, webhookTiming } from './webhook-timing.ts';

export interface WebhookSenderOptions {
  readonly state: StateStore;
  readonly webhooks: readonly Webhook[];
  readonly fetch: OutboundFetch;
  readonly logger: Pick<Logger, 'info' | 'warn'>;
  /** Returns the record of an id, with secrets masked; undefined when there is none. */
  readonly read: (id: string) => Promise<ApprovalRecord | undefined>;
  readonly access: Pick<HttpRouteAccess, 'baseUrl'>;
  /** Clock, epoch ms. @default Date.now */
  readonly now?: () => number;
  /** @default `webhookTiming` */
  readonly timing?: Partial<WebhookTiming>;
}

/** Number of entries that are read at once. */
const pageSize = 500;

/** Minimum time between two lines about failures of the store, in milliseconds. */
const logPauseMs = 600_000;

/** Minimum time between two looks into the outbox, in milliseconds. */
const minPauseMs = 20;

/**
 * Sends the messages of the outbox: at least once, to each webhook, until its record is decided or expires. Several processes share the work: an
 * entry is sent by the one that claims it, and taken over from one that has died.
 */
export class WebhookSender {
  readonly #options: WebhookSenderOptions;
  readonly #now: () => number;
  readonly #timing: WebhookTiming;
  readonly #closing = new AbortController();
  readonly #lanes: readonly WebhookLane[];
  readonly #watch: StoreWatch;
  #timer: NodeJS.Timeout | undefined;
  /** Time of the next look, in epoch ms. */
  #nextAt = Number.POSITIVE_INFINITY;
  #look: Promise<void> | undefined;
  /** Time of the last logged failure, in epoch ms. */
  #loggedAt = Number.NEGATIVE_INFINITY;

  constructor(options: WebhookSenderOptions) {
    const { state, webhooks, fetch, logger, read, access, now = Date.now, timing } = options;
    this.#options = options;
    this.#now = now;
    this.#timing = { ...webhookTiming, ...timing };
    const parts = {
      ...{ state, fetch, logger, read, now, member: state.join(), timing: this.#timing, closing: this.#closing.signal },
      answersTo: () => secureOrigin(access.baseUrl()),
      onLater: (at: number) => this.#schedule(at),
      onFailure: (error: unknown) => this.#failed(error),
    };
    this.#lanes = webhooks.map((webhook) => new WebhookLane(webhook, parts));
    this.#watch = new StoreWatch(state, outboxPrefix, (key) => this.#laneOf(key)?.add(key));
  }

  /** Begins to send, in the background. Call it when the servers of this process have started. */
  start(): void {
    if (this.#lanes.length > 0) this.#schedule(this.#now());
  }

  /** Ends running requests. Their messages are sent again by another process, or after a restart. */
  async close(): Promise<void> {
    this.#closing.abort(new Error('The sender of webhooks is closed.'));
    clearTimeout(this.#timer);
    await this.#look;
    await Promise.all([this.#watch.close(), ...this.#lanes.map((lane) => lane.idle())]);
  }

  #laneOf(key: string): WebhookLane | undefined {
    return this.#lanes.find(({ prefix }) => key.startsWith(prefix));
  }

  /** Looks into the outbox at a time, unless it is looked into earlier. */
  #schedule(at: number): void {
    if (this.#closing.signal.aborted || at >= this.#nextAt) return;
    this.#nextAt = at;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#begin(), Math.max(minPauseMs, at - this.#now())).unref();
  }

  #begin(): void {
    this.#nextAt = Number.POSITIVE_INFINITY;
    // An entry may be due that the running look has passed already.
    const before = this.#look ?? Promise.resolve();
    this.#look = before.then(() => this.#lookNow()).finally(() => this.#schedule(this.#now() + this.#timing.pollIntervalMs));
  }

  async #lookNow(): Promise<void> {
    if (this.#closing.signal.aborted) return;
    try {
      await this.#watch.open();
      for (const lane of this.#lanes) await this.#lookFor(lane);
    } catch (error) {
      this.#failed(error);
    }
  }

  async #lookFor(lane: WebhookLane): Promise<void> {
    for await (const page of pagesOf(this.#options.state, lane.prefix, pageSize, { onUnreadable: () => {} }))
      for (const { key, value } of page) {
        const entry = readEntry(value);
        if (entry === undefined) continue;
        const due = lane.dueAt(entry);
        if (due <= this.#now()) lane.add(key);
        else this.#schedule(due);
      }
  }

  /** Logs a failure, and no other one for a while: the outbox is looked into again. */
  #failed(error: unknown): void {
    if (this.#closing.signal.aborted || this.#now() - this.#loggedAt < logPauseMs) return;
    this.#loggedAt = this.#now();
    this.#options.logger.warn(`messages for webhooks wait, because a record or the store cannot be read: ${excerpt(messageOf(error))}`);
  }
}

/** Returns the origin where nobody can read an answer on the way. */
function secureOrigin(origin: string | undefined): string | undefined {
  const url = origin === undefined ? undefined : parseUrl(origin);
  return url !== undefined && isSecure(url) ? origin : undefined;
}
