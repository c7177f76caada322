import os from 'node:os';
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
import { type RunExchange, runLive } from '../shared/code/exchange.ts';
import { contentState } from '../shared/code/file-state.ts';
import { declarationOf, refuseOption, textsBeginningWithDash } from '../shared/process/program-options.ts';
import { toolLaunch } from '../shared/process/tool-launch.ts';
import { build } from '../shared/project/build.ts';
import { checkCode } from './check-code.ts';
import { checkExecution, checkFiles, FunctionExecutionSchema, type ToolFunction } from './execution.ts';
import { InProcess } from './in-process.ts';
import { pythonReads, runLaunchedPython } from './launched-python.ts';
import { pythonPool } from './python-pool.ts';
import { type FunctionServices, runFunction } from './running-function.ts';
import { ThreadPool } from './thread-pool.ts';

export type { FunctionContext, ToolFunction } from './execution.ts';

type Run = (call: Call, context: CallContext) => ExecutionResult | Promise<ExecutionResult>;

/** Runs `execution.type: function`: JavaScript and TypeScript in this process or in a worker thread, Python in a process; no two packages share one. */
export const executorFunction = definePlugin({
  name: 'executor-function',
  apiVersion,
  optionsSchema: Type.Object(
    {
      /** The Python 3 program. @default 'python3' */
      python: Type.Optional(Type.String({ minLength: 1 })),
      /**
       * Python processes at most, of all callers; one caller uses half of them at most (rounded up). Each takes one call at a time, further calls wait.
       * A package, or a provider in a folder of tools, has processes of its own; where there are as many as may be, the one that is idle longest
       * ends. @default 8
       */
      maxPythonWorkers: Type.Optional(Type.Integer({ minimum: 1 })),
      /** The same of worker threads; one more may be started ahead while calls wait. @default one for each processor, 4 to 8 */
      maxThreads: Type.Optional(Type.Integer({ minimum: 1 })),
      /** Calls that may wait for a thread, and as many for a Python process; half of them of one caller. More are refused (RATE_LIMITED). @default 1000 */
      maxWaiting: Type.Optional(Type.Integer({ minimum: 1 })),
      /** How long a call waits for a thread or a process before it is refused, in milliseconds. It does not count as time of the tool. @default 60000 */
      maxWaitMs: Type.Optional(Type.Integer({ minimum: 1 })),
      /** What `context.exchange` does, such as for tests. Python functions do not have it. @default runs what the function gives it */
      exchange: Type.Optional(Type.Unsafe<RunExchange>({})),
    },
    { additionalProperties: false },
  ),
  apply(kernel, { python = 'python3', maxPythonWorkers = 8, maxThreads = oneEach(), maxWaiting = 1000, maxWaitMs = 60_000, exchange }) {
    const functions = kernel.extend.execution('function', {
      schema: FunctionExecutionSchema,
      check: checkExecution,
      checkFiles,
      checkCode: (execution, origin) => checkCode(execution, origin, python),
      identify,
      canBePure: true,
      fingerprint: build,
      files: ({ code, identify: told }, origin) =>
        codeFiles(
          [code, told].filter((named) => named !== undefined),
          origin,
        ),
    });
    const waiting = { maxWaiting, maxWaitMs };
    const processes = pythonPool(python, {
      ...waiting,
      what: 'Python processes',
      option: 'maxPythonWorkers of executorFunction',
      places: maxPythonWorkers,
    });
    const threads = new ThreadPool(
      { ...waiting, what: 'worker threads', option: 'maxThreads of executorFunction', places: maxThreads },
      kernel.logger,
      exchange,
    );
    kernel.extend.status('python', () => processes.status);
    kernel.extend.status('threads', () => threads.status);
    const inProcess = new InProcess();
    const launcher = kernel.extend.launcher();
    const reads = pythonReads(python);
    const services: FunctionServices = {
      launch: (call, context) => toolLaunch(launcher(), functions.of(call.tool), context),
      inThread: async (code, data, call, context) => {
        const { output } = await threads.run({ code: moduleOf(code, call), call, context, parameters: data });
        return output;
      },
      onClose: (close) => inProcess.onClose(close),
      exchange: exchange ?? runLive,
    };
    // Where the code of each tool was found; a reload makes new tools.
    const codes = new WeakMap<Tool, CodeReference>();
    const codeOf = (call: Call): CodeReference => {
      const code = codes.get(call.tool) ?? moduleOf(functions.of(call.tool).code ?? '', call);
      codes.set(call.tool, code);
      return code;
    };
    // How the calls of each tool run, found out by the first: a reload makes new tools.
    const runs = new WeakMap<Tool, Run>();
    const ofLoaded =
      (loaded: ToolFunction): Run =>
      (call, context) =>
        runFunction(loaded, services, call, context);
    const load: Run = async (call, context) => {
      const run = ofLoaded(await inProcess.load(codeOf(call), context, call.identity?.code?.state));
      runs.set(call.tool, run);
      return run(call, context);
    };
    const firstRunOf = (first: Call): Run => {
      const { handler, worker } = functions.of(first.tool);
      if (handler !== undefined) return ofLoaded(handler);
      const code = codeOf(first);
      if (code.file.endsWith('.py'))
        return (call, context) => {
          const launch = toolLaunch(launcher(), functions.of(call.tool), context, [code.file, ...reads]);
          const job = { code, call, context };
          return launch === undefined ? processes.run(job) : runLaunchedPython(processes, python, launch, job);
        };
      return worker === true ? (call, context) => threads.run({ code, call, context }) : load;
    };
    const runOf = (call: Call): Run => {
      const run = runs.get(call.tool) ?? firstRunOf(call);
      runs.set(call.tool, run);
      return run;
    };
    async function identify(call: Call, context: CallContext): Promise<CallIdentity> {
      const { handler, worker, identify: reference } = functions.of(call.tool);
      const tells = reference === undefined ? undefined : ofLoaded(await inProcess.load(moduleOf(reference, call), context));
      const reached = tells === undefined ? {} : toldIdentity((await tells(call, context)).output, call.tool);
      if (handler !== undefined) return reached;
      const { file } = codeOf(call);
      // Threads and processes compare for themselves with what they have loaded.
      const isElsewhere = worker === true || file.endsWith('.py');
      return { ...reached, code: { shown: file, state: await (isElsewhere ? contentState(file) : inProcess.stateOf(file)) } };
    }
    kernel.extend.parameterKey('options');
    const appliesTo = (tool: Tool): boolean => tool.execution.type === 'function' && withoutOptions(tool).length > 0;
    kernel.hooks.beforeExecute.tapPromise({ name: 'executor-function', appliesTo }, async ({ tool, parameters }) => {
      for (const name of withoutOptions(tool))
        for (const { text, place } of textsBeginningWithDash(parameters[name], name)) refuseOption(text, place, tool, 'a program');
      return undefined;
    });
    kernel.hooks.execute.for('function').tapPromise('executor-function', (call, context) => {
      const result = runOf(call)(call, context);
      return result instanceof Promise ? result.then((given) => checked(call, given)) : checked(call, result);
    });
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

/** The parameters whose texts must not be options of a program that the function starts. */
function withoutOptions(tool: Tool): readonly string[] {
  return Object.keys(tool.parameters).filter((name) => declarationOf(tool, name)['options'] === false);
}

/** More threads than processors only take memory and time from each other; with fewer than four, one caller could use one alone. */
function oneEach(): number {
  return Math.min(8, Math.max(4, os.availableParallelism()));
}

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
