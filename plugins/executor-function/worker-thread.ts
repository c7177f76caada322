import { MessageChannel, type MessagePort, Worker } from 'node:worker_threads';
import {
  type CallContext,
  type ControlFileRule,
  type ExecutionResult,
  excerpt,
  type Logger,
  messageOf,
  ToolkitError,
} from '../../kernel/index.ts';
import type { CodeReference } from '../shared/code/code-module.ts';
import type { RunExchange } from '../shared/code/exchange.ts';
import type { LinkedState } from '../shared/code/loaded-functions.ts';
import { linkedState } from '../shared/pinned-code/linked-code.ts';
import { minimalEnvironment } from '../shared/process/program.ts';
import { toDescriptorError } from './descriptor-error.ts';
import { revealSecrets } from './run-function.ts';
import { answerExchanges, type ExchangeNote } from './thread-exchange.ts';
import { deliver, toExecutionResult, type WorkerAnswer, type WorkerNote } from './worker-answer.ts';
import type { Job, PooledWorker } from './worker-pool.ts';

/** A task for a thread. */
export interface ThreadTask {
  readonly code: CodeReference;
  /** The approved state of its file, if a person was asked. */
  readonly approved: string | undefined;
  /** The code that the tool was linked with. */
  readonly linked: LinkedState | undefined;
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly secrets: Readonly<Record<string, string>>;
  readonly callId: string;
  readonly caller: string;
  readonly traceparent: string | undefined;
  readonly output: CallContext['output'];
  /** The tool whose answer is measured, because the answer is for a model and limited. */
  readonly countedFor: string | undefined;
  readonly controlFiles: readonly ControlFileRule[];
  /** True when the process answers the exchanges of the function (`context.exchange`). */
  readonly hasExchange: boolean;
  /** Takes notes and the answer. Messages to the thread say that the call was aborted, or answer an exchange. */
  readonly port: MessagePort;
  /** The name of the channel for failures after the answer. */
  readonly lateErrorChannel: string;
}

/** A message to the thread itself. `end`: open no more files, report it, and wait for the end. */
export type ThreadRequest = { readonly type: 'run'; readonly task: ThreadTask } | { readonly type: 'end' };

/** A message from the thread itself. `ready`: its own code is loaded. After `end`, `reading`: files are half open; `quiet`: none is. */
export type ThreadState = 'ready' | 'reading' | 'quiet';

export type ThreadNote = ExchangeNote | WorkerNote;

/** Settings that all threads of a kernel share. */
export interface ThreadSetup {
  /** The file that a thread starts with. */
  readonly entry: string;
  /** Returns the file that a thread runs for a file of code. */
  readonly fileFor: (file: string) => string;
  readonly lateErrorChannel: string;
  /** Node options of the thread. @default those of this process */
  readonly execArgv?: readonly string[];
  readonly logger: Logger;
  /** Answers the exchanges of functions. @default they run in the thread */
  readonly exchange: RunExchange | undefined;
}

/** Time that a thread may load code before it is ended after all, in milliseconds. */
const maxLoadMs = 8000;
/** Time that a thread may read files, such as those of a library that its function imports, in milliseconds. */
const maxReadMs = 3000;
/** Time that a thread has to report its state, in milliseconds. A thread that computes does not answer. */
const reportTimeoutMs = 2000;
/** The same when the kernel closes, in milliseconds: a half open file is closed with the process then. */
const closeTimeoutMs = 250;
/**
 * Time after which a stopped thread counts as stuck in native code, such as `String.normalize`, which cannot be interrupted,
 * in milliseconds.
 */
const stuckAfterMs = 500;

/**
 * One worker thread. It is not ended while it loads code, because every half open file would stay open in this process. If a
 * call is aborted meanwhile, its caller does not wait, and the thread goes on to the next call.
 */
