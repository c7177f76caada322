import { ToolkitError } from '../errors.ts';
import type { JsonValue } from '../json/json.ts';
import type { CallEngine, CallName, CallStatus, DurableCall } from './call-engine.ts';

/** A handle on a durable call. `calls.get` returns it again, also after a restart. */
export class DurableHandle<Output = JsonValue> {
  readonly id: string;
  readonly caller: string;
  readonly #engine: CallEngine;

  constructor(engine: CallEngine, { id, caller }: CallName) {
    this.#engine = engine;
    this.id = id;
    this.caller = caller;
  }

  async status(): Promise<CallStatus> {
    return (await this.call()).status;
  }

  /** Returns the record of the call, without its result. */
  call(): Promise<DurableCall> {
    return this.#engine.get(this.#name);
  }

  /**
   * Waits for the output, also when a person must decide first. Rejects with the error of a failed call, ABORTED for a cancelled one,
   * OUTCOME_UNKNOWN, or OUTPUT_TOO_LARGE when the output could not be stored. `signal` ends the wait, not the call.
   */
  async result({ signal }: { readonly signal?: AbortSignal } = {}): Promise<Output> {
    const call = await this.#engine.ended(this.#name, signal);
    if (call.error !== undefined) throw new ToolkitError(call.error.code, call.error.message, { ...call.error.details, tool: call.tool });
    const result = await this.#engine.resultOf(this.#name);
    if (result !== undefined) return result.output as Output;
    throw new ToolkitError('NOT_FOUND', `The result of the call "${this.id}" of "${call.tool}" is no longer stored.`, { tool: call.tool });
  }

  /** Cancels the call: at once when it waits, soon when it runs; `result` then rejects. An ended call stays unchanged. */
  cancel(): Promise<DurableCall> {
    return this.#engine.cancel(this.#name);
  }

  get #name(): CallName {
    return { id: this.id, caller: this.caller };
  }
}
