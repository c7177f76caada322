import { setTimeout as wait } from 'node:timers/promises';
import type { Random } from '../../support/random.ts';
import type { Caller, Outcome } from './caller.ts';
import type { Disturbance } from './disturbance.ts';
import { type Scenario, scenarios, type Turn } from './scenarios.ts';
import type { Tally } from './tally.ts';

/** How long a client thinks between two calls, at most, in milliseconds. */
const maxThinkMs = 1500;

export interface Client {
  readonly caller: Caller;
  readonly random: Random;
}

/** The work of the clients: each scenario once, first those of one transport, then more of them by their weights. */
export class Plan {
  readonly #first = [...scenarios.filter(({ on }) => on !== undefined), ...scenarios.filter(({ on }) => on === undefined)];

  next({ caller, random }: Client): Scenario {
    const isPossible = ({ on }: Scenario): boolean => on === undefined || on === caller.transport;
    const index = this.#first.findIndex(isPossible);
    return this.#first.splice(index, index < 0 ? 0 : 1)[0] ?? random.weighted(scenarios.filter(isPossible));
  }
}

/** All clients at work until it aborts; resolves when each is done with what it had begun. */
export async function load(
  clients: readonly Client[],
  plan: Plan,
  tally: Tally,
  disturbance: Disturbance,
  isOver: AbortSignal,
): Promise<void> {
  await Promise.all(
    clients.map(async (client) => {
      const { caller, random } = client;
      while (!isOver.aborted) {
        await wait(random.between(0, maxThinkMs));
        const scenario = plan.next(client);
        try {
          await scenario.run(turn(scenario, { caller, random }, tally, disturbance));
        } catch (error) {
          tally.fail(scenario.name, 'the client', 'broken', '', error instanceof Error ? (error.stack ?? error.message) : String(error));
        }
      }
    }),
  );
}

function turn({ name, killed }: Scenario, { caller, random }: Client, tally: Tally, disturbance: Disturbance): Turn {
  const request: Turn['request'] = async (method, params, expects, options) =>
    timed(method, params, expects, () => caller.request(method, params, options));
  const timed = async (what: string, given: object, expects: readonly string[], run: () => Promise<Outcome>): Promise<Outcome> => {
    const startedAt = performance.now();
    const outcome = await run();
    const all = killed !== undefined && disturbance.hasKilled(killed, startedAt) ? [...expects, 'EXECUTION_FAILED'] : expects;
    tally.record({ scenario: name, what, given, expects: all, outcome, ms: performance.now() - startedAt });
    return outcome;
  };
  return {
    caller,
    random,
    request,
    call: (tool, args, expects, options) =>
      timed(tool, args, expects, () => caller.request('tools/call', { name: tool, arguments: args }, options)),
    note: (what, given, outcome, expects) => tally.record({ scenario: name, what, given, expects, outcome, ms: 0 }),
  };
}
