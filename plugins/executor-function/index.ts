import Type from 'typebox';
import {
  apiVersion,
  type Call,
  type CallContext,
  type CallIdentity,
  definePlugin,
  type ExecutionResult,
  type Tool,
  ToolkitError,
} from '../../kernel/index.ts';
import { toldIdentity } from '../shared/approval/told-identity.ts';
import { type CodeReference, codeFiles, resolveCode } from '../shared/code/code-module.ts';
import { contentState } from '../shared/code/file-state.ts';
import { checkExecution, FunctionExecutionSchema } from './execution.ts';
import { InProcess } from './in-process.ts';
import { PythonPool } from './python-workers.ts';
import { ThreadPools } from './worker-threads.ts';

export type { FunctionContext, ToolFunction } from './execution.ts';

/** Runs `execution.type: function`: JavaScript and TypeScript in this process or in a worker thread, Python in a process; no two packages share one. */
export const executorFunction = definePlugin({
  name: 'executor-function',
  apiVersion,
  optionsSchema: Type.Object(
    {
      /** The Python 3 program. @default 'python3' */
      python: Type.Optional(Type.String({ minLength: 1 })),
      /**
       * Python processes at most; each takes one call at a time, further calls wait. A package, or a provider in a folder of tools, has processes of
       * its own; where there are as many as may be, the one that is idle longest ends. @default 8
       */
      maxPythonWorkers: Type.Optional(Type.Integer({ minimum: 1 })),
      /** Worker threads at most, of each package, and of each provider in a folder of tools. @default 4 */
      maxThreads: Type.Optional(Type.Integer({ minimum: 1 })),
    },
    { additionalProperties: false },
  ),
  apply(kernel, { python = 'python3', maxPythonWorkers = 8, maxThreads = 4 }) {
    const functions = kernel.extend.execution('function', {
      schema: FunctionExecutionSchema,
      check: checkExecution,
      identify,
      files: ({ code, identify: told }, origin) =>
        codeFiles(
          [code, told].filter((named) => named !== undefined),
          origin,
        ),
    });
    const processes = new PythonPool(python, maxPythonWorkers);
    const threads = new ThreadPools(maxThreads, kernel.logger);
    const inProcess = new InProcess(async (code, data, call, context) => {
      const { output } = await threads.run(moduleOf(code, call), call, context, data);
      return output;
    });
    // Where the code of each tool was found; a reload makes new tools.
    const codes = new WeakMap<Tool, CodeReference>();
    const codeOf = (call: Call): CodeReference => {
      const code = codes.get(call.tool) ?? moduleOf(functions.of(call.tool).code ?? '', call);
      codes.set(call.tool, code);
      return code;
    };
    const run = (call: Call, context: CallContext): Promise<ExecutionResult> => {
      const { handler, worker } = functions.of(call.tool);
      if (handler !== undefined) return inProcess.run(handler, call, context);
      const code = codeOf(call);
      if (code.file.endsWith('.py')) return processes.run(code, call, context);
      return worker === true ? threads.run(code, call, context) : inProcess.run(code, call, context, call.identity?.code?.state);
    };
    async function identify(call: Call, context: CallContext): Promise<CallIdentity> {
      const { handler, worker, identify: reference } = functions.of(call.tool);
      const told = reference === undefined ? undefined : await inProcess.run(moduleOf(reference, call), call, context);
      const reached = told === undefined ? {} : toldIdentity(told.output, call.tool);
      if (handler !== undefined) return reached;
      const { file } = codeOf(call);
      // Threads and processes compare for themselves with what they have loaded.
      const isElsewhere = worker === true || file.endsWith('.py');
      return { ...reached, code: { shown: file, state: await (isElsewhere ? contentState(file) : inProcess.stateOf(file)) } };
    }
    kernel.hooks.execute.for('function').tapPromise('executor-function', async (call, context) => checked(call, await run(call, context)));
    kernel.hooks.discover.tapPromise('executor-function', async ({ isCodeStale }) => {
      if (!isCodeStale) return;
      inProcess.forget();
      await Promise.all([processes.forget(), threads.forget()]);
    });
    kernel.hooks.dispose.tapPromise('executor-function', async () => {
      await Promise.all([processes.close(), threads.close(), inProcess.close()]);
    });
  },
});

function moduleOf(code: string, { tool }: Call): CodeReference {
  const found = resolveCode(code, tool.origin.directory ?? '.');
  if (found !== undefined) return found;
  throw new ToolkitError('TOOL_INVALID', `The module "${code}" of tool "${tool.name}" is gone. Restore it, then try again.`, {
    tool: tool.name,
  });
}

function checked(call: Call, result: ExecutionResult): ExecutionResult {
  if (result.output !== undefined) return result;
  throw new ToolkitError(
    'OUTPUT_INVALID',
    `The function of "${call.tool.name}" returned nothing: expected a JSON value. Return null when there is nothing to say.`,
    { tool: call.tool.name },
  );
}
