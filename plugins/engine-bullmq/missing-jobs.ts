import { messageOf } from '../../kernel/index.ts';
import type { DispatchParts } from '../shared/calls/call-dispatch.ts';
import { Poll } from '../shared/calls/poll.ts';
import { readQueueKey } from '../shared/calls/queue-keys.ts';
import type { JobQueue } from './job-queue.ts';

/** Interval of the sweep, and the age from which a due call is missed, in milliseconds. */
const sweepIntervalMs = 5000;
const dueForMs = 2000;

const pageSize = 200;

export interface MissingJobsParts extends Pick<DispatchParts, 'state' | 'logger'> {
  readonly queue: JobQueue;
}

/**
 * Adds jobs for calls that wait and have none: their submitter died after it wrote the record, BullMQ lost one that was put off
 * (taskforcesh/bullmq 4814), somebody removed it, or another engine stored the call. The first sweep reads all waiting calls, each later one a
 * page of them.
 */
export class MissingJobs {
  readonly #parts: MissingJobsParts;
  readonly #poll: Poll;
  #sweepAt = 0;
  #cursor: string | undefined;
  /** True when all waiting calls were read once. */
  #isWhole = false;

  constructor(parts: MissingJobsParts) {
    this.#parts = parts;
    this.#poll = new Poll(
      () => this.#sweep(),
      (error) => parts.logger.warn(`the search for durable calls without a job failed: ${messageOf(error)}`),
    );
  }

  close(): Promise<void> {
    return this.#poll.close();
  }

  async #sweep(): Promise<void> {
    if (performance.now() < this.#sweepAt) return;
    this.#sweepAt = performance.now() + sweepIntervalMs;
    do await this.#sweepPage();
    while (!this.#isWhole && this.#cursor !== undefined);
    this.#isWhole = true;
  }

  async #sweepPage(): Promise<void> {
    const page = await this.#parts.state.list('queue/', {
      limit: pageSize,
      ...(this.#cursor === undefined ? {} : { after: this.#cursor }),
    });
    this.#cursor = page.length < pageSize ? undefined : page.at(-1)?.key;
    const dueBefore = Date.now() - dueForMs;
    const due = page.flatMap(({ key }) => readQueueKey(key) ?? []).filter(({ runAt }) => runAt < dueBefore);
    await this.#parts.queue.add(due);
  }
}
