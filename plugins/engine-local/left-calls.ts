import { messageOf, type StateEntry } from '../../kernel/index.ts';
import type { DispatchParts } from '../shared/calls/call-dispatch.ts';
import { Poll } from '../shared/calls/poll.ts';
import { processPrefix } from '../shared/state/process-heartbeat.ts';
import { type RunningKey, readRunningKey, runningPrefix } from './queue-keys.ts';

const pageSize = 1000;

export type LeftCallsParts = Pick<DispatchParts, 'state' | 'records' | 'process' | 'run' | 'logger'>;

/** Finds orphaned calls, whose process died or could not write how they ended, and reschedules them. */
export class LeftCalls {
  readonly #parts: LeftCallsParts;
  readonly #regular: Poll;

  constructor(parts: LeftCallsParts) {
    this.#parts = parts;
    this.#regular = new Poll(
      () => this.#find(),
      (error) => parts.logger.warn(`the search for calls of dead processes failed: ${messageOf(error)}`),
    );
  }

  close(): Promise<void> {
    return this.#regular.close();
  }

  async #find(): Promise<void> {
    const entries = await this.#all(runningPrefix);
    if (entries.length === 0) return;
    // Read after the entries: a process sends its first heartbeat before it enters a running call.
    const living = new Set((await this.#all(processPrefix)).map(({ key }) => key.slice(processPrefix.length)));
    for (const { key } of entries) {
      const running = readRunningKey(key);
      if (running !== undefined && !this.#runs(running, living)) await this.#takeBack(key, running);
    }
  }

  #runs({ process, place }: RunningKey, living: ReadonlySet<string>): boolean {
    return process === this.#parts.process.id ? this.#parts.run.has(place) : living.has(process);
  }

  async #takeBack(key: string, { process, place }: RunningKey): Promise<void> {
    const { records, run, state } = this.#parts;
    const read = await records.read(place);
    if (read?.record.status === 'running' && read.record.by === process) await run.rescheduleOrphan(read);
    // The record was removed.
    else if (read === undefined) await state.delete(key);
  }

  async #all(prefix: string): Promise<readonly StateEntry[]> {
    const found: StateEntry[] = [];
    for (;;) {
      const after = found.at(-1)?.key;
      const page = await this.#parts.state.list(prefix, { limit: pageSize, ...(after === undefined ? {} : { after }) });
      found.push(...page);
      if (page.length < pageSize) return found;
    }
  }
}
