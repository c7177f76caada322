import { ToolkitError } from '../errors.ts';
import type { JsonValue } from '../schema/json.ts';
import type { CallEngine, CallName, CallStatus, DurableCall } from './call-engine.ts';

/** A durable call in the hand of its host; `calls.get` gives it again, also after a restart. */
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

  /** All that is known of it, but its result. */
  call(): Promise<DurableCall> {
    return this.#engine.get(this.#name);
  }

  /**
   * The output, when it has one: also where a person has to be asked first. Rejects with the error of a call that failed, ABORTED for one that
   * was cancelled, OUTCOME_UNKNOWN, OUTPUT_TOO_LARGE for one that could not be kept. `signal` ends the waiting, not the call.
   */
  async result({ signal }: { readonly signal?: AbortSignal } = {}): Promise<Output> {
    const call = await this.#engine.ended(this.#name, signal);
    if (call.error !== undefined) throw new ToolkitError(call.error.code, call.error.message, { ...call.error.details, tool: call.tool });
    const result = await this.#engine.resultOf(this.#name);
    if (result !== undefined) return result.output as Output;
    throw new ToolkitError('NOT_FOUND', `The result of the call "${this.id}" of "${call.tool}" is not kept any more.`, { tool: call.tool });
  }

  /** Ends the call, now where it waits, soon where it runs: `result` tells. Nothing happens to one that has ended. */
  cancel(): Promise<DurableCall> {
    return this.#engine.cancel(this.#name);
  }

  get #name(): CallName {
    return { id: this.id, caller: this.caller };
  }
}
