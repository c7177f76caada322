import Type from 'typebox';
import { errorCodes } from '../../../shared/json-rpc/message.ts';
import { RpcError } from '../../../shared/json-rpc/rpc-error.ts';
import type { Connection } from '../clients/connection.ts';
import { missingCapability, toRpcError } from '../errors.ts';
import { supportsTasks, tasksCapability, tasksExtension } from '../tasks/extension.ts';
import type { FoundTask } from '../tasks/task.ts';
import { type Method, method, paramsOf } from './method.ts';

const TaskParams = paramsOf({ taskId: Type.String() });
const UpdateParams = paramsOf({ taskId: Type.String(), inputResponses: Type.Record(Type.String(), Type.Unknown()) });

/** Returns the method for a task. A promise where another process may have the task. */
function taskMethod<Schema extends Type.TObject<{ taskId: Type.TString }>>(
  params: Schema,
  answer: (task: FoundTask, params: Type.Static<Schema>) => object | Promise<object>,
): Method {
  return method({
    params,
    isIn: ({ hasTasks }) => hasTasks,
    isCounted: false,
    answer: (connection, given) => withTask(connection, given.taskId, (task) => answer(task, given)),
  });
}

/** Reads, answers and cancels tasks: calls whose client fetches the result later. */
export const taskMethods: Readonly<Record<string, Method>> = {
  'tasks/get': taskMethod(TaskParams, ({ details }) => details),
  'tasks/update': taskMethod(UpdateParams, (task, { inputResponses }) => done(task.answer(inputResponses))),
  'tasks/cancel': taskMethod(TaskParams, (task) => done(task.cancel())),
};

function done(told: void | Promise<void>): object | Promise<object> {
  return told instanceof Promise ? told.then(() => ({})) : {};
}

/** Calls a handler with the task. Throws -32021 for a client without support for tasks, and -32602 for an unknown task. */
function withTask(connection: Connection, taskId: string, answer: (task: FoundTask) => object | Promise<object>): object | Promise<object> {
  if (!supportsTasks(connection)) throw missingCapability(`The client does not declare the extension ${tasksExtension}.`, tasksCapability);
  const checked = (task: FoundTask | undefined): object | Promise<object> => {
    if (task !== undefined) return answer(task);
    throw new RpcError(
      errorCodes.invalidParams,
      'There is no such task: it is not one of yours, has expired, or ended with a restart of the server. Make the call again.',
    );
  };
  const found = connection.tasks.find(taskId, connection.caller);
  if (!(found instanceof Promise)) return checked(found);
  return found.then(checked, (error: unknown) => Promise.reject(toRpcError(connection.catalog.kernel, error)));
}
