import Type from 'typebox';
import { apiVersion, type Call, type CallContext, definePlugin, type ExecutionResult, ToolkitError } from '../../kernel/index.ts';
import { resolveCode } from '../shared/code-module.ts';
import { checkExecution, type FunctionExecution, FunctionExecutionSchema } from './execution.ts';
import { runInProcess } from './in-process.ts';
import type { PythonPool } from './python-workers.ts';
import { ThreadPool } from './worker-threads.ts';

export type { FunctionContext, ToolFunction } from './execution.ts';

/** Runs `execution.type: function`: JavaScript and TypeScript in this process or in a worker thread, Python in a pooled process. */
export const executorFunction = definePlugin({
  name: 'executor-function',
  apiVersion,
  optionsSchema: Type.Object(
    {
      /** The Python 3 program. @default 'python3' */
      python: Type.Optional(Type.String({ minLength: 1 })),
      /** Python processes at most; each takes one call at a time, further calls wait. @default 4 */
      maxPythonWorkers: Type.Optional(Type.Integer({ minimum: 1 })),
      /** Worker threads at most. @default 4 */
      maxThreads: Type.Optional(Type.Integer({ minimum: 1 })),
    },
    { additionalProperties: false },
  ),
  apply(kernel, { python = 'python3', maxPythonWorkers = 4, maxThreads = 4 }) {
    let opened: Promise<PythonPool> | undefined;
    const pythonPool = (): Promise<PythonPool> => {
      opened ??= import('./python-workers.ts').then((module) => new module.PythonPool(python, maxPythonWorkers));
      return opened;
    };
    const threads = new ThreadPool(maxThreads);
    kernel.extend.execution('function', { schema: FunctionExecutionSchema, check: checkExecution });
    kernel.hooks.execute.for('function').tapPromise('executor-function', (call, context) => execute(call, context, pythonPool, threads));
    kernel.hooks.dispose.tapPromise('executor-function', async () => {
      await Promise.all([opened?.then((pool) => pool.close()), threads.close()]);
    });
  },
});

async function execute(call: Call, context: CallContext, python: () => Promise<PythonPool>, threads: ThreadPool): Promise<ExecutionResult> {
  const { code = '', handler, worker = false } = call.tool.execution as unknown as FunctionExecution;
  if (handler !== undefined) return checked(call, await runInProcess(handler, call, context));
  const reference = resolveCode(code, call.tool.origin.directory ?? '.');
  if (reference === undefined)
    throw new ToolkitError('TOOL_INVALID', `The module "${code}" of tool "${call.tool.name}" is gone. Restore it, then try again.`, {
      tool: call.tool.name,
    });
  if (reference.file.endsWith('.py')) return checked(call, await (await python()).run(reference, call, context));
  return checked(call, worker ? await threads.run(reference, call, context) : await runInProcess(reference, call, context));
}

function checked(call: Call, result: ExecutionResult): ExecutionResult {
  if (result.output !== undefined) return result;
  throw new ToolkitError(
    'OUTPUT_INVALID',
    `The function of "${call.tool.name}" returned nothing: expected a JSON value. Return null when there is nothing to say.`,
    { tool: call.tool.name },
  );
}
