import { type Logger, messageOf, type StateEntry, type StateStore, ToolkitError } from '../../kernel/index.ts';
import { type LivingProcess, processPrefix } from '../shared/state/living-process.ts';
import type { CallRecords } from './call-records.ts';
import type { CallRun } from './call-run.ts';

/** How often it is looked for calls whose process has died, in milliseconds. */
const lookMs = 1000;

const pageSize = 1000;

export interface LeftCallsParts {
  readonly state: StateStore;
  readonly records: CallRecords;
  readonly process: LivingProcess;
  readonly run: CallRun;
  readonly logger: Logger;
}

/** Has calls go on whose process has died while it ran them, or could not say how they ended. */
export class LeftCalls {
  readonly #parts: LeftCallsParts;
  readonly #timer: NodeJS.Timeout;
  #looking: Promise<void> | undefined;
  #hasFailed = false;

  constructor(parts: LeftCallsParts) {
    this.#parts = parts;
    this.#timer = setInterval(() => this.#look(), lookMs).unref();
    this.#look();
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.#looking;
  }

  #look(): void {
    this.#looking ??= this.#find()
      .then(() => {
        this.#hasFailed = false;
      })
      .catch((error: unknown) => {
        if (!this.#hasFailed) this.#parts.logger.warn(`calls of processes that died are not looked for: ${messageOf(error)}`);
        this.#hasFailed = true;
      })
      .finally(() => {
        this.#looking = undefined;
      });
  }

  async #find(): Promise<void> {
    const { state, process, run } = this.#parts;
    const running = await this.#all('running/');
    if (running.length === 0) return;
    // After that: a process says that it lives before it says what it runs.
    const living = new Set((await this.#all(processPrefix)).map(({ key }) => key.slice(processPrefix.length)));
    for (const { key, value } of running) {
      const owner = key.slice('running/'.length);
      const isMine = owner === process.id;
      if (!isMine && living.has(owner)) continue;
      const left = (JSON.parse(value) as readonly string[]).filter((place) => !isMine || !run.has(place));
      for (const place of left) await this.#takeBack(owner, place);
      if (!isMine) await state.delete(key);
      else if (left.length > 0) await run.announce();
    }
  }

  async #takeBack(owner: string, place: string): Promise<void> {
    const { records, run, process } = this.#parts;
    const read = await records.at(place);
    if (read?.record.endedAt !== undefined && read.record.status !== 'waiting') await records.forgetOpen(place, read.record);
    if (read?.record.status !== 'running' || read.record.by !== owner || (owner === process.id && run.has(place))) return;
    const { tool, isCancelled = false } = read.record;
    const error = new ToolkitError(
      'OUTCOME_UNKNOWN',
      `The process that ran "${tool}" has died, and so often that it is not made again by itself.`,
      {
        tool,
      },
    );
    if (isCancelled)
      await records.end(read, {
        status: 'unknown',
        error: { code: error.code, message: `"${tool}" was cancelled, and its process has died.` },
      });
    else await run.putBack(read, error, 0);
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
