import { describeValue, isPlainObject } from '../../../../kernel/index.ts';
import { errorCodes } from '../../../shared/json-rpc/message.ts';
import type { Connection } from '../clients/connection.ts';
import { missingCapability, ProtocolError, toProtocolError } from '../protocol-error.ts';
import { supportsTasks, tasksCapability, tasksExtension } from '../tasks/extension.ts';
import type { FoundTask } from '../tasks/task.ts';

type Params = Readonly<Record<string, unknown>>;

/** Handlers of the requests about tasks, by method. A promise where another process may have the task. */
export const taskAnswers: Readonly<Record<string, (connection: Connection, params: Params) => object | Promise<object>>> = {
  'tasks/get': (connection, params) => withTask(connection, params, ({ details }) => details),
  'tasks/update': (connection, params) =>
    withTask(connection, params, (task) => {
      const { inputResponses } = params;
      if (!isPlainObject(inputResponses))
        throw malformed(`"inputResponses" of tasks/update is wrong: expected an object, received ${describeValue(inputResponses)}.`);
      return done(task.answer(inputResponses));
    }),
  'tasks/cancel': (connection, params) => withTask(connection, params, (task) => done(task.cancel())),
};

function done(told: void | Promise<void>): object | Promise<object> {
  return told instanceof Promise ? told.then(() => ({})) : {};
}

/** Calls a handler with the task. Throws -32021 for a client without support for tasks, and -32602 for an unknown task. */
function withTask(
  connection: Connection,
  { taskId }: Params,
  answer: (task: FoundTask) => object | Promise<object>,
): object | Promise<object> {
  if (!supportsTasks(connection)) throw missingCapability(`The client does not declare the extension ${tasksExtension}.`, tasksCapability);
  const checked = (task: FoundTask | undefined): object | Promise<object> => {
    if (task !== undefined) return answer(task);
    throw malformed(
      'There is no such task: it is not one of yours, has expired, or ended with a restart of the server. Make the call again.',
    );
  };
  const found = typeof taskId === 'string' ? connection.tasks.find(taskId, connection.caller) : undefined;
  if (!(found instanceof Promise)) return checked(found);
  return found.then(checked, (error: unknown) => Promise.reject(toProtocolError(connection.catalog.kernel, error)));
}

function malformed(message: string): ProtocolError {
  return new ProtocolError(errorCodes.invalidParams, message);
}
