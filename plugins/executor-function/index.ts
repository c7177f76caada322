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
import { parseDeclaredIdentity } from '../shared/approval/declared-identity.ts';
import { type CodeReference, codeFiles, resolveCode } from '../shared/code/code-module.ts';
import { type RunExchange, runLive } from '../shared/code/exchange.ts';
import { contentState } from '../shared/code/file-state.ts';
import { CodeLedger } from '../shared/pinned-code/code-ledger.ts';
import { LinkedCode } from '../shared/pinned-code/linked-code.ts';
import { findModuleCode } from '../shared/pinned-code/pinned-code.ts';
import { declarationOf, refuseOption, textsBeginningWithDash } from '../shared/process/program-options.ts';
import { toolLaunch } from '../shared/process/tool-launch.ts';
import { build } from '../shared/project/build.ts';
import { checkCode } from './check-code.ts';
import { functionChecks } from './checks.ts';
import { ProcessPool } from './children/process-pool.ts';
import { checkExecution, checkFiles, FunctionExecutionSchema, type ToolFunction } from './execution.ts';
import { addGauges } from './gauges.ts';
import { InProcessFunctions } from './in-process.ts';
import { pythonReads, runLaunchedPython } from './launched-python.ts';
import { newPythonPool } from './python-pool.ts';
import { type FunctionServices, runFunction } from './run-function.ts';
import { ThreadPool } from './thread-pool.ts';

export type { FunctionContext, ToolFunction } from './execution.ts';

type Run = (call: Call, context: CallContext) => ExecutionResult | Promise<ExecutionResult>;

/**
 * Runs `execution.type: function`: JavaScript and TypeScript in this process, in a worker thread or in a child process, Python
 * in a process. No two packages share a thread, a child process or a Python process.
 */
