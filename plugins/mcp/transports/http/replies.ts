import type { Kernel } from '../../../../kernel/index.ts';
import { Outbox } from '../outbox.ts';
import { JsonAnswers } from './json-answers.ts';

/** Parts that send the responses of all clients: responses to requests that arrive together leave together. */
export interface Replies {
  readonly answers: JsonAnswers;
  readonly outbox: Outbox<() => void>;
}

export function repliesOf(kernel: Kernel): Replies {
  const send = (answers: readonly (() => void)[]): void => {
    for (const answer of answers) answer();
  };
  return { answers: new JsonAnswers(), outbox: new Outbox({ kernel, scheduleFlush: setImmediate, send }) };
}
