import {
  type CallContext,
  type ContentPart,
  type ErrorCode,
  type ErrorDetails,
  type ExecutionResult,
  excerpt,
  type LogMeta,
  type Progress,
  ToolkitError,
} from '../../kernel/index.ts';
import { maskObtainedSecret } from './mask-obtained.ts';
import { toolLogger } from './tool-logger.ts';

/** The result of a function in a worker thread or a child process. */
export type WorkerAnswer =
  | { readonly type: 'output'; readonly output: unknown; readonly content?: readonly ContentPart[] }
  | { readonly type: 'error'; readonly code?: ErrorCode; readonly message: string; readonly details?: ErrorDetails };

/** A message that a worker thread or a child process sends before its answer. */
export type WorkerNote =
  /** The code is loaded and the function begins. */
  | { readonly type: 'begins' }
  | { readonly type: 'progress'; readonly progress: Progress }
  /** A secret that the function obtained itself. */
  | { readonly type: 'mask'; readonly name: string; readonly value: string }
  | { readonly type: 'log'; readonly level: 'error' | 'warn' | 'info' | 'debug'; readonly message: string; readonly meta?: LogMeta };

/** Returns the output of an answer, or throws its error. */
export function toExecutionResult(answer: WorkerAnswer, tool: string, { mask }: CallContext): ExecutionResult {
  if (answer.type === 'output') return { output: answer.output, ...(answer.content === undefined ? {} : { content: answer.content }) };
  const message = answer.code === undefined ? `The function of "${tool}" failed: ${excerpt(mask(answer.message))}` : answer.message;
  throw new ToolkitError(answer.code ?? 'EXECUTION_FAILED', message, answer.details);
}

/** Passes a note on: progress to the client, log lines to the log, a secret to the masks of the call. */
export function deliver(note: Exclude<WorkerNote, { readonly type: 'begins' }>, context: CallContext): void {
  if (note.type === 'progress') context.progress(note.progress);
  else if (note.type === 'mask') maskObtainedSecret(context, note.name, note.value);
  else toolLogger(context)[note.level](note.message, note.meta);
}
