import type { MaybePromise } from '../time/maybe-promise.ts';

/** A number that goes up and down, such as the calls that wait, for plugins that measure. */
export interface Gauge {
  /** Name in words with dots: `approvals.waiting`. */
  readonly name: string;
  readonly description: string;
  /** Unit of the number: `{approval}`, `By`, `ms` (UCUM). */
  readonly unit: string;
  /** Returns the present number. May be called at any time; undefined when it cannot be known. */
  readonly read: () => MaybePromise<number | undefined>;
}
