import { expect } from 'chai';
import type { Answer } from './stand-in.ts';

/** The only error of an answer that is nothing but a failure; it has all of these words. */
export function failure(answer: Answer, ...words: readonly string[]): string {
  expect(Object.keys(answer), JSON.stringify(answer)).to.have.members(['success', 'errors']);
  expect(answer.success).to.equal(false);
  expect(answer.errors).to.have.length(1);
  const [error = ''] = answer.errors;
  for (const word of words) expect(error, error).to.include(word);
  return error;
}
