import { type CallContext, messageOf } from '../../kernel/index.ts';
import type { CodeReference } from '../shared/code/code-module.ts';
import { LoadedFunctions } from '../shared/code/loaded-functions.ts';
import { linkedState } from '../shared/pinned-code/linked-code.ts';
import type { ToolFunction } from './execution.ts';
import { defaultExports } from './run-function.ts';

/** The functions that this process has loaded, and the clean-ups that they registered. */
export class InProcessFunctions {
  readonly #loaded = new LoadedFunctions<ToolFunction>(defaultExports);
  readonly #cleanUps = new Set<() => unknown>();

  /** Registers a clean-up to run when the kernel closes. */
  onClose(close: () => unknown): void {
    this.#cleanUps.add(close);
  }

  /** Starts the registered clean-ups, the last one first, and waits for all of them. Throws their failures as one AggregateError. */
  async close(): Promise<void> {
    const cleanUps = [...this.#cleanUps].reverse();
    this.#cleanUps.clear();
    const results = await Promise.allSettled(cleanUps.map(async (close) => close()));
    const failures = results.flatMap((end) => (end.status === 'rejected' ? [end.reason as unknown] : []));
    if (failures.length > 0) throw new AggregateError(failures, failures.map(messageOf).join('; '));
  }

  /** Makes later calls import their modules anew. Clean-ups of the old modules still run when the kernel closes. */
  forget(): void {
    this.#loaded.forget();
  }

  /** Returns the state of the code that a call of this file would run. */
  stateOf(file: string): Promise<string> {
    return this.#loaded.stateOf(file);
  }

  /** Loads a function. Loading does not count as time of the call. `approved`: the state of the file that was approved. */
  load(code: CodeReference, context: CallContext, approved?: string): Promise<ToolFunction> {
    // A call of the host keeps the code that is loaded. For a call of a model, a person was shown the linked code, so that code runs.
    const linked = context.origin === 'model' ? linkedState(context.tool) : undefined;
    return this.#loaded.load(code, approved, linked).finally(context.pauseClock());
  }
}
