import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { BroadcastChannel, MessageChannel, type MessagePort, receiveMessageOnPort } from 'node:worker_threads';
import type { Tinypool } from 'tinypool';
import {
  type Call,
  type CallContext,
  type ContentPart,
  type ControlFileRule,
  type ErrorCode,
  type ErrorDetails,
  type ExecutionResult,
  excerpt,
  type Logger,
  type LogMeta,
  messageOf,
  type Progress,
  ToolkitError,
} from '../../kernel/index.ts';
import type { CodeReference } from '../shared/code/code-module.ts';
import { minimalEnvironment } from '../shared/process/program.ts';
import { codeModule, codeRoot, runsFromSource } from '../shared/project/layout.ts';
import { codeOwner } from './code-owner.ts';
import { secretsOf } from './in-process.ts';
import { toolLogger } from './tool-logger.ts';

/** What the thread is asked to do. */
export interface ThreadTask {
  readonly code: CodeReference;
  /** The state of its file that was approved, where somebody was asked. */
  readonly approved: string | undefined;
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly secrets: Readonly<Record<string, string>>;
  readonly callId: string;
  readonly caller: string;
  readonly controlFiles: readonly ControlFileRule[];
  readonly port: MessagePort;
  /** The name of the channel for failures after the answer. */
  readonly strays: string;
}

/** What a call left running has failed. */
export interface Stray {
  readonly file: string;
  readonly error: string;
}

export type ThreadAnswer =
  | { readonly type: 'output'; readonly output: unknown; readonly content?: readonly ContentPart[] }
  | { readonly type: 'error'; readonly code?: ErrorCode; readonly message: string; readonly details?: ErrorDetails };

export type ThreadNote =
  | { readonly type: 'progress'; readonly progress: Progress }
  | { readonly type: 'log'; readonly level: 'error' | 'warn' | 'info' | 'debug'; readonly message: string; readonly meta?: LogMeta };

/** Handlers in worker threads: those of one owner share theirs, and with them what is global. */
export class ThreadPools {
  readonly #maxThreads: number;
  readonly #logger: Logger;
  readonly #pools = new Map<string, ThreadPool>();

  /** `maxThreads`: of each owner. */
  constructor(maxThreads: number, logger: Logger) {
    this.#maxThreads = maxThreads;
    this.#logger = logger;
  }

  /** `parameters`: in place of those of the call, which then gives no secrets either. */
  run(code: CodeReference, call: Call, context: CallContext, parameters?: Readonly<Record<string, unknown>>): Promise<ExecutionResult> {
    const owner = codeOwner(call.tool);
    const pool = this.#pools.get(owner) ?? new ThreadPool(this.#maxThreads, this.#logger);
    this.#pools.set(owner, pool);
    return pool.run(code, call, context, parameters);
  }

