import { excerpt, type Gauge, type GaugeRow, type Logger } from '../../../kernel/index.ts';
import { BoundedRows } from './bounded-rows.ts';
import type { Family } from './family.ts';
import { factorOf, familyName, hasValidLabels } from './gauge-family.ts';
import { GaugeReader } from './gauge-reader.ts';

export interface GaugeFamiliesOptions {
  readonly gauges: () => readonly Gauge[];
  readonly logger: Logger;
  readonly mask: <T>(value: T) => T;
  /** Names that gauges cannot have: those of other families. */
  readonly reserved: ReadonlySet<string>;
  /** Time limit of all reads together, in milliseconds. @default 2000 */
  readonly timeoutMs?: number;
}

/** Characters of a label at most. */
const maxLabelLength = 100;

/** The gauges of all plugins as families. */
export class GaugeFamilies {
  readonly #options: GaugeFamiliesOptions;
  readonly #reader: GaugeReader;
  #bounds: ReadonlyMap<Gauge, BoundedRows> | undefined;

  constructor(options: GaugeFamiliesOptions) {
    this.#options = options;
    this.#reader = new GaugeReader(options);
  }

  /** Returns the families of the gauges that can be read now. Never throws. */
  async read(): Promise<readonly Family[]> {
    const bounds = this.#usable();
    const known = await this.#reader.read([...bounds.keys()]);
    return [...known].map(([gauge, rows]) => this.#familyOf(gauge, bounds.get(gauge) as BoundedRows, rows));
  }

  /** The number of rows that had no room, in each family with labels. */
  get dropped(): ReadonlyMap<string, number> {
    const labelled = [...this.#usable()].filter(([{ labels = [] }]) => labels.length > 0);
    return new Map(labelled.map(([gauge, { dropped }]) => [familyName(gauge), dropped]));
  }

  #familyOf(gauge: Gauge, bound: BoundedRows, rows: readonly GaugeRow[]): Family {
    const { description, kind = 'gauge', labels = [], unit } = gauge;
    const factor = factorOf(unit);
    const cut = rows.map((row) => ({ labels: labels.map((name) => this.#labelOf(row, name)), value: row.value * factor }));
    return { name: familyName(gauge), help: description || gauge.name, kind, labels, rows: bound.limit(cut) };
  }

  #labelOf({ labels }: GaugeRow, name: string): string {
    return Object.hasOwn(labels, name) ? excerpt(this.#options.mask(String(labels[name])), maxLabelLength) : '';
  }

  /** Returns the gauges with a name and labels that a family can have. The others are logged, once. */
  #usable(): ReadonlyMap<Gauge, BoundedRows> {
    if (this.#bounds !== undefined) return this.#bounds;
    const { gauges, logger, reserved } = this.#options;
    const names = new Set(reserved);
    const bounds = new Map<Gauge, BoundedRows>();
    for (const gauge of gauges()) {
      const name = familyName(gauge);
      if (!names.has(name) && hasValidLabels(gauge)) bounds.set(gauge, new BoundedRows());
      else
        logger.warn(
          `the number "${excerpt(gauge.name, maxLabelLength)}" is left out: ${names.has(name) ? `"${excerpt(name, maxLabelLength)}" is the name of another one` : 'its labels are invalid; expected names of letters, digits and "_", in lower case'}`,
        );
      names.add(name);
    }
    this.#bounds = bounds;
    return bounds;
  }
}
