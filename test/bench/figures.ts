/** One measured figure beside the budget it is held against; `budget` is text because the unit differs. */
export interface Figure {
  readonly what: string;
  readonly value: string;
  readonly budget: string;
}

/** The value below which a share of the samples lies. */
export function percentile(samples: readonly number[], share: number): number {
  const sorted = [...samples].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

export function microseconds(ms: number): string {
  return `${(ms * 1000).toFixed(1)} µs`;
}
