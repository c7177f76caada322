import { isPlainObject } from '../../../../kernel/index.ts';
import type { Question } from '../exchange.ts';

/** What a client answered to a question. */
export type ClientAnswer = Readonly<Record<string, unknown>>;

/** Whether it has the form of an answer to such a question. */
export function isAnswerTo(method: Question['method'], answer: ClientAnswer): boolean {
  if (method === 'roots/list') return Array.isArray(answer['roots']) && answer['roots'].every(isRoot);
  if (method === 'sampling/createMessage')
    return typeof answer['model'] === 'string' && typeof answer['content'] === 'object' && answer['content'] !== null;
  const { action, content } = answer;
  return (
    ['accept', 'decline', 'cancel'].includes(action as string) && (content === undefined || content === null || isPlainObject(content))
  );
}

function isRoot(root: unknown): boolean {
  return isPlainObject(root) && typeof root['uri'] === 'string' && ['string', 'undefined'].includes(typeof root['name']);
}
