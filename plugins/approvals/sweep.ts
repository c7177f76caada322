import { type Logger, messageOf } from '../../kernel/index.ts';
import { pagesOf } from '../shared/state/pages-of.ts';
import type { ApprovalParts } from './approval-parts.ts';
import { expireRecord } from './expire.ts';
import { followUp } from './follow-up.ts';
import { readDueKey, recordKeys } from './records/record-keys.ts';
import { wakeDurable } from './wake-durable.ts';

const intervalMs = 2000;
const pageSize = 200;

/**
 * Does in a serving process what a dead one has left: ends records whose time is over, and starts approved calls whose client has died since. Several
 * processes may do so.
 */
export class ApprovalSweep {
  readonly #parts: ApprovalParts;
  readonly #logger: Logger;
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> | undefined;
  #hasFailed = false;

  constructor(parts: ApprovalParts) {
    this.#parts = parts;
    this.#logger = parts.logger;
  }

  start(): void {
    this.#timer ??= setInterval(() => this.#sweepSoon(), intervalMs).unref();
    this.#sweepSoon();
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.#running;
  }

  #sweepSoon(): void {
    this.#running ??= this.#sweep().finally(() => {
      this.#running = undefined;
    });
  }

  async #sweep(): Promise<void> {
    try {
      await this.#expireDue();
      await this.#startReady();
      this.#hasFailed = false;
    } catch (error) {
      if (!this.#hasFailed) this.#logger.warn(`no approvals are followed up until their store can be used: ${messageOf(error)}`);
      this.#hasFailed = true;
    }
  }

  /** The index is in the order of expiry. */
  async #expireDue(): Promise<void> {
    const { records, now } = this.#parts;
    for await (const page of pagesOf(records.values.state, 'due/', pageSize))
      for (const { key } of page) {
        const due = readDueKey(key);
        if (due !== undefined && due.expiresAt > now()) return;
        await this.#each(key, () => this.#expireOne(key, due?.id));
      }
  }

  async #expireOne(key: string, id: string | undefined): Promise<void> {
    const ended = id === undefined ? undefined : await expireRecord(this.#parts, id);
    if (ended === undefined) await this.#parts.records.values.state.delete(key);
    else if (ended.status === 'expired') await wakeDurable(this.#parts, ended);
  }

  async #startReady(): Promise<void> {
    const prefix = recordKeys.ready('');
    for await (const page of pagesOf(this.#parts.records.values.state, prefix, pageSize))
      for (const { key } of page) await this.#each(key, () => followUp(this.#parts, key.slice(prefix.length)));
  }

  /** One record that cannot be handled does not stop the others. */
  async #each(id: string, work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      this.#logger.debug(`the approval ${id} is not followed up now: ${messageOf(error)}`);
    }
  }
}
