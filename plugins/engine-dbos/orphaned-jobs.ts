import { messageOf } from '../../kernel/index.ts';
import type { DispatchParts } from '../shared/calls/call-dispatch.ts';
import { Poll } from '../shared/calls/poll.ts';
import type { DbosQueue } from './dbos-queue.ts';
import type { JobRunner } from './job-runner.ts';

/** Interval at which ended jobs are removed, and the time for which they are kept, in milliseconds. Until then the tools of DBOS show them. */
const removalIntervalMs = 60_000;
const endedTtlMs = 3_600_000;

export interface OrphanedJobsParts extends Pick<DispatchParts, 'process' | 'logger'> {
  readonly queue: DbosQueue;
  readonly jobs: JobRunner;
}

/**
 * Queues orphaned jobs again, which DBOS leaves where they are: those of dead processes, and those that this process has taken and failed to begin.
 * Removes ended jobs.
 */
export class OrphanedJobs {
  readonly #parts: OrphanedJobsParts;
  readonly #poll: Poll;
  #removeAt = 0;
  /** Workflows of this process that no job handled at the last check: they may be about to begin or to end. */
  #idle: ReadonlySet<string> = new Set();

  constructor(parts: OrphanedJobsParts) {
    this.#parts = parts;
    this.#poll = new Poll(
      () => this.#findOrphans(),
      (error) => parts.logger.warn(`the search for durable calls of dead processes failed: ${messageOf(error)}`),
    );
  }

  close(): Promise<void> {
    return this.#poll.close();
  }

  async #findOrphans(): Promise<void> {
    const { queue, process, jobs } = this.#parts;
    const taken = await queue.taken();
    // Checked after the jobs: a process sends its first heartbeat before it takes a job.
    const executors = [...new Set(taken.map(({ executor }) => executor))].filter((executor) => executor !== process.id);
    const dead = new Set<string>();
    for (const executor of executors) if (!(await process.isAlive(executor))) dead.add(executor);
    const idle = taken.filter(({ executor, workflow }) => executor === process.id && !jobs.has(workflow));
    const orphaned = [...taken.filter(({ executor }) => dead.has(executor)), ...idle.filter(({ workflow }) => this.#idle.has(workflow))];
    this.#idle = new Set(idle.map(({ workflow }) => workflow));
    if (orphaned.length > 0) await queue.resume(orphaned.map(({ workflow }) => workflow));
    if (performance.now() < this.#removeAt) return;
    this.#removeAt = performance.now() + removalIntervalMs;
    await queue.forget(Date.now() - endedTtlMs);
  }
}