export class WorkerThread implements PooledWorker {
  readonly ended: Promise<void>;
  readonly #worker: Worker;
  readonly #setup: ThreadSetup;
  #isAlive = true;
  #isLoading = true;
  #error: unknown;
  #ending: Promise<void> | undefined;
  #onEnding: (state: 'reading' | 'quiet') => void = () => {};
  #endNow: () => void = () => {};
  #cancelKill: () => void = () => {};
  #onStuck: () => void = () => {};
  readonly #stuck = new Promise<void>((resolve) => {
    this.#onStuck = resolve;
  });

  constructor(setup: ThreadSetup) {
    this.#setup = setup;
    this.#worker = new Worker(setup.entry, {
      // One call must not take the memory of the process. The young generation takes 48 MB by default, and a thread keeps what it
      // has once used.
      resourceLimits: { maxOldGenerationSizeMb: 512, maxYoungGenerationSizeMb: 16 },
      // The thread gets no variable that may hold a credential.
      env: minimalEnvironment(),
      ...(setup.execArgv === undefined ? {} : { execArgv: [...setup.execArgv] }),
    });
    this.ended = new Promise((resolve) => {
      this.#worker.once('exit', () => {
        this.#isAlive = false;
        resolve();
      });
    });
    this.#worker.on('error', (error: unknown) => {
      this.#isAlive = false;
      this.#error = error;
      setup.logger.warn('a worker thread ended', { error: excerpt(messageOf(error)) });
    });
    this.#worker.on('message', (state: ThreadState) => {
      if (state === 'ready') this.#isLoading = false;
      else this.#onEnding(state);
    });
    // An idle thread must not keep this process alive. While a thread works, the port of its task does.
    this.#worker.unref();
  }

  get isAlive(): boolean {
    return this.#isAlive;
  }

  async run(job: Job, onBegin: () => void): Promise<ExecutionResult> {
    const { call, context, signal = context.signal } = job;
    const { port1, port2 } = new MessageChannel();
    let hasBegun = false;
    let loadTimer: NodeJS.Timeout | undefined;
    const { exchange } = this.#setup;
    const exchanges = exchange === undefined ? undefined : answerExchanges(port1, exchange);
    const stop = (): void => {
      if (hasBegun) void this.end();
      port1.postMessage('aborted');
      loadTimer ??= setTimeout(() => void this.end(), maxLoadMs);
    };
    const answer = new Promise<WorkerAnswer>((resolve) => {
      port1.on('message', (message: ThreadNote | WorkerAnswer) => {
        if (message.type === 'output' || message.type === 'error') resolve(message);
        else if (message.type === 'exchange' || message.type === 'lived') exchanges?.(message);
        else if (message.type !== 'begins') deliver(message, context);
        else {
          hasBegun = true;
          this.#isLoading = false;
          onBegin();
          if (signal.aborted) stop();
        }
      });
    });
    signal.addEventListener('abort', stop, { once: true });
    this.#isLoading = true;
    this.#worker.postMessage({ type: 'run', task: this.#makeTask(job, port2) } satisfies ThreadRequest, [port2]);
    try {
      const received = await Promise.race([answer, this.ended.then(() => undefined)]);
      signal.throwIfAborted();
      if (received === undefined) throw this.#endError(job.code.file);
      if (received.type === 'error' && !hasBegun) this.#throwIfUnloadable(received);
      return toExecutionResult(received, call.tool.name, context);
    } finally {
      this.#isLoading = false;
      clearTimeout(loadTimer);
      signal.removeEventListener('abort', stop);
      port1.close();
    }
  }

  /** Ends the thread once it has no half open file. Does not wait longer for a thread that does not answer. */
  async end({ isLast = false }: { readonly isLast?: boolean } = {}): Promise<void> {
    this.#isAlive = false;
    this.#ending ??= this.#end();
    if (!isLast) return this.#ending;
    const endTimer = setTimeout(this.#endNow, closeTimeoutMs);
    await Promise.race([this.#ending, this.#stuck]);
    clearTimeout(endTimer);
  }

  async #end(): Promise<void> {
    await new Promise<void>((resolve) => {
      let timer = setTimeout(resolve, this.#isLoading ? maxLoadMs : reportTimeoutMs);
      this.#endNow = () => {
        clearTimeout(timer);
        resolve();
      };
      this.#onEnding = (state) => {
        clearTimeout(timer);
        if (state === 'quiet') resolve();
        else timer = setTimeout(resolve, this.#isLoading ? maxLoadMs : maxReadMs);
      };
      void this.ended.then(() => {
        clearTimeout(timer);
        resolve();
      });
      this.#worker.postMessage({ type: 'end' } satisfies ThreadRequest);
    });
    const stuckTimer = setTimeout(() => this.#markStuck(), stuckAfterMs);
    await this.#worker.terminate();
    await this.ended;
    clearTimeout(stuckTimer);
    this.#cancelKill();
  }

  /** Marks the thread as stuck. Node would wait for it at exit, so the process is killed then, when everything else is done. */
  #markStuck(): void {
    this.#setup.logger.warn(
      'a worker thread cannot be stopped, because it runs native code. This process will be killed by SIGKILL at its end if that continues',
      {},
    );
    const kill = (): void => void process.kill(process.pid, 'SIGKILL');
    process.on('exit', kill);
    this.#cancelKill = () => void process.off('exit', kill);
    this.#onStuck();
  }

  #makeTask({ code, call, context, parameters }: Job, port: MessagePort): ThreadTask {
    const file = this.#setup.fileFor(code.file);
    return {
      code: { ...code, file },
      // The approved state is that of the source file. Where the sources themselves run, the thread loads a compiled file.
      approved: parameters === undefined && file === code.file ? call.identity?.code?.state : undefined,
      linked: call.origin === 'model' ? linkedState(call.tool) : undefined,
      parameters: parameters ?? call.parameters,
      secrets: parameters === undefined ? revealSecrets(call) : {},
      callId: context.callId,
      controlFiles: context.controlFiles.rules,
      caller: context.caller,
      traceparent: context.span?.traceparentFor('workers'),
      output: context.output,
      countedFor: context.origin === 'model' ? call.tool.name : undefined,
      hasExchange: this.#setup.exchange !== undefined,
      port,
      lateErrorChannel: this.#setup.lateErrorChannel,
    };
  }

  /** Throws where code did not load for want of descriptors, and gives up the thread: it may be unable to load that code again. */
  #throwIfUnloadable({ message }: { readonly message: string }): void {
    const descriptorError = toDescriptorError(new Error(message));
    if (descriptorError === undefined) return;
    this.#isAlive = false;
    throw descriptorError;
  }

  #endError(file: string): ToolkitError {
    const cause = this.#error;
    const descriptorError = toDescriptorError(cause);
    if (descriptorError !== undefined) return descriptorError;
    const message = `The worker thread of ${file} ended in the middle of the call: ${excerpt(messageOf(cause))}. The next call starts a new one.`;
    return new ToolkitError('EXECUTION_FAILED', message, { file }, { cause });
  }
}
