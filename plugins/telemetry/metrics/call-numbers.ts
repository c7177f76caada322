import { type CallEnd, errorCodes, type Registry } from '../../../kernel/index.ts';
import { BoundedSeries, type TakenSlot } from './bounded-series.ts';
import { type Family, type HistogramFamily, otherLabel } from './family.ts';

/** Bounds in seconds: those of `mcp.server.operation.duration` (semantic conventions of OpenTelemetry for MCP). */
const boundsSeconds = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30, 60, 120, 300] as const;

const calls = 'toolkit_calls_total';
const errors = 'toolkit_call_errors_total';
const durations = 'toolkit_call_duration_seconds';

/** The names of the families of calls, and of the series of the histogram. */
export const callFamilies: readonly string[] = [
  calls,
  errors,
  durations,
  ...['bucket', 'sum', 'count'].map((part) => `${durations}_${part}`),
];

interface Count {
  value: number;
}

interface MutableDurations {
  readonly counts: number[];
  count: number;
  sumSeconds: number;
}

/** The slots of one tool. */
interface ToolSlots {
  readonly name: string;
  readonly completed: TakenSlot<Count>;
  readonly failed: TakenSlot<Count>;
  readonly durations: TakenSlot<MutableDurations>;
  readonly errors: Map<string, TakenSlot<Count>>;
}

export interface CallNumbersOptions {
  /** Returns the current tools. */
  readonly registry: () => Pick<Registry, 'tools' | 'companions'>;
  /** Series of a family at most. @default 2000 */
  readonly max?: number;
}

/**
 * Counts calls by tool. This is on the path of every call: it only adds to numbers that it has at hand. A name that is none of the current tools is
 * `_OTHER`. The series of a tool end with the tool.
 */
export class CallNumbers {
  readonly #registry: CallNumbersOptions['registry'];
  readonly #calls: BoundedSeries<Count>;
  readonly #errors: BoundedSeries<Count>;
  readonly #durations: BoundedSeries<MutableDurations>;
  /** The slots of tools, and of nothing else, so that names which clients make up take no memory. */
  readonly #tools = new Map<string, ToolSlots>();
  #other: ToolSlots | undefined;
  #known: Pick<Registry, 'tools' | 'companions'> | undefined;

  constructor({ registry, max }: CallNumbersOptions) {
    this.#registry = registry;
    const limit = max === undefined ? {} : { max };
    this.#calls = new BoundedSeries({ labelCount: 2, create: zero, ...limit });
    this.#errors = new BoundedSeries({ labelCount: 2, create: zero, ...limit });
    // A series for each bound, for infinity, for the sum and for the count.
    this.#durations = new BoundedSeries({ labelCount: 1, create: noDurations, seriesOfSlot: boundsSeconds.length + 3, ...limit });
  }

  record({ toolName, outcome, durationMs }: Pick<CallEnd, 'toolName' | 'outcome' | 'durationMs'>): void {
    this.#refresh();
    const slots = this.#tools.get(toolName) ?? this.#slotsOf(toolName);
    if (outcome.type === 'completed') add(slots.completed, this.#calls);
    else {
      add(slots.failed, this.#calls);
      const { code } = outcome.error;
      add(slots.errors.get(code) ?? this.#errorSlot(slots, code), this.#errors);
    }
    const { value, isFolded } = slots.durations;
    if (isFolded) this.#durations.dropped++;
    const seconds = durationMs / 1000;
    value.count++;
    value.sumSeconds += seconds;
    let bucket = 0;
    while (bucket < boundsSeconds.length && seconds > (boundsSeconds[bucket] as number)) bucket++;
    if (bucket < boundsSeconds.length) value.counts[bucket] = (value.counts[bucket] as number) + 1;
  }

  get families(): readonly Family[] {
    this.#refresh();
    return [
      {
        name: calls,
        help: 'Calls that have ended, refused ones included.',
        kind: 'counter',
        labels: ['tool', 'outcome'],
        rows: this.#calls.slots.map(rowOf),
      },
      {
        name: errors,
        help: 'Calls that have failed, by the code of their error.',
        kind: 'counter',
        labels: ['tool', 'code'],
        rows: this.#errors.slots.map(rowOf),
      },
    ];
  }

  get durations(): HistogramFamily {
    this.#refresh();
    return {
      name: durations,
      help: 'Time from the beginning of a call to its end, with the wait for a person.',
      labels: ['tool'],
      boundsSeconds,
      rows: this.#durations.slots.map(({ labels, value }) => ({ labels, ...value })),
    };
  }

  /** The number of values that had no room in each family. */
  get dropped(): ReadonlyMap<string, number> {
    return new Map([
      [calls, this.#calls.dropped],
      [errors, this.#errors.dropped],
      [durations, this.#durations.dropped],
    ]);
  }

  #slotsOf(name: string): ToolSlots {
    const { tools, companions } = this.#registry();
    if (tools.has(name) || companions.has(name)) {
      const slots = this.#newSlots(name);
      this.#tools.set(name, slots);
      return slots;
    }
    this.#other ??= this.#newSlots(otherLabel);
    return this.#other;
  }

  #newSlots(name: string): ToolSlots {
    return {
      name,
      completed: this.#calls.take([name, 'completed']),
      failed: this.#calls.take([name, 'failed']),
      durations: this.#durations.take([name]),
      errors: new Map(),
    };
  }

  #errorSlot(slots: ToolSlots, code: string): TakenSlot<Count> {
    // The error of another copy of this package may have any code.
    const label = Object.hasOwn(errorCodes, code) ? code : otherLabel;
    const slot = slots.errors.get(label) ?? this.#errors.take([slots.name, label]);
    slots.errors.set(label, slot);
    return slot;
  }

  /** Drops the series of tools that are gone, once the registry was replaced. Tools that had no room may have it now. */
  #refresh(): void {
    const registry = this.#registry();
    if (registry === this.#known) return;
    this.#known = registry;
    const isKept = ([name = '']: readonly string[]): boolean =>
      name === otherLabel || registry.tools.has(name) || registry.companions.has(name);
    for (const series of [this.#calls, this.#errors, this.#durations]) series.keep(isKept);
    this.#tools.clear();
    this.#other = undefined;
  }
}

function zero(): Count {
  return { value: 0 };
}

function noDurations(): MutableDurations {
  return { counts: boundsSeconds.map(() => 0), count: 0, sumSeconds: 0 };
}

function add({ value, isFolded }: TakenSlot<Count>, series: BoundedSeries<Count>): void {
  value.value++;
  if (isFolded) series.dropped++;
}

function rowOf({ labels, value: { value } }: { readonly labels: readonly string[]; readonly value: Count }) {
  return { labels, value };
}
