import { afterEach, afterFile } from './after-each.ts';

let test = 0;

function end(): void {
  test++;
}

afterEach(end);
afterFile(end);

/** Asks again, turn by turn of the event loop, until there is an answer or the test is over: its time limit is the only one. */
export async function until<T>(ask: () => T | undefined | Promise<T | undefined>): Promise<T> {
  const mine = test;
  for (;;) {
    const answer = await ask();
    if (answer !== undefined) return answer;
    if (test !== mine) throw new Error(`no answer before the end of the test from ${ask}`);
    await new Promise(setImmediate);
  }
}
