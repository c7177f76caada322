import { type Call, type CallContext, type ContentPart, type ExecutionResult, revealSecret } from '../../kernel/index.ts';
import { type CodeReference, importFunction } from '../shared/code-module.ts';
import type { FunctionContext, ToolFunction } from './execution.ts';

/** Marks an output that comes with parts to show. */
class OutputWithContent {
  readonly output: unknown;
  readonly content: readonly ContentPart[];

  constructor(output: unknown, content: readonly ContentPart[]) {
    this.output = output;
    this.content = content;
  }
}

/** Runs a handler in this process. It is asked to stop through `context.signal`; one that does not listen cannot be stopped. */
export async function runInProcess(handler: CodeReference | ToolFunction, call: Call, context: CallContext): Promise<ExecutionResult> {
  const run = typeof handler === 'function' ? handler : await importFunction<ToolFunction>(handler, ['default', 'run']);
  const output = await run(structuredClone(call.parameters) as never, functionContext(call, context));
  return output instanceof OutputWithContent ? { output: output.output, content: output.content } : { output };
}

function functionContext(call: Call, context: CallContext): FunctionContext {
  const { callId, caller, signal, logger, fetch, tools } = context;
  return {
    callId,
    caller,
    signal,
    logger,
    fetch,
    tools,
    secrets: secretsOf(call),
    progress: (progress) => context.progress(typeof progress === 'string' ? { progress: 0, message: progress } : progress),
    withContent: (output, content) => new OutputWithContent(output, content),
  };
}

export function secretsOf(call: Call): Readonly<Record<string, string>> {
  return Object.freeze(Object.fromEntries([...call.credentials].map(([name, secret]) => [name, revealSecret(secret)])));
}
