import { spawn } from 'node:child_process';
import path from 'node:path';
import type { Readable, Writable } from 'node:stream';
import {
  type ControlFileRule,
  type ExecutionResult,
  excerpt,
  type Logger,
  messageOf,
  outOfDescriptorsError,
  ToolkitError,
} from '../../../kernel/index.ts';
import { findReadablePaths, limitedNode } from '../../shared/process/limited-node.ts';
import { minimalEnvironment } from '../../shared/process/program.ts';
import { markOfRun } from '../../shared/process/watchdog.ts';
import { codeRoot } from '../../shared/project/layout.ts';
import { deliver, toExecutionResult } from '../worker-answer.ts';
import type { Job, PooledWorker } from '../worker-pool.ts';
import { WorkerProcess } from '../worker-process.ts';
import { childEndError, NoChild } from './child-errors.ts';
import { type ChildHead, type ChildTask, channelDescriptor, maxMessageBytes } from './child-protocol.ts';
import { type Framed, FrameReader, frame, frameBytes } from './frames.ts';
import { closeMessageMemory, emptyMemory, openMessageMemory, toPipeParts } from './long-messages.ts';
import { readableFolder } from './readable-folder.ts';

/** Settings that all child processes of a kernel share. */
export interface ChildSetup {
  /** The file that a child process starts with. */
  readonly entry: string;
  /** Returns the file that a child runs for a file of code. */
  readonly fileFor: (file: string) => string;
  readonly heapMb: number;
  readonly nativeMb: number;
  /** True when the child may load native libraries. @default false */
  readonly loadsNative?: boolean;
  /** The largest file that the child may write, in MB. @default 64 */
  readonly maxFileMb?: number;
  readonly logger: Logger;
}

/** Limit of the end of standard error that is held, in characters: V8 writes the reason of a crash, and the stack after it. */
const maxPrintedLength = 64 * 1024;

/**
 * One Node process for the code of one owner and the calls of one caller, one at a time, in a process group of its own. It is
 * killed when its call is aborted, and by the watchdog when this process is gone.
 */
export class ChildWorker implements PooledWorker {
  readonly #setup: ChildSetup;
  readonly #process: WorkerProcess<Framed<ChildHead>>;
  readonly #memory: number | undefined;
  #isReady = false;
  #nextId = 0;
  #sentRules: readonly ControlFileRule[] | undefined;

