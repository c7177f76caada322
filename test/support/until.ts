import { afterEach, afterFile } from './after-each.ts';

/** The real ones, whatever a test makes of time. */
const { setImmediate, setTimeout } = globalThis;

/** Number of polls by yielding to the event loop, which is enough for work in this process. */
const turns = 100;

let test = 0;

function end(): void {
  test++;
}

afterEach(end);
afterFile(end);

/**
 * Asks again until there is an answer or the test is over: its time limit is the only one. What takes long is the work of another process: that
 * gets the processor in between.
 */
export async function until<T>(ask: () => T | undefined | Promise<T | undefined>): Promise<T> {
  const mine = test;
  for (let turn = 0; ; turn++) {
    const answer = await ask();
    if (answer !== undefined) return answer;
    if (test !== mine) throw new Error(`no answer before the end of the test from ${ask}`);
    await new Promise((resolve) => (turn < turns ? setImmediate(resolve) : setTimeout(resolve, 2)));
  }
}
