import type { Kernel } from '../../../../kernel/index.ts';
import { Random } from '../../../support/random.ts';
import type { Caller, OpenCaller, Outcome } from './callers.ts';

/** A count of questions, by what became of them. */
export interface Tally {
  /** Answered with the caller's own name. */
  own: number;
  /** Those of a call that began while another one ran or waited. */
  ownAfterWaiting: number;
  /** Refused with a reason. */
  declined: number;
  /** Answered by the other caller. */
  foreign: number;
  /** Anything else: errors of calls, too few outcomes. */
  readonly others: string[];
  /** Questions that reached the wrong caller. */
  readonly astray: string[];
}

interface Round {
  readonly count: number;
  readonly seed: number;
  /** Most calls of one caller at once. @default 3 */
  readonly lanes?: number;
}

const names = ['ada', 'bob'] as const;

/** The number of questions of each tool. */
const tools = { ask: 1, sample: 1, ask_twice: 2, ask_in_turn: 2 } as const;

/** Has two callers call tools that ask, until there were `count` questions. The order, the tools, and all pauses come from the seed. */
export async function askTogether(kernel: Kernel, open: OpenCaller, { count, seed, lanes = 3 }: Round): Promise<Tally> {
  const random = new Random(seed);
  const tally: Tally = { own: 0, ownAfterWaiting: 0, declined: 0, foreign: 0, others: [], astray: [] };
  let left = count;
  let busy = 0;
  const lane = async (caller: Caller, name: string): Promise<void> => {
    while (left > 0) {
      const tool = random.oneOf(left === 1 ? (['ask', 'sample'] as const) : (Object.keys(tools) as (keyof typeof tools)[]));
      left -= tools[tool];
      await pause(random.below(4));
      const waits = busy++ > 0;
      const outcomes = await caller
        .call(`shop_${tool}`, { who: name, pauses: random.below(4) })
        .catch((error: Error): readonly Outcome[] => Array(tools[tool]).fill({ action: 'error', answer: null, message: error.message }));
      busy--;
      if (outcomes.length !== tools[tool]) tally.others.push(`${tool} has ${outcomes.length} outcomes`);
      for (const outcome of outcomes) add(tally, outcome, name, waits);
    }
  };
  const opened = await Promise.all(names.map((name) => open(kernel, name, () => pause(random.below(6)))));
  await Promise.all(
    opened.flatMap((caller, index) => Array.from({ length: random.between(1, lanes) }, () => lane(caller, names[index] ?? ''))),
  );
  for (const [index, { asked }] of opened.entries())
    tally.astray.push(...asked.filter((question) => !question.endsWith(` is ${names[index]}?`)));
  return tally;
}

function add(tally: Tally, { action, answer, message = '' }: Outcome, name: string, waited: boolean): void {
  if (action === 'accept' && answer === name) {
    tally.own++;
    if (waited) tally.ownAfterWaiting++;
  } else if (action === 'accept' && names.some((other) => other === answer)) tally.foreign++;
  else if (action === 'decline' || message.startsWith('Declined: ')) tally.declined++;
  else tally.others.push(`${action}: ${message}`);
}

async function pause(turns: number): Promise<void> {
  for (let turn = 0; turn < turns; turn++) await new Promise((resolve) => setImmediate(resolve));
}
