import type { ApprovalRecord, Liveness, Logger, OutboundFetch, StateStore } from '../../../kernel/index.ts';
import { type OutboxEntry, outboxPrefix, readEntry, ttlOf, writeEntry } from './outbox.ts';
import { postMessage, type Sent } from './post-message.ts';
import { webhookMessage } from './webhook-message.ts';
import type { Webhook } from './webhook-options.ts';
import { retryDelayMs, type WebhookTiming } from './webhook-timing.ts';

export interface LaneParts {
  readonly state: StateStore;
  /** This sender among all that share the store. */
  readonly member: Liveness;
  readonly fetch: OutboundFetch;
  readonly logger: Pick<Logger, 'info' | 'warn'>;
  /** Returns the record; undefined when there is none. */
  readonly read: (id: string) => Promise<ApprovalRecord | undefined>;
  /** Returns the address of the HTTP server of this process, where answers may go. */
  readonly answersTo: () => string | undefined;
  readonly now: () => number;
  readonly timing: WebhookTiming;
  /** Aborts when the sender is closed. */
  readonly closing: AbortSignal;
  /** Called with the time at which an entry is due again, in epoch ms. */
  readonly onLater: (at: number) => void;
  /** Called for a failure of the store. */
  readonly onFailure: (error: unknown) => void;
}

/** Maximum number of messages that are sent to one webhook at once. */
const concurrency = 4;

/** Sends the messages for one webhook, so that one that does not answer holds up no other. */
export class WebhookLane {
  readonly prefix: string;
  readonly #webhook: Webhook;
  readonly #parts: LaneParts;
  /** Keys that wait or are being handled, in order. */
  readonly #keys = new Set<string>();
  readonly #running = new Map<string, Promise<void>>();
  #isFailing = false;

  constructor(webhook: Webhook, parts: LaneParts) {
    this.prefix = `${outboxPrefix}${webhook.name}/`;
    this.#webhook = webhook;
    this.#parts = parts;
  }

  /** Returns the time at which this process may send an entry, in epoch ms. */
  dueAt({ nextAt, expiresAt }: OutboxEntry): number {
    const { state, answersTo, timing } = this.#parts;
    return Math.min(expiresAt, state.isShared && answersTo() === undefined ? nextAt + timing.deferMs : nextAt);
  }

  /** Handles the entry of a key soon. Does nothing for a key that is being handled. */
  add(key: string): void {
    this.#keys.add(key);
    this.#next();
  }

  /** Resolves when nothing is being sent. Call it after `closing` has aborted. */
  async idle(): Promise<void> {
    while (this.#running.size > 0) await Promise.all(this.#running.values());
  }

  #next(): void {
    for (const key of this.#keys) {
      if (this.#running.size >= concurrency || this.#parts.closing.aborted) return;
      if (!this.#running.has(key)) this.#running.set(key, this.#run(key));
    }
  }

  async #run(key: string): Promise<void> {
    const { member, onFailure } = this.#parts;
    try {
      await member.enter();
      await this.#handle(key).finally(() => member.leave());
    } catch (error) {
      onFailure(error);
    }
    this.#running.delete(key);
    this.#keys.delete(key);
    this.#next();
  }

  async #handle(key: string): Promise<void> {
    const { state, member, read, now, onLater } = this.#parts;
    const text = await state.get(key);
    const entry = text === undefined ? undefined : readEntry(text);
    if (entry === undefined) return;
    if (entry.claimedBy !== undefined && !(await this.#isLost(entry.claimedBy))) return;
    const due = this.dueAt(entry);
    if (due > now()) return onLater(due);
    const id = key.slice(this.prefix.length);
    const record = entry.expiresAt <= now() ? undefined : await read(id);
    if (record?.status !== 'waiting') return void (await state.compareAndSet(key, text, undefined));
    const claim = writeEntry({ ...entry, claimedBy: member.id });
    if (claim !== text && !(await state.compareAndSet(key, text, claim, { ttlMs: ttlOf(entry.expiresAt, now()) }))) return;
    await this.#settle(key, claim, entry, await this.#send(id, record));
  }

  /** Returns true for a claim of which no attempt comes: a message that arrives twice does less harm than one that never does. */
  async #isLost(claimedBy: string): Promise<boolean> {
    const { member } = this.#parts;
    // One of this member is of an attempt whose outcome could not be written.
    return claimedBy === member.id || (await member.isDead(claimedBy)) || (await member.isStalled?.(claimedBy)) === true;
  }

  /** Sends the message. Each attempt has the same id. Its body is that of the moment. */
  #send(id: string, record: ApprovalRecord): Promise<Sent> {
    const { fetch, answersTo, timing, closing, now } = this.#parts;
    const body = webhookMessage(record, answersTo());
    const message = { id: `${id}-${this.#webhook.name}`, body, signal: closing, timeoutMs: timing.timeoutMs, now: now() };
    return postMessage(fetch, this.#webhook, message);
  }

  async #settle(key: string, claim: string, { expiresAt, attempts }: OutboxEntry, sent: Sent): Promise<void> {
    const { state, now, timing, closing, onLater } = this.#parts;
    if (sent.kind !== 'failed') {
      this.#report(sent);
      return void (await state.compareAndSet(key, claim, undefined));
    }
    // It may have arrived. Another process sends it again at once.
    const isCut = closing.aborted;
    if (!isCut) this.#report(sent);
    const failed = isCut ? attempts : attempts + 1;
    const nextAt = now() + (isCut ? 0 : retryDelayMs(timing, failed, sent.retryAfterMs));
    await state.compareAndSet(key, claim, writeEntry({ expiresAt, nextAt, attempts: failed }), { ttlMs: ttlOf(expiresAt, now()) });
    onLater(nextAt);
  }

  /** Logs the first failure, and the first success after it. */
  #report(sent: Sent): void {
    const { logger } = this.#parts;
    const { name } = this.#webhook;
    const wasFailing = this.#isFailing;
    this.#isFailing = sent.kind !== 'delivered';
    if (wasFailing === this.#isFailing) return;
    if (sent.kind === 'delivered') logger.info(`the webhook "${name}" takes messages again`);
    else if (sent.kind === 'gone') logger.warn(`the webhook "${name}" answered 410: messages that it answers so are not sent again`);
    else logger.warn(`the webhook "${name}" failed: ${sent.message}. Messages are sent again until their approvals expire`);
  }
}
