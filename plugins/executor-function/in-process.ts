import { type CallContext, messageOf } from '../../kernel/index.ts';
import type { CodeReference } from '../shared/code/code-module.ts';
import { LoadedFunctions } from '../shared/code/loaded-functions.ts';
import { linkedState } from '../shared/pinned-code/linked-code.ts';
import type { ToolFunction } from './execution.ts';
import { functionNames } from './running-function.ts';

/** What functions in this process have loaded, and what they left to be done. */
export class InProcess {
  readonly #loaded = new LoadedFunctions<ToolFunction>(functionNames);
  readonly #closing = new Set<() => unknown>();

  /** Runs this when the kernel closes. */
  onClose(close: () => unknown): void {
    this.#closing.add(close);
  }

  /** Runs what functions left to be done, the last first. Throws the collected failures. */
  async close(): Promise<void> {
    const given = [...this.#closing].reverse();
    this.#closing.clear();
    const ended = await Promise.allSettled(given.map(async (close) => close()));
    const failures = ended.flatMap((end) => (end.status === 'rejected' ? [end.reason as unknown] : []));
    if (failures.length > 0) throw new AggregateError(failures, failures.map(messageOf).join('; '));
  }

  /** The next calls import their modules anew. What the old ones left to be done is done when the kernel closes. */
  forget(): void {
    this.#loaded.forget();
  }

  /** What would run of this file. */
  stateOf(file: string): Promise<string> {
    return this.#loaded.stateOf(file);
  }

  /** Loading is no time of the call. `approved`: the state of the file that was approved. */
  load(code: CodeReference, context: CallContext, approved?: string): Promise<ToolFunction> {
    // A reload of the host leaves what runs as it is; one that a model asked for was shown to a person, and that runs.
    const linked = context.origin === 'model' ? linkedState(context.tool) : undefined;
    return this.#loaded.load(code, approved, linked).finally(context.pauseClock());
  }
}
