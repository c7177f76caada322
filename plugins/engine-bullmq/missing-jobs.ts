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
 * Adds jobs for calls that wait and have none: BullMQ can lose one that was put off (taskforcesh/bullmq 4814), somebody may have removed it,
 * and another engine adds none. A sweep reads one page of the waiting calls, and the next one goes on after it.
 */
export class MissingJobs {
  readonly #parts: MissingJobsParts;
  readonly #poll: Poll;
  #sweepAt = 0;
  #cursor: string | undefined;

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
