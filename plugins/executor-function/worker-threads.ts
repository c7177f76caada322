import { pathToFileURL } from 'node:url';
import { MessageChannel } from 'node:worker_threads';
import type { Tinypool } from 'tinypool';
import {
  type Call,
  type CallContext,
  type ErrorCode,
  type ErrorDetails,
  type ExecutionResult,
  type LogMeta,
  type Progress,
  ToolkitError,
} from '../../kernel/index.ts';
import type { CodeReference } from '../shared/code-module.ts';
import { codeModule } from '../shared/layout.ts';
import { secretsOf } from './in-process.ts';

/** What the thread is asked to do. */
export interface ThreadTask {
  readonly code: CodeReference;
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly secrets: Readonly<Record<string, string>>;
  readonly callId: string;
  readonly caller: string;
  readonly port: import('node:worker_threads').MessagePort;
}

export type ThreadAnswer =
  | { readonly type: 'output'; readonly output: unknown }
  | { readonly type: 'error'; readonly code?: ErrorCode; readonly message: string; readonly details?: ErrorDetails };

export type ThreadNote =
  | { readonly type: 'progress'; readonly progress: Progress }
  | { readonly type: 'log'; readonly level: 'error' | 'warn' | 'info' | 'debug'; readonly message: string; readonly meta?: LogMeta };

/** Handlers in worker threads: reused from call to call, and ended with the call when its signal aborts. */
export class ThreadPool {
  readonly #maxThreads: number;
  #pool: Promise<Tinypool> | undefined;

  constructor(maxThreads: number) {
    this.#maxThreads = maxThreads;
  }

  async run(code: CodeReference, call: Call, context: CallContext): Promise<ExecutionResult> {
    this.#pool ??= this.#open();
    const pool = await this.#pool;
    const { port1, port2 } = new MessageChannel();
    port1.on('message', (note: ThreadNote) => deliver(note, context));
    const task: ThreadTask = {
      code,
      parameters: call.parameters,
      secrets: secretsOf(call),
      callId: context.callId,
      caller: context.caller,
      port: port2,
    };
    try {
      const answer = (await pool.run(task, { transferList: [port2], signal: context.signal })) as ThreadAnswer;
      if (answer.type === 'error') throw new ToolkitError(answer.code ?? 'EXECUTION_FAILED', answer.message, answer.details);
      return { output: answer.output };
    } finally {
      port1.close();
    }
  }

  async close(): Promise<void> {
    await (await this.#pool)?.destroy();
  }

  async #open(): Promise<Tinypool> {
    const { Tinypool } = await import('tinypool');
    return new Tinypool({
      filename: pathToFileURL(codeModule('plugins/executor-function/thread')).href,
      minThreads: 0,
      maxThreads: this.#maxThreads,
      idleTimeout: 60_000,
      // The thread gets no variable that may hold a credential.
      env: {},
      execArgv: process.execArgv,
    });
  }
}

function deliver(note: ThreadNote, context: CallContext): void {
  if (note.type === 'progress') context.progress(note.progress);
  else context.logger[note.level](note.message, note.meta);
}
