import type { CallContext, ControlFileRule } from '../../../kernel/index.ts';
import type { CodeReference } from '../../shared/code/code-module.ts';
import type { WorkerAnswer, WorkerNote } from '../worker-answer.ts';

/** The descriptor for messages of a child process. Tasks come through its standard input. */
export const channelDescriptor = 3;

/** The descriptor of the memory for long messages, where the system has one. */
export const memoryDescriptor = 4;

/** Longest message in either direction, in bytes. */
export const maxMessageBytes = 256 * 1024 * 1024;

/** The head of a message to a child process. The body is the parameters. */
export interface ChildTask {
  readonly id: number;
  readonly code: CodeReference;
  /** The approved state of its file, if a person was asked. */
  readonly approved?: string;
  readonly callId: string;
  readonly caller: string;
  readonly traceparent?: string;
  readonly output: CallContext['output'];
  /** The tool whose answer is measured in the child, because the server reads answers to a model whole. */
  readonly countedFor?: string;
  /** Sent only where the rules differ from those of the previous task. */
  readonly controlFiles?: readonly ControlFileRule[];
}

type OutputHead = Omit<Extract<WorkerAnswer, { readonly type: 'output' }>, 'output'>;

type ErrorHead = Extract<WorkerAnswer, { readonly type: 'error' }>;

/**
 * The head of a message from a child process. The body of an `output` is the output. `ready`: its own code is loaded, and
 * nothing foreign was read.
 */
export type ChildHead =
  | { readonly type: 'ready' }
  | { readonly type: 'stray'; readonly file: string; readonly error: string }
  | ({ readonly id: number } & (OutputHead | ErrorHead | WorkerNote));
