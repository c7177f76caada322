import { isDeepStrictEqual } from 'node:util';
import { type CallContext, excerpt, ToolkitError } from '../../../kernel/index.ts';
import { type AnswerCondition, type Poll, pendingStatuses } from '../definition/poll.ts';
import { valueAt } from '../response/answer-path.ts';
import { errorBodyText } from '../response/error-body-text.ts';
import type { ReadResponse } from '../response/response.ts';
import { textAt } from '../response/service-code.ts';

/** Returns true when the answer is the end of the waiting. Throws EXECUTION_FAILED when it says that the work has failed. */
export function isDone(poll: Poll, read: ReadResponse, context: CallContext): boolean {
  if (poll.failed !== undefined && holds(poll.failed, read)) throw failedError(poll.failed, read, context);
  return poll.until === undefined ? !pendingStatuses(poll).includes(read.status) : holds(poll.until, read);
}

/** Returns a short text of the value that `until` or `failed` looks at, for progress and errors; empty where there is none. */
export function stateText({ until, failed }: Poll, { body }: ReadResponse, { mask }: CallContext): string {
  const path = until?.path ?? failed?.path;
  const value = path === undefined ? undefined : valueAt(body, path);
  return typeof value === 'string' || typeof value === 'number' ? excerpt(mask(String(value)), 60) : '';
}

function holds(condition: AnswerCondition, { status, body }: ReadResponse): boolean {
  if (condition.status !== undefined) return [condition.status].flat().includes(status);
  const value = condition.path === undefined ? undefined : valueAt(body, condition.path);
  if (value === undefined) return false;
  const expected = condition.one_of ?? [condition.equals];
  return expected.some((one) => isDeepStrictEqual(value, one));
}

function failedError(
  { message_path: paths = [] }: NonNullable<Poll['failed']>,
  read: ReadResponse,
  { tool, mask }: CallContext,
): ToolkitError {
  const texts = [paths].flat().flatMap((path) => textAt(read.body, path) ?? []);
  const shown = excerpt(mask(texts.join('; ') || errorBodyText(read.body)));
  const said = shown === '' ? '' : ` It says: ${shown}`;
  return new ToolkitError('EXECUTION_FAILED', `The service began the work of "${tool.name}" and could not do it.${said}`, {
    tool: tool.name,
    status: read.status,
    ...(shown === '' ? {} : { providerMessage: shown }),
  });
}
