/** A line of the table: what was measured, what it may be, and what it is. */
export interface Row {
  readonly what: string;
  readonly goal: string;
  readonly figure: string;
  /** To the bare SDK, or to what the goal names, in the same run. */
  readonly ratio?: number;
  readonly isKept: boolean;
}

/** The value in the middle. */
export function median(samples: readonly number[]): number {
  return percentile(samples, 0.5);
}

/** The value below which a share of the samples lies. */
export function percentile(samples: readonly number[], share: number): number {
  const sorted = [...samples].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

interface Compared {
  readonly bare: number;
  readonly toolkit: number;
  readonly unit: string;
  /** The ratio that is kept. */
  readonly most: number;
  /** Name of the row to compare with. @default 'bare' */
  readonly to?: string;
}

export function ratioRow(what: string, { bare, toolkit, unit, most, to = 'bare' }: Compared): Row {
  const ratio = toolkit / bare;
  return { what, goal: `≤ ${most} × ${to}`, figure: `${shown(toolkit)} / ${shown(bare)} ${unit}`, ratio, isKept: ratio <= most };
}

export function figureRow(
  what: string,
  { value, unit, most }: { readonly value: number; readonly unit: string; readonly most: number },
): Row {
  return { what, goal: `< ${most} ${unit}`, figure: `${shown(value)} ${unit}`, isKept: value < most };
}

/** Three digits, or all of them. */
export function shown(value: number): string {
  return value >= 100 || value === 0 ? value.toFixed(0) : value.toPrecision(3);
}

/** One line of the table. */
export function lineOf({ what, goal, figure, ratio, isKept }: Row): string {
  const cells = [what.padEnd(72), goal.padStart(16), figure.padStart(24), (ratio?.toFixed(2) ?? '').padStart(8)];
  return `${cells.join('  ')}  ${isKept ? 'kept' : 'BROKEN'}\n`;
}
