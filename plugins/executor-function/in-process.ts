import { type Call, type CallContext, type ExecutionResult, excerpt, messageOf, ToolkitError } from '../../kernel/index.ts';
import type { CodeReference } from '../shared/code/code-module.ts';
import type { RunExchange } from '../shared/code/exchange.ts';
import { LoadedFunctions } from '../shared/code/loaded-functions.ts';
import type { ToolFunction } from './execution.ts';
import { type FunctionServices, functionNames, OutputWithContent, type RunInThread, RunningFunction } from './running-function.ts';

/** Handlers in this process. They are asked to stop through `context.signal`; one that does not listen cannot be stopped. */
export class InProcess {
  readonly #loaded = new LoadedFunctions<ToolFunction>(functionNames);
  /** What was loaded for a reference, so that a later call need not wait for it. */
  #ready = new WeakMap<CodeReference, ToolFunction>();
  readonly #closing = new Set<() => unknown>();
  readonly #services: FunctionServices;

  constructor(inThread: RunInThread, exchange: RunExchange) {
    this.#services = { inThread, onClose: (close) => void this.#closing.add(close), exchange };
  }

  /** Runs what handlers left to be done, the last first. Throws the collected failures. */
  async close(): Promise<void> {
    const given = [...this.#closing].reverse();
    this.#closing.clear();
    const ended = await Promise.allSettled(given.map(async (close) => close()));
    const failures = ended.flatMap((end) => (end.status === 'rejected' ? [end.reason as unknown] : []));
    if (failures.length > 0) throw new AggregateError(failures, failures.map(messageOf).join('; '));
  }

  /** The next calls import their modules anew. What the old ones left to be done is done when the kernel closes. */
  forget(): void {
    this.#ready = new WeakMap();
    this.#loaded.forget();
  }

  /** What would run of this file. */
  stateOf(file: string): Promise<string> {
    return this.#loaded.stateOf(file);
  }

  async #load(code: CodeReference, context: CallContext, approved: string | undefined): Promise<ToolFunction> {
    const begins = context.pauseClock();
    const run = await this.#loaded.load(code, approved).finally(begins);
    this.#ready.set(code, run);
    return run;
  }

  /** Waits only for what takes time: a module that is not loaded, or a function that gives a promise. `approved`: the state of the file that was approved. */
  run(
    handler: CodeReference | ToolFunction,
    call: Call,
    context: CallContext,
    approved?: string,
  ): ExecutionResult | Promise<ExecutionResult> {
    const ready = typeof handler === 'function' ? handler : this.#ready.get(handler);
    if (ready !== undefined) return this.#runReady(ready, call, context);
    return this.#load(handler as CodeReference, context, approved).then((run) => this.#runReady(run, call, context));
  }

  #runReady(run: ToolFunction, call: Call, context: CallContext): ExecutionResult | Promise<ExecutionResult> {
    const fail = (error: unknown): never => {
      context.signal.throwIfAborted();
      if (ToolkitError.is(error)) throw error;
      const message = `The function of "${call.tool.name}" failed: ${excerpt(context.mask(messageOf(error)))}`;
      throw new ToolkitError('EXECUTION_FAILED', message, { tool: call.tool.name }, { cause: error });
    };
    try {
      const given: unknown = run(ownCopy(call.parameters) as never, new RunningFunction(this.#services, call, context));
      return isThenable(given) ? Promise.resolve(given).then(resultOf, fail) : resultOf(given);
    } catch (error) {
      return fail(error);
    }
  }
}

function resultOf(output: unknown): ExecutionResult {
  return output instanceof OutputWithContent ? output.result : { output };
}

function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof value === 'object' && value !== null && typeof (value as { readonly then?: unknown }).then === 'function';
}

/** A copy that a handler may change. Most calls have no members of members, and a clone in depth costs more than such a call. */
function ownCopy(parameters: Call['parameters']): Record<string, unknown> {
  const isDeep = Object.values(parameters).some((value) => typeof value === 'object' && value !== null);
  return isDeep ? structuredClone(parameters) : { ...parameters };
}
