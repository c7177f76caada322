import { type ControlFileRule, ControlFiles, messageOf, refuseCostlyAnswer, ToolkitError, toJsonValue } from '../../kernel/index.ts';
import type { FunctionContext } from './execution.ts';
import { handlerError } from './handler-error.ts';
import { maskObtained } from './mask-obtained.ts';
import { OutputWithContent } from './running-function.ts';
import type { WorkerAnswer, WorkerNote } from './worker-answer.ts';

interface WorkerContextOptions extends Pick<FunctionContext, 'callId' | 'caller' | 'output'> {
  readonly controlFiles: readonly ControlFileRule[];
  /** The words for what runs it, and the key of the definition that says so. */
  readonly place: { readonly name: string; readonly key: string };
  /** Absent where a function there has none. */
  readonly secrets?: FunctionContext['secrets'];
  readonly exchange?: FunctionContext['exchange'];
  note(message: WorkerNote): void;
}

/** Makes the context of a function in a worker thread or a child process; members that it has not throw EXECUTION_FAILED by name. */
export function workerContext({
  callId,
  caller,
  output,
  controlFiles,
  place,
  secrets,
  exchange,
  note,
}: WorkerContextOptions): FunctionContext {
  const log = (level: 'error' | 'warn' | 'info' | 'debug') => (message: string, meta?: Readonly<Record<string, unknown>>) =>
    note({ type: 'log', level, message, ...(meta === undefined ? {} : { meta }) });
  const unavailable = (member: string): never => {
    throw new ToolkitError(
      'EXECUTION_FAILED',
      `context.${member} is not available in a ${place.name}. Take "${place.key}" out of the definition.`,
    );
  };
  return {
    callId,
    caller,
    output,
    signal: new AbortController().signal,
    logger: { error: log('error'), warn: log('warn'), info: log('info'), debug: log('debug') },
    maskAlso: (name, value) => maskObtained({ maskAlso: (secret, text) => note({ type: 'mask', name: secret, value: text }) }, name, value),
    progress: (progress) => note({ type: 'progress', progress: typeof progress === 'string' ? { message: progress } : progress }),
    error: handlerError,
    get controlFiles() {
      return new ControlFiles(controlFiles);
    },
    get secrets() {
      return secrets ?? unavailable('secrets');
    },
    exchange: exchange ?? (() => unavailable('exchange')),
    fetch: () => unavailable('fetch'),
    addressesOf: () => unavailable('addressesOf'),
    inThread: () => unavailable('inThread'),
    inChild: () => unavailable('inChild'),
    onClose: () => unavailable('onClose'),
    get client(): never {
      return unavailable('client');
    },
    get tools(): never {
      return unavailable('tools');
    },
    withContent: (output, content) => new OutputWithContent(output, content),
  };
}

/**
 * Returns what a function has given as the answer to send. Throws OUTPUT_INVALID for what is no JSON. `countedFor`: the tool whose answer is counted
 * here, because the process takes it whole; throws OUTPUT_TOO_LARGE then.
 */
export function answerOf(given: unknown, countedFor: string | undefined): WorkerAnswer {
  const { output, content } = given instanceof OutputWithContent ? given : { output: given, content: undefined };
  if (countedFor !== undefined) refuseCostlyAnswer(countedFor, [output, content]);
  return { type: 'output', output: output === undefined ? undefined : toJsonValue(output), ...(content === undefined ? {} : { content }) };
}

/** Returns a thrown value as the answer to send. */
export function failure(error: unknown): WorkerAnswer {
  if (ToolkitError.is(error)) return { type: 'error', code: error.code, message: error.message, details: error.details };
  return { type: 'error', message: messageOf(error) };
}

/** Throws: what runs calls would leave its caller waiting. */
export function refuseToExit(): never {
  throw new ToolkitError('EXECUTION_FAILED', 'The function called process.exit, which a tool may not do. Return a value, or throw.');
}

/** Replaces the listener for exceptions that no function catches: they must not end what runs other calls as well. */
export function onUncaught(listener: (error: unknown) => void): void {
  process.removeAllListeners('uncaughtException').on('uncaughtException', listener);
}
