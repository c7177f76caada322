import type { Question } from '../exchange.ts';

/** What a client is asked, by the name of the question. */
export type InputRequests = Readonly<Record<string, Pick<Question, 'method' | 'params'>>>;

/** Questions that wait for an answer, as their client is told them. */
export function inputRequests(waiting: ReadonlyMap<string, { readonly question: Question }>): InputRequests {
  return Object.fromEntries([...waiting].map(([name, { question }]) => [name, { method: question.method, params: question.params }]));
}
