import { describeValue, isPlainObject } from '../../../../../kernel/index.ts';
import type { Connection } from '../../connection.ts';
import { errorCodes } from '../../messages.ts';
import { missingCapability, ProtocolError } from '../../protocol-error.ts';
import { takesTasks, tasksCapability, tasksExtension } from './extension.ts';
import type { Task } from './task.ts';

type Params = Readonly<Record<string, unknown>>;

/** By method, what clients ask about tasks. */
export const taskAnswers: Readonly<Record<string, (connection: Connection, params: Params) => object>> = {
  'tasks/get': (connection, params) => taskOf(connection, params).details,
  'tasks/update': (connection, params) => {
    const task = taskOf(connection, params);
    const { inputResponses } = params;
    if (!isPlainObject(inputResponses))
      throw malformed(`"inputResponses" of tasks/update is wrong: expected an object, received ${describeValue(inputResponses)}.`);
    task.answer(inputResponses);
    return {};
  },
  'tasks/cancel': (connection, params) => {
    taskOf(connection, params).cancel();
    return {};
  },
};

/** Throws -32021 for a client that takes no tasks, and -32602 for a task that there is not. */
function taskOf(connection: Connection, { taskId }: Params): Task {
  if (!takesTasks(connection)) throw missingCapability(`The client does not declare the extension ${tasksExtension}.`, tasksCapability);
  const task = typeof taskId === 'string' ? connection.tasks.find(taskId, connection.caller) : undefined;
  if (task !== undefined) return task;
  throw malformed(
    'There is no such task: it is not one of yours, has expired, or ended with a restart of the server. Make the call again.',
  );
}

function malformed(message: string): ProtocolError {
  return new ProtocolError(errorCodes.invalidParams, message);
}
