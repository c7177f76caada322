/** The entry of a child process: one task in, one answer out; progress and log lines meanwhile. It ends when its standard input does. */
import { AsyncLocalStorage } from 'node:async_hooks';
import { Socket } from 'node:net';
import { type ControlFileRule, excerpt, messageOf, ToolkitError } from '../../../kernel/index.ts';
import { LoadedFunctions } from '../../shared/code/loaded-functions.ts';
import type { ToolFunction } from '../execution.ts';
import { functionNames } from '../running-function.ts';
import type { WorkerAnswer } from '../worker-answer.ts';
import { answerOf, failure, onUncaught, refuseToExit, workerContext } from '../worker-context.ts';
import { type ChildHead, type ChildTask, channelDescriptor, maxMessageBytes } from './child-protocol.ts';
import { FrameReader, frame, frameBytes } from './frames.ts';

const channel = new Socket({ fd: channelDescriptor, readable: false, writable: true });
const exit = process.exit.bind(process);

/** The task of the code that runs: an error that an earlier call left behind must not count as one of this call. */
const owners = new AsyncLocalStorage<ChildTask>();

const loaded = new LoadedFunctions<ToolFunction>(functionNames);

/** As of the last task that brought them. */
let controlFiles: readonly ControlFileRule[] = [];

const reader = new FrameReader<ChildTask>(({ head, body }) => void runTask(head, body), maxMessageBytes);

process.exit = refuseToExit;
channel.on('error', () => exit(0));
process.stdin.on('data', (chunk: Buffer) => reader.push(chunk)).on('end', () => exit(0));
send({ type: 'ready' });

function send(head: ChildHead, body?: unknown): void {
  write(frame(body === undefined ? { head } : { head, body }));
}

function write(parts: readonly Buffer[]): void {
  channel.cork();
  for (const part of parts) channel.write(part);
  channel.uncork();
}

async function runTask(task: ChildTask, parameters: unknown): Promise<void> {
  const stray = new Promise<never>((_, reject) =>
    onUncaught((error) => {
      const owner = owners.getStore() ?? task;
      if (owner === task) reject(error);
      else reportStray(owner, error);
    }),
  );
  const answer = await Promise.race([owners.run(task, () => answerTo(task, parameters)), stray]).catch(failure);
  onUncaught((error) => reportStray(owners.getStore() ?? task, error));
  write(answerFrame(task, answer));
}

async function answerTo(task: ChildTask, parameters: unknown): Promise<WorkerAnswer> {
  const { id, code, approved, callId, caller, countedFor } = task;
  controlFiles = task.controlFiles ?? controlFiles;
  const run = await loaded.load(code, approved);
  send({ id, type: 'begins' });
  const context = workerContext({
    callId,
    caller,
    controlFiles,
    place: { name: 'child process', key: 'worker: process' },
    note: (note) => send({ id, ...note }),
  });
  return answerOf(await run(parameters as never, context), countedFor);
}

/** Counted here: what is too long does not travel. */
function answerFrame({ id }: ChildTask, answer: WorkerAnswer): readonly Buffer[] {
  if (answer.type === 'error') return frame({ head: { id, ...answer } });
  const { output, ...head } = answer;
  const parts = outputFrame({ id, ...head }, output);
  if (parts !== undefined && frameBytes(parts) <= maxMessageBytes) return parts;
  const { code, message } = new ToolkitError('OUTPUT_TOO_LARGE', tooLong);
  return frame<ChildHead>({ head: { id, type: 'error', code, message } });
}

const tooLong = `The result is longer than ${maxMessageBytes} bytes, which is the most that comes from a child process. Ask for less of it.`;

/** Undefined for an output of which no JSON text can be made, as it would be longer than V8 has texts. */
function outputFrame(head: ChildHead, output: unknown): readonly Buffer[] | undefined {
  try {
    return frame(output === undefined ? { head } : { head, body: output });
  } catch {
    return undefined;
  }
}

/** Reports that code which an earlier call left running has failed. */
function reportStray({ code }: ChildTask, error: unknown): void {
  send({ type: 'stray', file: code.file, error: excerpt(messageOf(error)) });
}
