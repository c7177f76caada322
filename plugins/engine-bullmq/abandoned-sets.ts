import type { JobQueues } from './job-queues.ts';
import type { AnnouncedSet, ToolSets } from './tool-sets.ts';

/** Time without an announcement after which a set has no workers, in milliseconds by the clock of this process. */
export const abandonedAfterMs = 10 * 60 * 1000;

/** Removes the sets that no worker announces any more, with their queues: workers with other tools have replaced theirs. */
export class AbandonedSets {
  readonly #sets: ToolSets;
  readonly #queues: JobQueues;
  /** Last announcement of each set, and the time at which it was first read here. */
  readonly #seen = new Map<string, { readonly stamp: string; readonly at: number }>();

  constructor(sets: ToolSets, queues: JobQueues) {
    this.#sets = sets;
    this.#queues = queues;
  }

  async sweep(): Promise<void> {
    const sets = await this.#sets.all();
    const ids = new Set(sets.map(({ id }) => id));
    for (const id of this.#seen.keys()) if (!ids.has(id)) this.#seen.delete(id);
    for (const set of sets) if (this.#isAbandoned(set)) await this.#remove(set);
  }

  #isAbandoned({ id, stamp }: AnnouncedSet): boolean {
    const seen = this.#seen.get(id);
    if (seen?.stamp === stamp) return performance.now() - seen.at > abandonedAfterMs;
    this.#seen.set(id, { stamp, at: performance.now() });
    return false;
  }

  /** The queue first: an interrupted removal is repeated. A worker that announces the set meanwhile adds its jobs again. */
  async #remove(set: AnnouncedSet): Promise<void> {
    await this.#queues.remove(set.id);
    await this.#sets.remove(set);
    this.#seen.delete(set.id);
  }
}
