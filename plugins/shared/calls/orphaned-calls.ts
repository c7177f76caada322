import { messageOf, type StateEntry } from '../../../kernel/index.ts';
import { pagesOf } from '../state/pages-of.ts';
import type { DispatchParts } from './call-dispatch.ts';
import { Poll } from './poll.ts';
import { type RunningKey, readRunningKey, runningPrefix } from './queue-keys.ts';

const pageSize = 1000;

export type OrphanedCallsParts = Pick<DispatchParts, 'state' | 'records' | 'process' | 'run' | 'logger'>;

/** Finds orphaned calls, whose process died or could not write how they ended, and reschedules them. */
export class OrphanedCalls {
  readonly #parts: OrphanedCallsParts;
  readonly #poll: Poll;

  constructor(parts: OrphanedCallsParts) {
    this.#parts = parts;
    this.#poll = new Poll(
      () => this.#findOrphans(),
      (error) => parts.logger.warn(`the search for calls of dead processes failed: ${messageOf(error)}`),
    );
  }

  close(): Promise<void> {
    return this.#poll.close();
  }

  async #findOrphans(): Promise<void> {
    const entries = await this.#listAll(runningPrefix);
    // One answer for all calls of a process. Asked after the entries were read: a process is known before it enters a running call.
    const dead = new Map<string, Promise<boolean>>();
    const isDead = (process: string): Promise<boolean> => {
      const answer = dead.get(process) ?? this.#parts.process.isDead(process);
      dead.set(process, answer);
      return answer;
    };
    for (const { key } of entries) {
      const running = readRunningKey(key);
      if (running !== undefined && !(await this.#isRunning(running, isDead))) await this.#reschedule(key, running);
    }
  }

  async #isRunning({ process, callKey }: RunningKey, isDead: (process: string) => Promise<boolean>): Promise<boolean> {
    return process === this.#parts.process.id ? this.#parts.run.has(callKey) : !(await isDead(process));
  }

  async #reschedule(key: string, { process, callKey }: RunningKey): Promise<void> {
    const { records, run, state } = this.#parts;
    const read = await records.readForWork(callKey);
    if (read === 'later') return;
    if (read?.record.status === 'running' && read.record.by === process) await run.rescheduleOrphan(read);
    // The record was removed.
    else if (read === undefined) await state.delete(key);
  }

  async #listAll(prefix: string): Promise<readonly StateEntry[]> {
    const found: StateEntry[] = [];
    for await (const page of pagesOf(this.#parts.state, prefix, pageSize)) found.push(...page);
    return found;
  }
}
