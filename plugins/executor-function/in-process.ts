import {
  type Call,
  type CallContext,
  type ContentPart,
  type CutOutput,
  type ExecutionResult,
  excerpt,
  messageOf,
  revealSecret,
  ToolkitError,
  toJsonValue,
} from '../../kernel/index.ts';
import type { CodeReference } from '../shared/code/code-module.ts';
import { LoadedFunctions } from '../shared/code/loaded-functions.ts';
import type { FunctionContext, ToolFunction } from './execution.ts';
import { handlerError } from './handler-error.ts';
import { toolLogger } from './tool-logger.ts';

/** Marks an output that comes with parts to show. */
export class OutputWithContent {
  readonly output: unknown;
  readonly content: readonly ContentPart[];
  readonly structured: CutOutput | undefined;

  constructor(output: unknown, content: readonly ContentPart[], structured?: CutOutput) {
    this.output = output;
    this.content = content;
    this.structured = structured;
  }
}

function resultOf({ output, content, structured }: OutputWithContent): ExecutionResult {
  return { output, content, ...(structured === undefined ? {} : { structured: toJsonValue(structured) as unknown as CutOutput }) };
}

/** Runs a module in a worker thread, with data of its own. */
export type RunInThread = (code: string, data: Readonly<Record<string, unknown>>, call: Call, context: CallContext) => Promise<unknown>;

/** Handlers in this process. They are asked to stop through `context.signal`; one that does not listen cannot be stopped. */
export class InProcess {
  readonly #loaded = new LoadedFunctions<ToolFunction>(['default', 'run']);
  /** What was loaded for a reference, so that a later call need not wait for it. */
  #ready = new WeakMap<CodeReference, ToolFunction>();
  readonly #closing = new Set<() => unknown>();
  readonly #inThread: RunInThread;

  constructor(inThread: RunInThread) {
    this.#inThread = inThread;
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

  /** `approved`: the state of the file that was approved. */
  async run(handler: CodeReference | ToolFunction, call: Call, context: CallContext, approved?: string): Promise<ExecutionResult> {
    const run = typeof handler === 'function' ? handler : (this.#ready.get(handler) ?? (await this.#load(handler, context, approved)));
    try {
      const output = await run(ownCopy(call.parameters) as never, this.#contextOf(call, context));
      return output instanceof OutputWithContent ? resultOf(output) : { output };
    } catch (error) {
      context.signal.throwIfAborted();
      if (ToolkitError.is(error)) throw error;
      const message = `The function of "${call.tool.name}" failed: ${excerpt(context.mask(messageOf(error)))}`;
      throw new ToolkitError('EXECUTION_FAILED', message, { tool: call.tool.name }, { cause: error });
    }
  }

  #contextOf(call: Call, context: CallContext): FunctionContext {
    const { callId, caller } = context;
    // Getters, because most handlers ask for none of these and making them costs more than such a call.
    return {
      callId,
      caller,
      get logger() {
        return toolLogger(context);
      },
      get client() {
        return context.client;
      },
      get signal() {
        return context.signal;
      },
      get fetch() {
        return context.fetch;
      },
      get addressesOf() {
        return context.addressesOf;
      },
      get controlFiles() {
        return context.controlFiles;
      },
      get tools() {
        return context.tools;
      },
      secrets: secretsOf(call),
      progress: (progress) => context.progress(typeof progress === 'string' ? { message: progress } : progress),
      error: handlerError,
      inThread: (code, data) => this.#inThread(code, data, call, context),
      onClose: (close) => void this.#closing.add(close),
      withContent: (output, content, structured) => new OutputWithContent(output, content, structured),
    };
  }
}

/** A copy that a handler may change. Most calls have no members of members, and a clone in depth costs more than such a call. */
function ownCopy(parameters: Call['parameters']): Record<string, unknown> {
  const isDeep = Object.values(parameters).some((value) => typeof value === 'object' && value !== null);
  return isDeep ? structuredClone(parameters) : { ...parameters };
}

export function secretsOf(call: Call): Readonly<Record<string, string>> {
  return Object.freeze(Object.fromEntries([...call.credentials].map(([name, secret]) => [name, revealSecret(secret)])));
}
