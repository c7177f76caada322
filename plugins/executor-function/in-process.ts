import {
  type Call,
  type CallContext,
  type ContentPart,
  type ExecutionResult,
  excerpt,
  messageOf,
  revealSecret,
  ToolkitError,
} from '../../kernel/index.ts';
import { type CodeReference, importFunction } from '../shared/code-module.ts';
import type { FunctionContext, ToolFunction } from './execution.ts';
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

/** Handlers in this process. They are asked to stop through `context.signal`; one that does not listen cannot be stopped. */
export class InProcess {
  /** By file and export. A module is imported once; its function is kept, because importing costs time even then. */
  readonly #loaded = new Map<string, Promise<ToolFunction>>();

  async run(handler: CodeReference | ToolFunction, call: Call, context: CallContext): Promise<ExecutionResult> {
    const run = typeof handler === 'function' ? handler : await this.#load(handler);
    try {
      const output = await run(structuredClone(call.parameters) as never, functionContext(call, context));
      return output instanceof OutputWithContent ? { output: output.output, content: output.content } : { output };
    } catch (error) {
      context.signal.throwIfAborted();
      if (ToolkitError.is(error)) throw error;
      const message = `The function of "${call.tool.name}" failed: ${excerpt(context.mask(messageOf(error)))}`;
      throw new ToolkitError('EXECUTION_FAILED', message, { tool: call.tool.name }, { cause: error });
    }
  }

  #load(code: CodeReference): Promise<ToolFunction> {
    const key = `${code.file}#${code.exportName ?? ''}`;
    const known = this.#loaded.get(key);
    if (known !== undefined) return known;
    const loading = importFunction<ToolFunction>(code, ['default', 'run']);
    this.#loaded.set(key, loading);
    loading.catch(() => this.#loaded.delete(key));
    return loading;
  }
}

function functionContext(call: Call, context: CallContext): FunctionContext {
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
    get tools() {
      return context.tools;
    },
    secrets: secretsOf(call),
    progress: (progress) => context.progress(typeof progress === 'string' ? { message: progress } : progress),
    withContent: (output, content) => new OutputWithContent(output, content),
  };
}

export function secretsOf(call: Call): Readonly<Record<string, string>> {
  return Object.freeze(Object.fromEntries([...call.credentials].map(([name, secret]) => [name, revealSecret(secret)])));
}
