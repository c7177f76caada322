import { type ControlFileRule, ControlFiles, messageOf, refuseCostlyAnswer, ToolkitError, toJsonValue } from '../../kernel/index.ts';
import type { FunctionContext } from './execution.ts';
import { handlerError } from './handler-error.ts';
import { maskObtainedSecret } from './mask-obtained.ts';
import { OutputWithContent } from './run-function.ts';
import type { WorkerAnswer, WorkerNote } from './worker-answer.ts';

interface WorkerContextOptions extends Pick<FunctionContext, 'callId' | 'caller' | 'traceparent' | 'output'> {
  readonly controlFiles: readonly ControlFileRule[];
  /** The name of the place where the function runs, for messages, and the definition key that chose it. */
  readonly runsIn: { readonly name: string; readonly key: string };
  /** Absent where functions get no secrets. */
  readonly secrets?: FunctionContext['secrets'];
  readonly exchange?: FunctionContext['exchange'];
  note(message: WorkerNote): void;
}

/** Makes the context of a function in a worker thread or a child process. A missing member throws EXECUTION_FAILED with its name. */
export function makeWorkerContext({
  callId,
  caller,
  traceparent,
  output,
  controlFiles,
  runsIn,
  secrets,
  exchange,
  note,
}: WorkerContextOptions): FunctionContext {
  const log = (level: 'error' | 'warn' | 'info' | 'debug') => (message: string, meta?: Readonly<Record<string, unknown>>) =>
    note({ type: 'log', level, message, ...(meta === undefined ? {} : { meta }) });
  const unavailable = (member: string): never => {
    throw new ToolkitError(
      'EXECUTION_FAILED',
      `context.${member} is not available in a ${runsIn.name}. Take "${runsIn.key}" out of the definition.`,
    );
  };
  return {
    callId,
    caller,
    traceparent,
    output,
    signal: new AbortController().signal,
    logger: { error: log('error'), warn: log('warn'), info: log('info'), debug: log('debug') },
    maskAlso: (name, value) =>
      maskObtainedSecret({ maskAlso: (secret, text) => note({ type: 'mask', name: secret, value: text }) }, name, value),
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
 * Returns the result of a function as the answer to send. Throws OUTPUT_INVALID for a value that is not JSON. `countedFor`:
 * the tool whose answer is measured here, because the process reads answers whole; throws OUTPUT_TOO_LARGE then.
 */
export function toAnswer(returned: unknown, countedFor: string | undefined): WorkerAnswer {
  const { output, content } = returned instanceof OutputWithContent ? returned : { output: returned, content: undefined };
  if (countedFor !== undefined) refuseCostlyAnswer(countedFor, [output, content]);
  return { type: 'output', output: output === undefined ? undefined : toJsonValue(output), ...(content === undefined ? {} : { content }) };
}

/** Returns a thrown value as the answer to send. */
export function toErrorAnswer(error: unknown): WorkerAnswer {
  if (ToolkitError.is(error)) return { type: 'error', code: error.code, message: error.message, details: error.details };
  return { type: 'error', message: messageOf(error) };
}

/** Throws. Replaces `process.exit`, which would leave callers waiting. */
export function refuseToExit(): never {
  throw new ToolkitError('EXECUTION_FAILED', 'The function called process.exit, which a tool may not do. Return a value, or throw.');
}

/** Replaces the listener for uncaught exceptions: they must not end a thread or process that runs other calls as well. */
export function setUncaughtListener(listener: (error: unknown) => void): void {
  process.removeAllListeners('uncaughtException').on('uncaughtException', listener);
}
