import type { Question } from '../clients/exchange.ts';

/** Questions to the client, by name. */
export type InputRequests = Readonly<Record<string, Pick<Question, 'method' | 'params'>>>;

/** Returns the open questions in the form that the client receives. */
export function inputRequests(waiting: ReadonlyMap<string, { readonly question: Question }>): InputRequests {
  return Object.fromEntries([...waiting].map(([name, { question }]) => [name, { method: question.method, params: question.params }]));
}
