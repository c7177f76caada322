import { messageOf, type StateEntry } from '../../kernel/index.ts';
import type { DispatchParts } from '../shared/calls/call-dispatch.ts';
import { RegularLook } from '../shared/calls/regular-look.ts';
import { processPrefix } from '../shared/state/living-process.ts';
import type { RunningCalls } from './running-calls.ts';

const pageSize = 1000;

export interface LeftCallsParts extends Pick<DispatchParts, 'state' | 'records' | 'process' | 'run' | 'logger'> {
  readonly running: RunningCalls;
}

/** Has calls go on whose process has died while it ran them, or could not say how they ended. */
export class LeftCalls {
  readonly #parts: LeftCallsParts;
  readonly #regular: RegularLook;

  constructor(parts: LeftCallsParts) {
    this.#parts = parts;
    this.#regular = new RegularLook(
      () => this.#find(),
      (error) => parts.logger.warn(`calls of processes that died are not looked for: ${messageOf(error)}`),
    );
  }

  close(): Promise<void> {
    return this.#regular.close();
  }

  async #find(): Promise<void> {
    const { state, process, run, running } = this.#parts;
    const entries = await this.#all('running/');
    if (entries.length === 0) return;
    // After that: a process says that it lives before it says what it runs.
    const living = new Set((await this.#all(processPrefix)).map(({ key }) => key.slice(processPrefix.length)));
    for (const { key, value } of entries) {
      const owner = key.slice('running/'.length);
      const isMine = owner === process.id;
      if (!isMine && living.has(owner)) continue;
      const left = (JSON.parse(value) as readonly string[]).filter((place) => !isMine || !run.has(place));
      for (const place of left) await this.#takeBack(owner, place);
      if (!isMine) await state.delete(key);
      else if (left.length > 0) await running.announce();
    }
  }

  async #takeBack(owner: string, place: string): Promise<void> {
    const { records, run, process } = this.#parts;
    const read = await records.at(place);
    if (read?.record.endedAt !== undefined && read.record.status !== 'waiting') await records.forgetOpen(place, read.record);
    if (read?.record.status !== 'running' || read.record.by !== owner || (owner === process.id && run.has(place))) return;
    await run.takeBack(read);
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
