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
import type { RunExchange } from '../shared/code/exchange.ts';
import type { LaunchProgram } from '../shared/process/program.ts';
import type { FunctionContext, ToolFunction } from './execution.ts';
import { handlerError } from './handler-error.ts';
import { maskObtainedSecret } from './mask-obtained.ts';
import { toolLogger } from './tool-logger.ts';

/** The exports that are tried, in this order, where the reference names none. */
export const defaultExports: readonly string[] = ['default', 'run'];

/** An output together with parts to show, such as an image. */
export class OutputWithContent {
  readonly output: unknown;
  readonly content: readonly ContentPart[];
  readonly structured: CutOutput | undefined;

  constructor(output: unknown, content: readonly ContentPart[], structured?: CutOutput) {
    this.output = output;
    this.content = content;
    this.structured = structured;
  }

  get result(): ExecutionResult {
    const { output, content, structured } = this;
    return { output, content, ...(structured === undefined ? {} : { structured: toJsonValue(structured) as unknown as CutOutput }) };
  }
}

/** Runs a function of a module in a worker thread or a child process, with `data` as its parameters. */
export type RunInWorker = (
  code: string,
  data: Readonly<Record<string, unknown>>,
  call: Call,
  context: CallContext,
  signal?: AbortSignal,
) => Promise<unknown>;

/** The services that all functions of one kernel share. */
export interface FunctionServices {
  readonly inThread: RunInWorker;
  readonly inChild: RunInWorker;
  readonly onClose: FunctionContext['onClose'];
  readonly exchange: RunExchange;
  /** Returns the launcher for programs of a call; undefined where none is set. */
  readonly launch: (call: Call, context: CallContext) => LaunchProgram | undefined;
}

/**
 * Runs a function in this process, and is asynchronous only where the function returns a promise. The function is asked to
 * stop through `context.signal`. A function that ignores the signal cannot be stopped.
 */
export function runFunction(
  run: ToolFunction,
  services: FunctionServices,
  call: Call,
  context: CallContext,
): ExecutionResult | Promise<ExecutionResult> {
  const fail = (error: unknown): never => {
    context.signal.throwIfAborted();
    if (ToolkitError.is(error)) throw error;
    const message = `The function of "${call.tool.name}" failed: ${excerpt(context.mask(messageOf(error)))}`;
    throw new ToolkitError('EXECUTION_FAILED', message, { tool: call.tool.name }, { cause: error });
  };
  try {
    const returned: unknown = run(copyParameters(call.parameters) as never, new LazyFunctionContext(services, call, context));
    return isThenable(returned) ? Promise.resolve(returned).then(toResult, fail) : toResult(returned);
  } catch (error) {
    return fail(error);
  }
}

function toResult(output: unknown): ExecutionResult {
  return output instanceof OutputWithContent ? output.result : { output };
}

function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof value === 'object' && value !== null && typeof (value as { readonly then?: unknown }).then === 'function';
}

/**
 * Copies the parameters, because a handler may change them. Most calls have no nested values, and a deep clone costs more than
 * such a call.
 */
function copyParameters(parameters: Call['parameters']): Record<string, unknown> {
  const isDeep = Object.values(parameters).some((value) => typeof value === 'object' && value !== null);
  return isDeep ? Object.fromEntries(Object.entries(parameters).map(([name, value]) => [name, cloneValue(value)])) : { ...parameters };
}

/** Clones a value. A streamed text is returned as it is: nothing in it can be changed. */
function cloneValue(value: unknown): unknown {
  return typeof value === 'object' && value !== null && Symbol.asyncIterator in value ? value : structuredClone(value);
}

/**
 * The `context` of a function. Each member is made on access: most functions use none, and making them all costs more than
 * such a call. Each works without its object, as in `const { progress } = context`.
 */
class LazyFunctionContext implements FunctionContext {
  readonly #services: FunctionServices;
  readonly #call: Call;
  readonly #context: CallContext;

  constructor(services: FunctionServices, call: Call, context: CallContext) {
    this.#services = services;
    this.#call = call;
    this.#context = context;
  }

  get callId(): string {
    return this.#context.callId;
  }

  get caller(): string {
    return this.#context.caller;
  }

  get traceparent(): string | undefined {
    return this.#context.span?.traceparentFor('workers');
  }

  get output(): FunctionContext['output'] {
    return this.#context.output;
  }

  get logger(): FunctionContext['logger'] {
    return toolLogger(this.#context);
  }

  get client(): FunctionContext['client'] {
    const { approve: _approve, ...client } = this.#context.client;
    return client;
  }

  get signal(): AbortSignal {
    return this.#context.signal;
  }

  get fetch(): FunctionContext['fetch'] {
    return this.#context.fetch;
  }

  get addressesOf(): FunctionContext['addressesOf'] {
    return this.#context.addressesOf;
  }

  get controlFiles(): FunctionContext['controlFiles'] {
    return this.#context.controlFiles;
  }

  get identity(): FunctionContext['identity'] {
    return this.#call.identity;
  }

  get exchange(): FunctionContext['exchange'] {
    return this.#services.exchange;
  }

  get launch(): FunctionContext['launch'] {
    return this.#services.launch(this.#call, this.#context);
  }

  get tools(): FunctionContext['tools'] {
    return this.#context.tools;
  }

  get secrets(): FunctionContext['secrets'] {
    return revealSecrets(this.#call);
  }

  get progress(): FunctionContext['progress'] {
    const context = this.#context;
    return (progress) => context.progress(typeof progress === 'string' ? { message: progress } : progress);
  }

  get maskAlso(): FunctionContext['maskAlso'] {
    const context = this.#context;
    return (name, value) => maskObtainedSecret(context, name, value);
  }

  get error(): FunctionContext['error'] {
    return handlerError;
  }

  get inThread(): FunctionContext['inThread'] {
    return (code, data) => this.#services.inThread(code, data, this.#call, this.#context);
  }

  get inChild(): FunctionContext['inChild'] {
    return (code, data, { signal } = {}) => this.#services.inChild(code, data, this.#call, this.#context, signal);
  }

  get onClose(): FunctionContext['onClose'] {
    return this.#services.onClose;
  }

  get withContent(): FunctionContext['withContent'] {
    return withContent;
  }
}

function withContent(...args: ConstructorParameters<typeof OutputWithContent>): unknown {
  return new OutputWithContent(...args);
}

export function revealSecrets(call: Call): Readonly<Record<string, string>> {
  return Object.freeze(Object.fromEntries([...call.credentials].map(([name, secret]) => [name, revealSecret(secret)])));
}