export const executorFunction = definePlugin({
  name: 'executor-function',
  apiVersion,
  optionsSchema: Type.Object(
    {
      /** The Python 3 program. @default 'python3' */
      python: Type.Optional(Type.String({ minLength: 1 })),
      /**
       * Limit of Python processes for all callers. One caller uses at most half of them (rounded up). A process runs one call at a
       * time; further calls wait. Each package, or provider in a tool folder, has processes of its own. At the limit, the process
       * that is idle longest ends. @default 8
       */
      maxPythonWorkers: Type.Optional(Type.Integer({ minimum: 1 })),
      /**
       * Limit of worker threads, shared out in the same way. One more may be started in advance while calls wait.
       * @default one for each processor, 4 to 8
       */
      maxThreads: Type.Optional(Type.Integer({ minimum: 1 })),
      /**
       * Limit of child processes (`worker: process`), shared out in the same way. One serves the code of one package or provider and
       * the calls of one caller. It ends after 60 seconds without a call, and may use 512 MB of JavaScript heap and 150 MB beside
       * it. @default one for each processor, 4 to 8
       */
      maxProcesses: Type.Optional(Type.Integer({ minimum: 1 })),
      /**
       * Limit of calls that wait for a thread; the same for child processes and for Python processes. One caller may have half of
       * it. Further calls are refused (RATE_LIMITED). @default 1000
       */
      maxQueued: Type.Optional(Type.Integer({ minimum: 1, mistaken_names: ['maxWaiting'] })),
      /**
       * Longest wait for a thread or a process before a call is refused, in milliseconds. It does not count as time of the tool.
       * @default 60000
       */
      maxWaitMs: Type.Optional(Type.Integer({ minimum: 1 })),
      /**
       * The implementation of `context.exchange`, such as one for tests. Python functions have no `exchange`.
       * @default runs the given `live`
       */
      exchange: Type.Optional(Type.Unsafe<RunExchange>({})),
    },
    { additionalProperties: false },
  ),
  checks: functionChecks,
  apply(kernel, options) {
    const { python = 'python3', maxPythonWorkers = 8, maxThreads = defaultWorkers(), maxProcesses = defaultWorkers() } = options;
    const { maxQueued = 1000, maxWaitMs = 60_000, exchange } = options;
    const functions = kernel.extend.execution('function', {
      schema: FunctionExecutionSchema,
      check: checkExecution,
      checkFiles,
      checkCode: (execution, origin) => checkCode(execution, origin, python),
      identify,
      canBePure: true,
      canStream: ({ code, worker }) => (worker === undefined || worker === false) && !isPython(code),
      // JavaScript takes exact integers only where a parameter says `format: int64`.
      exactIntegers: ({ code }) => ({ takes: isPython(code), gives: isPython(code) }),
      fingerprint: build,
      files: ({ code, identify: identifyReference }, origin) =>
        codeFiles(
          [code, identifyReference].filter((named) => named !== undefined),
          origin,
        ),
      pinned: ({ code, identify: identifyReference }, origin, reads) =>
        findModuleCode(
          [code, identifyReference].filter((named) => named !== undefined),
          origin,
          reads,
        ),
    });
    const linkedCode = new LinkedCode(new CodeLedger(kernel.cwd));
    const beforeRun = ({ call }: { readonly call: Call }): void => linkedCode.refuseChanged(call);
    const poolOptions = { maxQueued, maxWaitMs, beforeRun };
    const pythonWorkers = newPythonPool(python, {
      ...poolOptions,
      resource: 'Python processes',
      optionName: 'maxPythonWorkers of executorFunction',
      slots: maxPythonWorkers,
    });
    const threadPool = new ThreadPool(
      { ...poolOptions, resource: 'worker threads', optionName: 'maxThreads of executorFunction', slots: maxThreads },
      kernel.logger,
      exchange,
    );
    const processPool = new ProcessPool({
      ...poolOptions,
      resource: 'child processes',
      optionName: 'maxProcesses of executorFunction',
      slots: maxProcesses,
      logger: kernel.logger,
      fallback: (job) => threadPool.run(job),
    });
    kernel.extend.status('python', () => pythonWorkers.status);
    kernel.extend.status('threads', () => threadPool.status);
    kernel.extend.status('processes', () => processPool.status);
    addGauges(kernel, { thread: () => threadPool.status, process: () => processPool.status, python: () => pythonWorkers.status });
    const inProcess = new InProcessFunctions();
    const launcher = kernel.extend.launcher();
    const reads = pythonReads(python);
    const services: FunctionServices = {
      launch: (call, context) => toolLaunch(launcher(), functions.of(call.tool), context),
      inThread: async (code, data, call, context) => {
        const { output } = await threadPool.run({ code: resolveModule(code, call), call, context, parameters: data });
        return output;
      },
      inChild: async (code, data, call, context, signal = context.signal) => {
        const { output } = await processPool.run({
          code: resolveModule(code, call),
          call,
          context,
          parameters: data,
          signal,
          isNative: functions.of(call.tool).native,
        });
        return output;
      },
      onClose: (close) => inProcess.onClose(close),
      exchange: exchange ?? runLive,
    };
    // The code reference of each tool. A reload makes new Tool objects.
    const codes = new WeakMap<Tool, CodeReference>();
    const codeOf = (call: Call): CodeReference => {
      const code = codes.get(call.tool) ?? resolveModule(functions.of(call.tool).code ?? '', call);
      codes.set(call.tool, code);
      return code;
    };
    // The way to run calls of each tool, decided by its first call. A reload makes new Tool objects.
    const runs = new WeakMap<Tool, Run>();
    const runLoaded =
      (loaded: ToolFunction): Run =>
      (call, context) =>
        runFunction(loaded, services, call, context);
    // The loaded file of each tool. It runs as it was loaded, even if the file has changed since. Its imports may still be loaded later.
    const loadedFiles = new WeakMap<Tool, string>();
    const load: Run = async (call, context) => {
      const code = codeOf(call);
      const run = runLoaded(await linkedCode.whileUnchanged(call, () => inProcess.load(code, context, call.identity?.code?.state)));
      runs.set(call.tool, run);
      loadedFiles.set(call.tool, code.file);
      return run(call, context);
    };
    const chooseRun = (first: Call): Run => {
      const { handler, worker, native: isNative } = functions.of(first.tool);
      if (handler !== undefined) return runLoaded(handler);
      const code = codeOf(first);
      if (code.file.endsWith('.py'))
        return (call, context) => {
          const launch = toolLaunch(launcher(), functions.of(call.tool), context, [code.file, ...reads]);
          const job = { code, call, context };
          return launch === undefined ? pythonWorkers.run(job) : runLaunchedPython(pythonWorkers, python, launch, job);
        };
      if (worker === 'process') return (call, context) => processPool.run({ code, call, context, isNative });
      return worker === true ? (call, context) => threadPool.run({ code, call, context }) : load;
    };
    const runFor = (call: Call): Run => {
      const run = runs.get(call.tool) ?? chooseRun(call);
      runs.set(call.tool, run);
      return run;
    };
    async function identify(call: Call, context: CallContext): Promise<CallIdentity> {
      const { handler, worker, identify: reference } = functions.of(call.tool);
      // Approving a call must not approve code that no person has seen.
      linkedCode.refuseChanged(call, loadedFiles.get(call.tool));
      const runIdentify = reference === undefined ? undefined : runLoaded(await inProcess.load(resolveModule(reference, call), context));
      const identity = runIdentify === undefined ? {} : parseDeclaredIdentity((await runIdentify(call, context)).output, call.tool);
      if (handler !== undefined) return identity;
      const { file } = codeOf(call);
      // Threads and processes compare the state with the code that they loaded themselves.
      const isElsewhere = (worker !== undefined && worker !== false) || file.endsWith('.py');
      return { ...identity, code: { shown: file, state: await (isElsewhere ? contentState(file) : inProcess.stateOf(file)) } };
    }
    kernel.extend.parameterKey('options');
    const appliesTo = (tool: Tool): boolean => tool.execution.type === 'function' && parametersWithoutOptions(tool).length > 0;
    kernel.hooks.beforeExecute.tapPromise({ name: 'executor-function:options', appliesTo }, async ({ tool, parameters }) => {
      for (const name of parametersWithoutOptions(tool))
        for (const { text, path: place } of textsBeginningWithDash(parameters[name], name)) refuseOption(text, place, tool, 'a program');
      return undefined;
    });
    kernel.hooks.execute.for('function').tapPromise('executor-function', (call, context) => {
      if (call.tool.code !== undefined) linkedCode.refuseChanged(call, loadedFiles.get(call.tool));
      const result = runFor(call)(call, context);
      return result instanceof Promise ? result.then((given) => requireOutput(call, given)) : requireOutput(call, result);
    });
    kernel.hooks.discover.tapPromise('executor-function', async ({ isCodeStale }) => {
      if (!isCodeStale) return;
      inProcess.forget();
      await Promise.all([pythonWorkers.forget(), threadPool.forget(), processPool.forget()]);
    });
    kernel.hooks.dispose.tapPromise('executor-function', async () => {
      await Promise.all([pythonWorkers.close(), threadPool.close(), processPool.close(), inProcess.close()]);
    });
  },
});

