import { type Call, type CallContext, type ContentPart, revealSecret } from '../../kernel/index.ts';
import type { FunctionContext } from './execution.ts';
import { handlerError } from './handler-error.ts';
import { toolLogger } from './tool-logger.ts';

/** Marks an output that comes with parts to show. */
export class OutputWithContent {
  readonly output: unknown;
  readonly content: readonly ContentPart[];

  constructor(output: unknown, content: readonly ContentPart[]) {
    this.output = output;
    this.content = content;
  }
}

/** Runs a module in a worker thread, with data of its own. */
export type RunInThread = (code: string, data: Readonly<Record<string, unknown>>, call: Call, context: CallContext) => Promise<unknown>;

/** What functions of one kernel share. */
export interface FunctionServices {
  readonly inThread: RunInThread;
  readonly onClose: FunctionContext['onClose'];
}

/**
 * What a function gets. Its members are made when they are asked for: most functions ask for none, and making them all costs more than such a
 * call. Each works by itself, taken out of the object.
 */
export class RunningFunction implements FunctionContext {
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

  get logger(): FunctionContext['logger'] {
    return toolLogger(this.#context);
  }

  get client(): FunctionContext['client'] {
    return this.#context.client;
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

  get tools(): FunctionContext['tools'] {
    return this.#context.tools;
  }

  get secrets(): FunctionContext['secrets'] {
    return secretsOf(this.#call);
  }

  get progress(): FunctionContext['progress'] {
    const context = this.#context;
    return (progress) => context.progress(typeof progress === 'string' ? { message: progress } : progress);
  }

  get error(): FunctionContext['error'] {
    return handlerError;
  }

  get inThread(): FunctionContext['inThread'] {
    return (code, data) => this.#services.inThread(code, data, this.#call, this.#context);
  }

  get onClose(): FunctionContext['onClose'] {
    return this.#services.onClose;
  }

  get withContent(): FunctionContext['withContent'] {
    return withContent;
  }
}

function withContent(output: unknown, content: readonly ContentPart[]): unknown {
  return new OutputWithContent(output, content);
}

export function secretsOf(call: Call): Readonly<Record<string, string>> {
  return Object.freeze(Object.fromEntries([...call.credentials].map(([name, secret]) => [name, revealSecret(secret)])));
}
