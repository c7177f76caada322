import { isPlainObject } from '../../../../kernel/index.ts';
import { errorCodes } from '../../../shared/json-rpc/message.ts';
import { RpcError } from '../../../shared/json-rpc/rpc-error.ts';
import type { ClientAnswer, Question } from '../clients/exchange.ts';

/** Returns true when the answer has the form that this kind of question requires. */
export function isAnswerTo(method: Question['method'], answer: ClientAnswer): boolean {
  if (method === 'roots/list') return Array.isArray(answer['roots']) && answer['roots'].every(isRoot);
  if (method === 'sampling/createMessage')
    return typeof answer['model'] === 'string' && typeof answer['content'] === 'object' && answer['content'] !== null;
  const { action, content } = answer;
  return (
    ['accept', 'decline', 'cancel'].includes(action as string) && (content === undefined || content === null || isPlainObject(content))
  );
}

/** Returns the answer. Throws RpcError for one that has not the form that this kind of question requires. */
export function checkedAnswer(method: Question['method'], answer: unknown): ClientAnswer {
  if (isPlainObject(answer) && isAnswerTo(method, answer)) return answer;
  throw new RpcError(errorCodes.invalidParams, `The client's response to ${method} is not a result of that method.`);
}

function isRoot(root: unknown): boolean {
  return isPlainObject(root) && typeof root['uri'] === 'string' && ['string', 'undefined'].includes(typeof root['name']);
}
