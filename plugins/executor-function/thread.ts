/** The entry of a worker thread: one task in, one answer out; progress and log lines through the port meanwhile. */
import { AsyncLocalStorage } from 'node:async_hooks';
import { BroadcastChannel, parentPort } from 'node:worker_threads';
import { excerpt, messageOf, Redactor, ToolkitError } from '../../kernel/index.ts';
import { runLive } from '../shared/code/exchange.ts';
import { LoadedFunctions } from '../shared/code/loaded-functions.ts';
import { divertDescriptor } from '../shared/process/divert-descriptor.ts';
import { lowerPriority, threadId } from '../shared/process/lower-priority.ts';
import { writeWarningsByStream } from '../shared/process/warnings-by-stream.ts';
import type { FunctionContext, ToolFunction } from './execution.ts';
import { functionNames } from './running-function.ts';
import type { Stray } from './strays.ts';
import { exchangesThrough } from './thread-exchange.ts';
import type { WorkerAnswer } from './worker-answer.ts';
import { answerOf, failure, onUncaught, refuseToExit, workerContext } from './worker-context.ts';
import type { ThreadNote, ThreadRequest, ThreadState, ThreadTask } from './worker-thread.ts';

// Descriptor 1 belongs to the process, which may speak a protocol there; what is printed comes to it in another way.
divertDescriptor();
writeWarningsByStream();

/** Whose work it is that runs: what a call has left behind must not count as that of the next one. */
const owners = new AsyncLocalStorage<ThreadTask>();

/** Secrets that functions have obtained themselves, by their task. */
const obtained = new WeakMap<ThreadTask, readonly (readonly [name: string, value: string])[]>();

/** What this thread has loaded; it ends when code is to be loaded anew. */
const loaded = new LoadedFunctions<ToolFunction>(functionNames);

let givesWay = false;

process.exit = refuseToExit;
parentPort?.on('message', (request: ThreadRequest) => void (request.type === 'run' ? runTask(request.task) : end()));

function tell(state: ThreadState): void {
  parentPort?.postMessage(state);
}

/** Work on files that is under way, as Node names it. */
const opensFiles = new Set(['CloseReq', 'FSReqCallback', 'FSReqPromise']);

/** A file that is being opened while the thread is ended stays open in the process. */
function end(saidSo = false): void {
  if (process.getActiveResourcesInfo().some((name) => opensFiles.has(name))) {
    if (!saidSo) tell('reading');
    setImmediate(end, true);
    return;
  }
  tell('quiet');
  // Nothing more is opened from here on: the process ends the thread now.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
}

tell('ready');

async function runTask(task: ThreadTask): Promise<void> {
  const stray = new Promise<never>((_, reject) =>
    onUncaught((error) => {
      const owner = owners.getStore() ?? task;
      if (owner === task) reject(error);
      else reportStray(owner, error);
    }),
  );
  const answer = await Promise.race([owners.run(task, () => answerTo(task)), stray]).catch(failure);
  onUncaught((error) => reportStray(owners.getStore() ?? task, error));
  task.port.postMessage(answer);
  task.port.close();
}

async function answerTo(task: ThreadTask): Promise<WorkerAnswer> {
  let isAborted = false;
  task.port.on('message', (message: unknown) => {
    if (message === 'aborted') isAborted = true;
  });
  const run = await loaded.load(task.code, task.approved, task.linked);
  // Nobody waits for it any more. A function that has begun goes on until the process ends the thread.
  if (isAborted) throw new ToolkitError('ABORTED', 'The call was aborted before its function began.');
  giveWayOnce();
  task.port.postMessage({ type: 'begins' } satisfies ThreadNote);
  return answerOf(await run(task.parameters as never, contextOf(task)), task.countedFor);
}

/** Once for the life of the thread, which may not take it back: what it loads later, it loads behind the others. */
function giveWayOnce(): void {
  if (!givesWay) lowerPriority(threadId());
  givesWay = true;
}

/** What a call left running has failed. */
function reportStray(task: ThreadTask, error: unknown): void {
  const { code, strays, secrets } = task;
  const channel = new BroadcastChannel(strays);
  // The call is over, and with it what its kernel would mask.
  const redactor = new Redactor();
  for (const [name, value] of [...Object.entries(secrets), ...(obtained.get(task) ?? [])]) redactor.maskAlso(name, value);
  channel.postMessage({ file: code.file, error: excerpt(redactor.text(messageOf(error))) } satisfies Stray);
  channel.close();
}

function contextOf(task: ThreadTask): FunctionContext {
  const { port, exchanges, ...rest } = task;
  return workerContext({
    ...rest,
    place: { name: 'worker thread', key: 'worker: true' },
    exchange: exchanges ? exchangesThrough(port) : runLive,
    note: (message) => {
      if (message.type === 'mask') obtained.set(task, [...(obtained.get(task) ?? []), [message.name, message.value]]);
      port.postMessage(message);
    },
  });
}
