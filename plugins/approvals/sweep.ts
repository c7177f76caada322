import { type Logger, messageOf } from '../../kernel/index.ts';
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

  /** The index is in the order of expiry, so that the first page is enough until it is used up. */
  async #expireDue(): Promise<void> {
    const { records, now } = this.#parts;
    for (;;) {
      const page = await records.values.state.list('due/', { limit: pageSize });
      const due = page.flatMap(({ key }) => ({ key, ...readDueKey(key) })).filter(({ expiresAt = 0 }) => expiresAt <= now());
      for (const { key, id } of due) {
        const ended = id === undefined ? undefined : await this.#each(id, () => expireRecord(this.#parts, id));
        if (ended === undefined) await records.values.state.delete(key);
        else if (ended.status === 'expired') await wakeDurable(this.#parts, ended);
      }
      if (due.length < pageSize) return;
    }
  }

  async #startReady(): Promise<void> {
    const { records } = this.#parts;
    for (let after: string | undefined; ; ) {
      const page = await records.values.state.list('ready/', { limit: pageSize, ...(after === undefined ? {} : { after }) });
      for (const { key } of page) await this.#each(key, () => this.#startOne(key));
      after = page.at(-1)?.key;
      if (page.length < pageSize) return;
    }
  }

  async #startOne(key: string): Promise<void> {
    await followUp(this.#parts, key.slice(recordKeys.ready('').length));
  }

  /** One record that cannot be handled does not stop the others. */
  async #each<T>(id: string, work: () => Promise<T>): Promise<T | undefined> {
    try {
      return await work();
    } catch (error) {
      this.#logger.debug(`the approval ${id} is not followed up now: ${messageOf(error)}`);
      return undefined;
    }
  }
}
