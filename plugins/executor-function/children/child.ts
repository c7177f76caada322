/**
 * The entry of a child process: one task in, one answer out, with progress and log lines meanwhile. It ends when its standard
 * input does.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { readSync, writeSync } from 'node:fs';
import { type ControlFileRule, excerpt, messageOf, ToolkitError } from '../../../kernel/index.ts';
import { LoadedFunctions } from '../../shared/code/loaded-functions.ts';
import type { ToolFunction } from '../execution.ts';
import { defaultExports } from '../run-function.ts';
import type { WorkerAnswer } from '../worker-answer.ts';
import { makeWorkerContext, refuseToExit, setUncaughtListener, toAnswer, toErrorAnswer } from '../worker-context.ts';
import { type ChildHead, type ChildTask, channelDescriptor, maxMessageBytes, memoryDescriptor } from './child-protocol.ts';
import { type Framed, FrameReader, frame, frameBytes } from './frames.ts';
import { toPipeParts } from './long-messages.ts';

/** Bytes that are read at once: more than a pipe holds. */
const inputBuffer = Buffer.allocUnsafeSlow(256 * 1024);

const exit = process.exit.bind(process);

/** The task of the running code: an error that an earlier call left behind must not count as one of this call. */
const taskStorage = new AsyncLocalStorage<ChildTask>();

const functions = new LoadedFunctions<ToolFunction>(defaultExports);

/** The rules of the last task that sent them. */
let controlFiles: readonly ControlFileRule[] = [];

const memory = process.argv.includes('memory') ? memoryDescriptor : undefined;

let receivedTask: Framed<ChildTask> | undefined;

const reader = new FrameReader<ChildTask>(
  (task) => {
    receivedTask = task;
  },
  maxMessageBytes,
  memory,
);

process.exit = refuseToExit;
send({ type: 'ready' });
readTask();

function send(head: ChildHead, body?: unknown): void {
  write(frame(body === undefined ? { head } : { head, body }));
}

/** Writes synchronously: the process has nothing else to do, and a long text takes a fraction of the time that events would take. */
function write(parts: readonly Buffer[]): void {
  try {
    for (const part of parts) for (let offset = 0; offset < part.length; ) offset += writeSync(channelDescriptor, part, offset);
  } catch {
    // The server is gone.
    exit(0);
  }
}

/** Waits for the next task, without running anything that an earlier one left behind. Exits when the pipe ends. */
function readTask(): void {
  receivedTask = undefined;
  while (receivedTask === undefined) {
    const bytes = readSync(0, inputBuffer);
    if (bytes === 0) exit(0);
    // The reader holds the bytes until the message is complete.
    reader.push(Buffer.from(inputBuffer.subarray(0, bytes)));
  }
  const { head, body } = receivedTask as Framed<ChildTask>;
  void runTask(head, body);
}

async function runTask(task: ChildTask, parameters: unknown): Promise<void> {
  const uncaught = new Promise<never>((_, reject) =>
    setUncaughtListener((error) => {
      const owner = taskStorage.getStore() ?? task;
      if (owner === task) reject(error);
      else reportLateError(owner, error);
    }),
  );
  const answer = await Promise.race([taskStorage.run(task, () => executeTask(task, parameters)), uncaught]).catch(toErrorAnswer);
  setUncaughtListener((error) => reportLateError(taskStorage.getStore() ?? task, error));
  write(toPipeParts(frameAnswer(task, answer), memory));
  // Callbacks that were due right after the end of the task run now.
  setImmediate(setImmediate, readTask);
}

async function executeTask(task: ChildTask, parameters: unknown): Promise<WorkerAnswer> {
  const { id, code, approved, callId, caller, traceparent, output, countedFor } = task;
  controlFiles = task.controlFiles ?? controlFiles;
  const run = await functions.load(code, approved);
  send({ id, type: 'begins' });
  const context = makeWorkerContext({
    callId,
    caller,
    traceparent,
    output,
    controlFiles,
    runsIn: { name: 'child process', key: 'worker: process' },
    note: (note) => send({ id, ...note }),
  });
  return toAnswer(await run(parameters as never, context), countedFor);
}

/** Returns the answer as a message. Measured here, so that an answer that is too long is not sent. */
function frameAnswer({ id }: ChildTask, answer: WorkerAnswer): readonly Buffer[] {
  if (answer.type === 'error') return frame({ head: { id, ...answer } });
  const { output, ...head } = answer;
  const parts = frameOutput({ id, ...head }, output);
  if (parts !== undefined && frameBytes(parts) <= maxMessageBytes) return parts;
  const { code, message } = new ToolkitError('OUTPUT_TOO_LARGE', tooLongMessage);
  return frame<ChildHead>({ head: { id, type: 'error', code, message } });
}

const tooLongMessage = `The result is longer than ${maxMessageBytes} bytes, the limit for a child process. Ask for less of it.`;

/** Returns undefined for an output whose JSON would be longer than a V8 string can be. */
function frameOutput(head: ChildHead, output: unknown): readonly Buffer[] | undefined {
  try {
    return frame(output === undefined ? { head } : { head, body: output });
  } catch {
    return undefined;
  }
}

/** Reports a failure of code that an earlier call left running. */
function reportLateError({ code }: ChildTask, error: unknown): void {
  send({ type: 'stray', file: code.file, error: excerpt(messageOf(error)) });
}
