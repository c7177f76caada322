import { JobQueue, type JobQueueOptions } from './job-queue.ts';

/** The queues of the tool sets, opened on first use. */
export class JobQueues {
  readonly #options: JobQueueOptions;
  readonly #queues = new Map<string, JobQueue>();

  constructor(options: JobQueueOptions) {
    this.#options = options;
  }

  of(setId: string): JobQueue {
    const queue = this.#queues.get(setId) ?? new JobQueue(setId, this.#options);
    this.#queues.set(setId, queue);
    return queue;
  }

  /** Removes the queue of a set that has no workers, with its jobs. */
  async remove(setId: string): Promise<void> {
    const queue = this.of(setId);
    await queue.obliterate();
    this.#queues.delete(setId);
    await queue.close();
  }

  async close(): Promise<void> {
    await Promise.all([...this.#queues.values()].map((queue) => queue.close()));
  }
}
