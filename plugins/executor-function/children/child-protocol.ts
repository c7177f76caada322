import type { CallContext, ControlFileRule } from '../../../kernel/index.ts';
import type { CodeReference } from '../../shared/code/code-module.ts';
import type { WorkerAnswer, WorkerNote } from '../worker-answer.ts';

/** The descriptor that a child process answers on; tasks come through its standard input. */
export const channelDescriptor = 3;

/** The descriptor of the memory for long messages, where the system has one. */
export const memoryDescriptor = 4;

/** Longest message either way, in bytes. */
export const maxMessageBytes = 256 * 1024 * 1024;

/** The head of a message to a child process; its body are the parameters. */
export interface ChildTask {
  readonly id: number;
  readonly code: CodeReference;
  /** The state of its file that was approved, where a person was asked. */
  readonly approved?: string;
  readonly callId: string;
  readonly caller: string;
  readonly output: CallContext['output'];
  /** The tool whose answer to a model is counted in the child, because the server takes it whole. */
  readonly countedFor?: string;
  /** Sent where they are not those of the task before. */
  readonly controlFiles?: readonly ControlFileRule[];
}

type OutputHead = Omit<Extract<WorkerAnswer, { readonly type: 'output' }>, 'output'>;

type ErrorHead = Extract<WorkerAnswer, { readonly type: 'error' }>;

/** The head of a message from a child process; the body of an `output` is the output. `ready`: its own code is loaded, nothing foreign was read. */
export type ChildHead =
  | { readonly type: 'ready' }
  | { readonly type: 'stray'; readonly file: string; readonly error: string }
  | ({ readonly id: number } & (OutputHead | ErrorHead | WorkerNote));