  /** Starts the process for calls like this one. Throws where no descriptor is left for its pipes. */
  constructor(setup: ChildSetup, job: Job) {
    this.#setup = setup;
    const { program, args } = limitedNode(setup.entry, { ...setup, reads: readablePaths(job), divertsOutput: true });
    // The message memory is a file to the system. Where no file may be written, messages go through the pipe.
    this.#memory = setup.maxFileMb === 0 ? undefined : openMessageMemory();
    const child = spawn(program, this.#memory === undefined ? args : [...args, 'memory'], {
      // Not a folder that a caller may want to remove.
      cwd: path.parse(process.execPath).root,
      env: { ...minimalEnvironment(), ...markOfRun() },
      stdio: ['pipe', 'ignore', 'pipe', 'pipe', ...(this.#memory === undefined ? [] : [this.#memory])],
      detached: process.platform !== 'win32',
    });
    this.#process = new WorkerProcess(child, maxPrintedLength);
    void this.ended.then(() => closeMessageMemory(this.#memory));
    const reader = new FrameReader<ChildHead>((message) => this.#receive(message), maxMessageBytes, this.#memory);
    (child.stdio[channelDescriptor] as Readable).on('data', (chunk: Buffer) => this.#read(reader, chunk));
    this.#process.keepAliveWhile(false);
  }

  get ended(): Promise<void> {
    return this.#process.ended;
  }

  get isAlive(): boolean {
    return this.#process.isAlive;
  }

  /** Runs a job. Throws NoChild where the process ended before it was ready for its first call. */
  async run(job: Job, onBegin: () => void): Promise<ExecutionResult> {
    const { call, context, signal = context.signal } = job;
    const id = this.#nextId++;
    try {
      return await this.#process.call<ExecutionResult>({
        signal,
        listen:
          (resolve, reject) =>
          ({ head, body }) => {
            if (!('id' in head) || head.id !== id) return;
            if (head.type === 'begins') onBegin();
            else if (head.type === 'progress' || head.type === 'log' || head.type === 'mask') deliver(head, context);
            else
              try {
                resolve(toExecutionResult(head.type === 'output' ? { ...head, output: body } : head, call.tool.name, context));
              } catch (error) {
                reject(error);
              }
          },
        send: () => {
          this.#process.keepAliveWhile(true);
          this.#send(this.#makeTask(id, job), job.parameters ?? call.parameters);
        },
        finish: (result) => {
          signal.throwIfAborted();
          if (result === undefined) throw this.#endError(job);
          return result;
        },
      });
    } catch (error) {
      // A native library that failed, such as for want of memory, may still hold memory that the next call needs.
      if (this.#setup.loadsNative === true && ToolkitError.is(error) && error.code === 'EXECUTION_FAILED') void this.end();
      throw error;
    } finally {
      this.#process.keepAliveWhile(false);
      if (this.isAlive) emptyMemory(this.#memory);
      const { printed } = this.#process;
      if (printed.trim() !== '' && this.isAlive)
        context.logger.debug('a child process printed', { text: excerpt(context.mask(printed).slice(-1000), 1000) });
    }
  }

  end(): Promise<void> {
    return this.#process.end();
  }

  #makeTask(id: number, { code, call, context, parameters }: Job): ChildTask {
    const file = this.#setup.fileFor(code.file);
    // The approved state is that of the source file. Where the sources themselves run, the child loads a compiled file.
    const approved = parameters === undefined && file === code.file ? call.identity?.code?.state : undefined;
    const { rules } = context.controlFiles;
    const traceparent = context.span?.traceparentFor('workers');
    const isNew = rules !== this.#sentRules;
    this.#sentRules = rules;
    return {
      id,
      code: { ...code, file },
      callId: context.callId,
      caller: context.caller,
      ...(traceparent === undefined ? {} : { traceparent }),
      output: context.output,
      ...(context.origin === 'model' ? { countedFor: call.tool.name } : {}),
      ...(approved === undefined ? {} : { approved }),
      ...(isNew ? { controlFiles: rules } : {}),
    };
  }

  #send(head: ChildTask, body: unknown): void {
    const parts = frame({ head, body });
    if (frameBytes(parts) > maxMessageBytes) {
      const message = `Expected parameters of at most ${maxMessageBytes} bytes for a child process. Give less at once.`;
      throw new ToolkitError('INVALID_PARAMETERS', message, { issues: [{ path: '', message }] });
    }
    const stdin = this.#process.child.stdin as Writable;
    stdin.cork();
    for (const part of toPipeParts(parts, this.#memory)) stdin.write(part);
    stdin.uncork();
  }

  #read(reader: FrameReader<ChildHead>, chunk: Buffer): void {
    try {
      reader.push(chunk);
    } catch (error) {
      // From here on, messages cannot be told from text that the code wrote itself.
      this.#process.stop(`it wrote something else than messages to file descriptor ${channelDescriptor}: ${messageOf(error)}`);
    }
  }

  #receive(message: Framed<ChildHead>): void {
    const { head } = message;
    if (head.type === 'ready') this.#isReady = true;
    else if (head.type === 'stray')
      this.#setup.logger.warn('a function failed after its call had ended', { file: head.file, error: excerpt(head.error) });
    else this.#process.receive(message);
  }

  #endError({ call, code, context }: Job): Error {
    const { child, startError: error, printed } = this.#process;
    const end = { exitCode: child.exitCode, signal: child.signalCode, error, printed: context.mask(printed) };
    if (!this.#isReady) return outOfDescriptorsError(error) ?? new NoChild(end);
    return childEndError(end, { tool: call.tool.name, file: code.file, ...this.#setup });
  }
}

/**
 * Returns the folders that the child may read: the code of this program and of the tool, and the packages that both import.
 * `all` for a tool that reads files.
 */
function readablePaths(job: Job): readonly string[] | 'all' {
  const folder = readableFolder(job);
  return folder === 'all' ? folder : findReadablePaths([codeRoot(), folder]);
}
