/** Series of a family at most. Those of a histogram (buckets, sum, count) count one by one. */
export const maxSeries = 2000;

/** The value of labels in place of those that would be too many, or that a client made up. */
export const otherLabel = '_OTHER';

/** One series of a family: its labels, in the order of the family, and its value. */
export interface FamilyRow {
  readonly labels: readonly string[];
  readonly value: number;
}

/** A number with its series, as it is shown. */
export interface Family {
  readonly name: string;
  readonly help: string;
  readonly kind: 'gauge' | 'counter';
  readonly labels: readonly string[];
  readonly rows: readonly FamilyRow[];
}

/** Durations with equal labels. */
export interface Durations {
  /** The number of durations up to each bound, and not up to the bound before. */
  readonly counts: readonly number[];
  readonly count: number;
  readonly sumSeconds: number;
}

/** A histogram with its series, as it is shown. */
export interface HistogramFamily {
  readonly name: string;
  readonly help: string;
  readonly labels: readonly string[];
  readonly boundsSeconds: readonly number[];
  readonly rows: readonly (Durations & { readonly labels: readonly string[] })[];
}
