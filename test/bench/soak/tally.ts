import type { Outcome } from './caller.ts';

export interface Called {
  readonly scenario: string;
  /** The tool or the method. */
  readonly what: string;
  readonly given: unknown;
  readonly expects: readonly string[];
  readonly outcome: Outcome;
  readonly ms: number;
}

/** Calls that failed alike, and one of them. */
export interface Unexpected {
  readonly scenario: string;
  readonly what: string;
  readonly kind: string;
  readonly given: string;
  readonly text: string;
  count: number;
}

export interface ScenarioTally {
  readonly outcomes: Map<string, number>;
  readonly okMs: number[];
}

/** Counts what came of calls. */
export class Tally {
  readonly scenarios = new Map<string, ScenarioTally>();
  readonly #unexpected = new Map<string, Unexpected>();

  get unexpected(): readonly Unexpected[] {
    return [...this.#unexpected.values()].sort((a, b) => b.count - a.count);
  }

  record({ scenario, what, given, expects, outcome: { kind, text }, ms }: Called): void {
    const tally = this.scenarios.get(scenario) ?? { outcomes: new Map<string, number>(), okMs: [] };
    this.scenarios.set(scenario, tally);
    tally.outcomes.set(kind, (tally.outcomes.get(kind) ?? 0) + 1);
    if (kind === 'ok') tally.okMs.push(ms);
    if (!expects.includes(kind)) this.fail(scenario, what, kind, JSON.stringify(given) ?? '', text);
  }

  fail(scenario: string, what: string, kind: string, given: string, text: string): void {
    // Numbers and names differ from call to call.
    const key = [scenario, what, kind, text.replace(/[0-9a-f-]{36}|\d+/g, '#').slice(0, 200)].join('\n');
    const known = this.#unexpected.get(key);
    if (known === undefined)
      this.#unexpected.set(key, { scenario, what, kind, given: given.slice(0, 300), text: text.slice(0, 500), count: 1 });
    else known.count++;
  }
}
