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
import { withoutDescriptors } from './descriptors.ts';
import { secretsOf } from './running-function.ts';
import { answerExchanges, type ExchangeNote } from './thread-exchange.ts';
import { deliver, resultOf, type WorkerAnswer, type WorkerNote } from './worker-answer.ts';
import type { Job, PooledWorker } from './worker-pool.ts';

/** What the thread is asked to do. */
export interface ThreadTask {
  readonly code: CodeReference;
  /** The state of its file that was approved, where somebody was asked. */
  readonly approved: string | undefined;
  /** The code that the tool was linked with. */
  readonly linked: LinkedState | undefined;
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly secrets: Readonly<Record<string, string>>;
  readonly callId: string;
  readonly caller: string;
  readonly output: CallContext['output'];
  /** The tool, where its answer is for a model, which gets none over the limit. */
  readonly countedFor: string | undefined;
  readonly controlFiles: readonly ControlFileRule[];
  /** The process answers what the function asks by `context.exchange`. */
  readonly exchanges: boolean;
  /** Takes notes and the answer; what comes through it says that the call was aborted, or answers an exchange. */
  readonly port: MessagePort;
  /** The name of the channel for failures after the answer. */
  readonly strays: string;
}

/** What this process tells the thread itself. `end`: open no more files, say so, and wait for the end. */
export type ThreadRequest = { readonly type: 'run'; readonly task: ThreadTask } | { readonly type: 'end' };

/** What the thread itself tells. `ready`: its own code is loaded. Once it is to end, `reading`: it has files half open; `quiet`: it has none. */
export type ThreadState = 'ready' | 'reading' | 'quiet';

export type ThreadNote = ExchangeNote | WorkerNote;

/** What all threads of a kernel have in common. */
export interface ThreadSetup {
  /** The entry of a thread. */
  readonly entry: string;
  /** What a thread runs for a file of code. */
  readonly fileFor: (file: string) => string;
  readonly strays: string;
  /** Options of Node. @default those of this process */
  readonly execArgv?: readonly string[];
  readonly logger: Logger;
  /** What answers the exchanges of functions. @default they run in the thread */
  readonly exchange: RunExchange | undefined;
}

/** A thread that loads code has this long until it is ended after all, in milliseconds. */
const loadMs = 8000;
/** A thread that reads files, such as those of a library that its function imports, has this long. */
const readingMs = 3000;
/** A thread has this long to say what it does; one that computes does not answer. */
const graceMs = 2000;
/** The same when the kernel closes: a file that stays half open then is closed with the process. */
const lastGraceMs = 250;
/** A thread that does not end so long after it was stopped is in native code, such as `String.normalize`, which nothing interrupts. */
const nativeMs = 500;

