/** The entry of a worker thread: one task in, one answer out, with progress and log lines through the port meanwhile. */
import { AsyncLocalStorage } from 'node:async_hooks';
import { BroadcastChannel, parentPort } from 'node:worker_threads';
import { excerpt, messageOf, Redactor, ToolkitError } from '../../kernel/index.ts';
import { runLive } from '../shared/code/exchange.ts';
import { LoadedFunctions } from '../shared/code/loaded-functions.ts';
import { divertDescriptor } from '../shared/process/divert-descriptor.ts';
import { lowerPriority, threadId } from '../shared/process/lower-priority.ts';
import { writeWarningsByStream } from '../shared/process/warnings-by-stream.ts';
import type { FunctionContext, ToolFunction } from './execution.ts';
import type { LateError } from './late-errors.ts';
import { defaultExports } from './run-function.ts';
import { exchangeThroughPort } from './thread-exchange.ts';
import type { WorkerAnswer } from './worker-answer.ts';
import { makeWorkerContext, refuseToExit, setUncaughtListener, toAnswer, toErrorAnswer } from './worker-context.ts';
import type { ThreadNote, ThreadRequest, ThreadState, ThreadTask } from './worker-thread.ts';

// Descriptor 1 belongs to the process, which may speak a protocol on it. Printed text reaches the process in another way.
divertDescriptor();
writeWarningsByStream();

/** The task of the running code: an error that an earlier call left behind must not count as one of the next call. */
const taskStorage = new AsyncLocalStorage<ThreadTask>();

/** Secrets that functions obtained themselves, by task. */
const obtainedSecrets = new WeakMap<ThreadTask, readonly (readonly [name: string, value: string])[]>();

/** The functions that this thread has loaded. A reload of code ends the thread. */
const functions = new LoadedFunctions<ToolFunction>(defaultExports);

let hasLowPriority = false;

process.exit = refuseToExit;
parentPort?.on('message', (request: ThreadRequest) => void (request.type === 'run' ? runTask(request.task) : end()));

function postState(state: ThreadState): void {
  parentPort?.postMessage(state);
}

/** Node's names of file operations that are under way. */
const fileOperations = new Set(['CloseReq', 'FSReqCallback', 'FSReqPromise']);

/** Ends the thread once no file is being opened: a file that is half open at the end would stay open in the process. */
function end(hasReported = false): void {
  if (process.getActiveResourcesInfo().some((name) => fileOperations.has(name))) {
    if (!hasReported) postState('reading');
    setImmediate(end, true);
    return;
  }
  postState('quiet');
  // Blocks this thread, so that it opens nothing more. The process ends it now.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
}

postState('ready');

async function runTask(task: ThreadTask): Promise<void> {
  const uncaught = new Promise<never>((_, reject) =>
    setUncaughtListener((error) => {
      const owner = taskStorage.getStore() ?? task;
      if (owner === task) reject(error);
      else reportLateError(owner, error);
    }),
  );
  const answer = await Promise.race([taskStorage.run(task, () => executeTask(task)), uncaught]).catch(toErrorAnswer);
  setUncaughtListener((error) => reportLateError(taskStorage.getStore() ?? task, error));
  task.port.postMessage(answer);
  task.port.close();
}

async function executeTask(task: ThreadTask): Promise<WorkerAnswer> {
  let isAborted = false;
  task.port.on('message', (message: unknown) => {
    if (message === 'aborted') isAborted = true;
  });
  const run = await functions.load(task.code, task.approved, task.linked);
  // The caller waits no longer. A function that has begun runs until the process ends the thread.
  if (isAborted) throw new ToolkitError('ABORTED', 'The call was aborted before its function began.');
  lowerPriorityOnce();
  task.port.postMessage({ type: 'begins' } satisfies ThreadNote);
  return toAnswer(await run(task.parameters as never, makeContext(task)), task.countedFor);
}

/** Lowers the priority of the thread, once. It cannot be raised again, so code that the thread loads later is loaded at low priority. */
function lowerPriorityOnce(): void {
  if (!hasLowPriority) lowerPriority(threadId());
  hasLowPriority = true;
}

/** Reports a failure of code that a call left running. */
function reportLateError(task: ThreadTask, error: unknown): void {
  const { code, lateErrorChannel, secrets } = task;
  const channel = new BroadcastChannel(lateErrorChannel);
  // The call is over, and the masks of its kernel with it.
  const redactor = new Redactor();
  for (const [name, value] of [...Object.entries(secrets), ...(obtainedSecrets.get(task) ?? [])]) redactor.maskAlso(name, value);
  channel.postMessage({ file: code.file, error: excerpt(redactor.text(messageOf(error))) } satisfies LateError);
  channel.close();
}

function makeContext(task: ThreadTask): FunctionContext {
  const { port, hasExchange, ...rest } = task;
  return makeWorkerContext({
    ...rest,
    runsIn: { name: 'worker thread', key: 'worker: true' },
    exchange: hasExchange ? exchangeThroughPort(port) : runLive,
    note: (message) => {
      if (message.type === 'mask') obtainedSecrets.set(task, [...(obtainedSecrets.get(task) ?? []), [message.name, message.value]]);
      port.postMessage(message);
    },
  });
}
