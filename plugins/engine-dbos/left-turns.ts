import { messageOf } from '../../kernel/index.ts';
import type { DispatchParts } from '../shared/calls/call-dispatch.ts';
import { Poll } from '../shared/calls/poll.ts';
import type { CallTurns } from './call-turns.ts';
import type { DbosQueue } from './dbos-queue.ts';

/** How often, and how long after its end, a turn is removed, in milliseconds: until then it is seen in the tools of DBOS. */
const forgetEveryMs = 60_000;
const keepMs = 3_600_000;

export interface LeftTurnsParts extends Pick<DispatchParts, 'process' | 'logger'> {
  readonly queue: DbosQueue;
  readonly turns: CallTurns;
}

/**
 * Hands turns to the queue again that DBOS leaves where they are: those of processes that have died, and those that this one has taken, and failed to begin.
 * Removes those that are over.
 */
export class LeftTurns {
  readonly #parts: LeftTurnsParts;
  readonly #regular: Poll;
  #forgetAt = 0;
  /** Workflows of this process that were with nobody at the last look: they may be about to begin, or to end. */
  #idle: ReadonlySet<string> = new Set();

  constructor(parts: LeftTurnsParts) {
    this.#parts = parts;
    this.#regular = new Poll(
      () => this.#find(),
      (error) => parts.logger.warn(`durable calls of processes that died are not looked for: ${messageOf(error)}`),
    );
  }

  close(): Promise<void> {
    return this.#regular.close();
  }

  async #find(): Promise<void> {
    const { queue, process, turns } = this.#parts;
    const taken = await queue.taken();
    // After that: a process says that it lives before it takes a turn.
    const executors = [...new Set(taken.map(({ executor }) => executor))].filter((executor) => executor !== process.id);
    const dead = new Set<string>();
    for (const executor of executors) if (!(await process.isAlive(executor))) dead.add(executor);
    const idle = taken.filter(({ executor, workflow }) => executor === process.id && !turns.has(workflow));
    const left = [...taken.filter(({ executor }) => dead.has(executor)), ...idle.filter(({ workflow }) => this.#idle.has(workflow))];
    this.#idle = new Set(idle.map(({ workflow }) => workflow));
    if (left.length > 0) await queue.resume(left.map(({ workflow }) => workflow));
    if (performance.now() < this.#forgetAt) return;
    this.#forgetAt = performance.now() + forgetEveryMs;
    await queue.forget(Date.now() - keepMs);
  }
}
