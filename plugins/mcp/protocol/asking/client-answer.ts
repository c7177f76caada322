import { isPlainObject } from '../../../../kernel/index.ts';
import type { Question } from '../clients/exchange.ts';

/** The client's answer to a question. */
export type ClientAnswer = Readonly<Record<string, unknown>>;

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

function isRoot(root: unknown): boolean {
  return isPlainObject(root) && typeof root['uri'] === 'string' && ['string', 'undefined'].includes(typeof root['name']);
}