/** True when the reference names a Python function. */
function isPython(code = ''): boolean {
  return /\.py(#|$)/.test(code);
}

/** Returns the parameters with `options: false`: their texts must not be options of a program that the function starts. */
function parametersWithoutOptions(tool: Tool): readonly string[] {
  return Object.keys(tool.parameters).filter((name) => declarationOf(tool, name)['options'] === false);
}

/**
 * Returns the default of `maxThreads` and `maxProcesses`. More threads than processors only take memory and time from each
 * other. With fewer than four, the half of one caller could be a single thread.
 */
function defaultWorkers(): number {
  return Math.min(8, Math.max(4, os.availableParallelism()));
}

function resolveModule(code: string, { tool }: Call): CodeReference {
  const found = resolveCode(code, tool.origin.directory ?? '.');
  if (found !== undefined) return found;
  throw new ToolkitError('TOOL_INVALID', `The module "${code}" of tool "${tool.name}" is gone. Restore it, then try again.`, {
    tool: tool.name,
  });
}

function requireOutput(call: Call, result: ExecutionResult): ExecutionResult {
  if (result.output !== undefined) return result;
  throw new ToolkitError(
    'OUTPUT_INVALID',
    `The function of "${call.tool.name}" returned nothing: expected a JSON value. Return null when there is nothing to say.`,
    { tool: call.tool.name },
  );
}