  /** Calls from now on run in new threads, with the code as it is then. */
  async forget(): Promise<void> {
    await Promise.all([...this.#pools.values()].map((pool) => pool.forget()));
  }

  async close(): Promise<void> {
    await Promise.all([...this.#pools.values()].map((pool) => pool.close()));
  }
}

/** Reused from call to call, and ended with the call when its signal aborts. */
class ThreadPool {
  readonly #maxThreads: number;
  readonly #logger: Logger;
  #pool: Promise<Tinypool> | undefined;
  /** What a thread runs for a file of code. */
  #fileFor = (file: string): string => file;
  #startError: unknown;
  #strays: BroadcastChannel | undefined;

  constructor(maxThreads: number, logger: Logger) {
    this.#maxThreads = maxThreads;
    this.#logger = logger;
  }

  async run(
    code: CodeReference,
    call: Call,
    context: CallContext,
    parameters?: Readonly<Record<string, unknown>>,
  ): Promise<ExecutionResult> {
    this.#pool ??= this.#open();
    const pool = await this.#pool;
    const { port1, port2 } = new MessageChannel();
    port1.on('message', (note: ThreadNote) => deliver(note, context));
    const file = this.#fileFor(code.file);
    const task: ThreadTask = {
      code: { ...code, file },
      // Where the sources themselves run, what was compiled of them stands in their place.
      approved: parameters === undefined && file === code.file ? call.identity?.code?.state : undefined,
      parameters: parameters ?? call.parameters,
      secrets: parameters === undefined ? secretsOf(call) : {},
      callId: context.callId,
      controlFiles: context.controlFiles.rules,
      caller: context.caller,
      port: port2,
      strays: this.#strays?.name ?? '',
    };
    try {
      const answer = (await pool.run(task, { transferList: [port2], signal: context.signal })) as ThreadAnswer;
      // The answer comes on another port and may overtake the notes.
      for (let note = receiveMessageOnPort(port1); note !== undefined; note = receiveMessageOnPort(port1)) deliver(note.message, context);
      return resultOf(answer, call.tool.name, context);
    } catch (error) {
      context.signal.throwIfAborted();
      if (ToolkitError.is(error)) throw error;
      throw this.#threadError(code, error);
    } finally {
      port1.close();
    }
  }

  async forget(): Promise<void> {
    await (await this.#pool)?.recycleWorkers();
  }

  async close(): Promise<void> {
    this.#strays?.close();
    await (await this.#pool)?.destroy();
  }

  async #open(): Promise<Tinypool> {
    const { Tinypool } = await import('tinypool');
    this.#startError = undefined;
    if (runsFromSource) this.#fileFor = await compiledForThreads();
    const pool = new Tinypool({
      filename: pathToFileURL(this.#fileFor(codeModule('plugins/executor-function/thread'))).href,
      minThreads: 0,
      maxThreads: this.#maxThreads,
      idleTimeout: 60_000,
      // One call must not take the memory of the process.
      resourceLimits: { maxOldGenerationSizeMb: 512 },
      // A thread that waits for work without its event loop would do what a call left behind in the middle of the next one.
      useAtomics: false,
      // The thread gets no variable that may hold a credential.
      env: minimalEnvironment(),
    });
    // A thread could not start, or ended between two calls. Calls that wait for it would wait for ever.
    pool.on('error', (error: unknown) => {
      this.#logger.warn('a worker thread ended', { error: excerpt(messageOf(error)) });
      if (pool.queueSize > 0) void this.#giveUp(pool, error);
    });
    this.#strays ??= this.#listenForStrays();
    return pool;
  }

  #listenForStrays(): BroadcastChannel {
    const channel = new BroadcastChannel(`toolkit-threads-${randomUUID()}`);
    channel.onmessage = (event) => this.#logger.warn('a function failed after its call had ended', { ...(event as { data: Stray }).data });
    channel.unref();
    return channel;
  }

  async #giveUp(pool: Tinypool, error: unknown): Promise<void> {
    this.#startError = error;
    this.#pool = undefined;
    await pool.destroy();
  }

  #threadError(code: CodeReference, error: unknown): ToolkitError {
    const what = this.#startError === undefined ? 'ended in the middle of the call' : 'did not start';
    const cause = this.#startError ?? error;
    const message = `The worker thread of ${code.file} ${what}: ${excerpt(messageOf(cause))}. The next call starts a new one.`;
    return new ToolkitError('EXECUTION_FAILED', message, { file: code.file }, { cause });
  }
}

/** Not part of what is built. */
async function compiledForThreads(): Promise<(file: string) => string> {
  const { href } = pathToFileURL(path.join(codeRoot(), 'plugins/executor-function/source-threads.mjs'));
  const { compiledForThreads: compiled } = (await import(href)) as { compiledForThreads: () => Promise<(file: string) => string> };
  return compiled();
}

function resultOf(answer: ThreadAnswer, tool: string, { mask }: CallContext): ExecutionResult {
  if (answer.type === 'output') return { output: answer.output, ...(answer.content === undefined ? {} : { content: answer.content }) };
  const message = answer.code === undefined ? `The function of "${tool}" failed: ${excerpt(mask(answer.message))}` : answer.message;
  throw new ToolkitError(answer.code ?? 'EXECUTION_FAILED', message, answer.details);
}

function deliver(note: ThreadNote, context: CallContext): void {
  if (note.type === 'progress') context.progress(note.progress);
  else toolLogger(context)[note.level](note.message, note.meta);
}
