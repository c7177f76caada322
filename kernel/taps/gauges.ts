import type { MaybePromise } from '../time/maybe-promise.ts';

/** A measured number, for plugins that collect numbers. */
export interface Gauge {
  /** Name in words with dots: `approvals.waiting`. */
  readonly name: string;
  readonly description: string;
  /** Unit of the number: `{approval}`, `By`, `s` (UCUM). */
  readonly unit: string;
  /** `gauge`: goes up and down. `counter`: a total of this process since its start. @default 'gauge' */
  readonly kind?: 'gauge' | 'counter';
  /**
   * Names of the labels that each row has, in lower case. Values of labels are few: names of the configuration, states, codes. The text of a client is
   * never one. @default none: `read` returns a single number
   */
  readonly labels?: readonly string[];
  /** Returns the present number, or its rows. May be called at any time; undefined when it cannot be known. */
  readonly read: () => MaybePromise<number | readonly GaugeRow[] | undefined>;
}

/** The number for one combination of labels. */
export interface GaugeRow {
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}
