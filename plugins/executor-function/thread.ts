/** The entry of a worker thread: one task in, one answer out; progress and log lines through the port meanwhile. */
import { excerpt, messageOf, ToolkitError, toJsonValue } from '../../kernel/index.ts';
import { importFunction } from '../shared/code-module.ts';
import type { FunctionContext, ToolFunction } from './execution.ts';
import type { ThreadAnswer, ThreadNote, ThreadTask } from './worker-threads.ts';

export default async function runTask(task: ThreadTask): Promise<ThreadAnswer> {
  try {
    const run = await importFunction<ToolFunction>(task.code, ['default', 'run']);
    const output = await run(task.parameters as never, contextOf(task));
    return { type: 'output', output: output === undefined ? undefined : toJsonValue(output) };
  } catch (error) {
    if (ToolkitError.is(error)) return { type: 'error', code: error.code, message: error.message, details: error.details };
    return { type: 'error', message: excerpt(messageOf(error)) };
  } finally {
    task.port.close();
  }
}

function contextOf({ callId, caller, secrets, port }: ThreadTask): FunctionContext {
  const note = (message: ThreadNote): void => port.postMessage(message);
  const log = (level: 'error' | 'warn' | 'info' | 'debug') => (message: string, meta?: Readonly<Record<string, unknown>>) =>
    note({ type: 'log', level, message, ...(meta === undefined ? {} : { meta }) });
  const unavailable = (what: string): never => {
    throw new ToolkitError(
      'EXECUTION_FAILED',
      `context.${what} is not available in a worker thread. Take "worker: true" out of the definition.`,
    );
  };
  return {
    callId,
    caller,
    secrets,
    signal: new AbortController().signal,
    logger: { error: log('error'), warn: log('warn'), info: log('info'), debug: log('debug') },
    progress: (progress) =>
      note({ type: 'progress', progress: typeof progress === 'string' ? { progress: 0, message: progress } : progress }),
    fetch: () => unavailable('fetch'),
    get tools(): never {
      return unavailable('tools');
    },
    withContent: () => unavailable('withContent'),
  };
}