/**
 * One worker thread. It is not ended while it loads code, because every file that is half open then stays open in this process: where a call
 * is aborted meanwhile, its caller does not wait, and the thread goes on to the next call.
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
  #hurry: () => void = () => {};
  #release: () => void = () => {};
  #onStuck: () => void = () => {};
  readonly #stuck = new Promise<void>((resolve) => {
    this.#onStuck = resolve;
  });

  constructor(setup: ThreadSetup) {
    this.#setup = setup;
    this.#worker = new Worker(setup.entry, {
      // One call must not take the memory of the process. What is young takes 48 MB by default, which a thread keeps once it has used it.
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
    // A thread that waits for work must not keep this process alive; while one works, the port of its task does.
    this.#worker.unref();
  }

  get isAlive(): boolean {
    return this.#isAlive;
  }

  async run(job: Job, begins: () => void): Promise<ExecutionResult> {
    const { call, context, signal = context.signal } = job;
    const { port1, port2 } = new MessageChannel();
    let hasBegun = false;
    let givingUp: NodeJS.Timeout | undefined;
    const { exchange } = this.#setup;
    const exchanges = exchange === undefined ? undefined : answerExchanges(port1, exchange);
    const stop = (): void => {
      if (hasBegun) void this.end();
      port1.postMessage('aborted');
      givingUp ??= setTimeout(() => void this.end(), loadMs);
    };
    const answer = new Promise<WorkerAnswer>((resolve) => {
      port1.on('message', (message: ThreadNote | WorkerAnswer) => {
        if (message.type === 'output' || message.type === 'error') resolve(message);
        else if (message.type === 'exchange' || message.type === 'lived') exchanges?.(message);
        else if (message.type !== 'begins') deliver(message, context);
        else {
          hasBegun = true;
          this.#isLoading = false;
          begins();
          if (signal.aborted) stop();
        }
      });
    });
    signal.addEventListener('abort', stop, { once: true });
    this.#isLoading = true;
    this.#worker.postMessage({ type: 'run', task: this.#taskOf(job, port2) } satisfies ThreadRequest, [port2]);
    try {
      const given = await Promise.race([answer, this.ended.then(() => undefined)]);
      signal.throwIfAborted();
      if (given === undefined) throw this.#endError(job.code.file);
      if (given.type === 'error' && !hasBegun) this.#refuseUnloaded(given);
      return resultOf(given, call.tool.name, context);
    } finally {
      this.#isLoading = false;
      clearTimeout(givingUp);
      signal.removeEventListener('abort', stop);
      port1.close();
    }
  }

  /** Waits until the thread has no file half open, where it answers at all. */
  async end({ isLast = false }: { readonly isLast?: boolean } = {}): Promise<void> {
    this.#isAlive = false;
    this.#ending ??= this.#end();
    if (!isLast) return this.#ending;
    const hurrying = setTimeout(this.#hurry, lastGraceMs);
    await Promise.race([this.#ending, this.#stuck]);
    clearTimeout(hurrying);
  }

  async #end(): Promise<void> {
    await new Promise<void>((resolve) => {
      let timer = setTimeout(resolve, this.#isLoading ? loadMs : graceMs);
      this.#hurry = () => {
        clearTimeout(timer);
        resolve();
      };
      this.#onEnding = (state) => {
        clearTimeout(timer);
        if (state === 'quiet') resolve();
        else timer = setTimeout(resolve, this.#isLoading ? loadMs : readingMs);
      };
      void this.ended.then(() => {
        clearTimeout(timer);
        resolve();
      });
      this.#worker.postMessage({ type: 'end' } satisfies ThreadRequest);
    });
    const giveUp = setTimeout(() => this.#setStuck(), nativeMs);
    await this.#worker.terminate();
    await this.ended;
    clearTimeout(giveUp);
    this.#release();
  }

  /** Node waits for its threads when it exits, also for one that never ends: the process is killed then, when all else is done. */
  #setStuck(): void {
    this.#setup.logger.warn(
      'a worker thread cannot be ended: native code computes in it. This process will end by SIGKILL if that goes on',
      {},
    );
    const kill = (): void => void process.kill(process.pid, 'SIGKILL');
    process.on('exit', kill);
    this.#release = () => void process.off('exit', kill);
    this.#onStuck();
  }

  #taskOf({ code, call, context, parameters }: Job, port: MessagePort): ThreadTask {
    const file = this.#setup.fileFor(code.file);
    return {
      code: { ...code, file },
      // Where the sources themselves run, what was compiled of them stands in their place.
      approved: parameters === undefined && file === code.file ? call.identity?.code?.state : undefined,
      linked: call.origin === 'model' ? linkedState(call.tool) : undefined,
      parameters: parameters ?? call.parameters,
      secrets: parameters === undefined ? secretsOf(call) : {},
      callId: context.callId,
      controlFiles: context.controlFiles.rules,
      caller: context.caller,
      output: context.output,
      countedFor: context.origin === 'model' ? call.tool.name : undefined,
      exchanges: this.#setup.exchange !== undefined,
      port,
      strays: this.#setup.strays,
    };
  }

  /** What did not load for want of descriptors may not be loaded again by the same thread. */
  #refuseUnloaded({ message }: { readonly message: string }): void {
    const exhausted = withoutDescriptors(new Error(message));
    if (exhausted === undefined) return;
    this.#isAlive = false;
    throw exhausted;
  }

  #endError(file: string): ToolkitError {
    const cause = this.#error;
    const exhausted = withoutDescriptors(cause);
    if (exhausted !== undefined) return exhausted;
    const message = `The worker thread of ${file} ended in the middle of the call: ${excerpt(messageOf(cause))}. The next call starts a new one.`;
    return new ToolkitError('EXECUTION_FAILED', message, { file }, { cause });
  }
}
