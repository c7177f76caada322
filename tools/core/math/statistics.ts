import { describeValue, excerpt, isPlainObject, ToolkitError } from '../../../kernel/index.ts';

interface StatisticsParameters {
  /** At least one. */
  readonly values: readonly (number | Readonly<Record<string, unknown>>)[];
  /** The member with the number, when the items are objects. */
  readonly column?: string;
  /** Percentages from 0 to 100. */
  readonly percentiles: readonly number[];
}

/** Null beyond the range of floating point, or when undefined. */
type Figure = number | null;

interface Statistics {
  readonly count: number;
  readonly sum: Figure;
  readonly mean: Figure;
  readonly median: Figure;
  readonly mode: readonly number[];
  readonly variance: Figure;
  readonly stddev: Figure;
  readonly population_variance: Figure;
  readonly population_stddev: Figure;
  readonly min: number;
  readonly max: number;
  readonly percentiles: Readonly<Record<string, Figure>>;
}

/**
 * Returns the usual statistics of a list of numbers. Percentiles are of type 7 (Hyndman and Fan, 1996). Throws INVALID_PARAMETERS for rows
 * without numbers.
 */
export async function describe({ values: items, column, percentiles }: StatisticsParameters): Promise<Statistics> {
  const values = numbersOf(items, column);
  const { mean, quantileSorted, sampleVariance, sum, variance } = await import('simple-statistics');
  const sorted = Array.from(Float64Array.from(values).sort());
  const count = sorted.length;
  const [smallest, middle, largest] = [0, 0.5, 1].map((share) => quantileSorted(sorted, share)) as [number, number, number];
  // Deviations of equal numbers must be 0, although their mean is rounded.
  const deviations = sorted.map((value) => value - middle);
  const spread = variance(deviations);
  const sampleSpread = count === 1 ? Number.NaN : sampleVariance(deviations);
  return {
    count,
    sum: figure(sum(sorted)),
    mean: smallest === largest ? middle : figure(mean(sorted)),
    median: figure(middle),
    mode: modesOf(sorted),
    variance: figure(sampleSpread),
    stddev: figure(Math.sqrt(sampleSpread)),
    population_variance: figure(spread),
    population_stddev: figure(Math.sqrt(spread)),
    min: smallest,
    max: largest,
    percentiles: Object.fromEntries(
      percentiles.map((percentile) => [String(percentile), figure(quantileSorted(sorted, percentile / 100))]),
    ),
  };
}

function numbersOf(values: StatisticsParameters['values'], column: string | undefined): readonly number[] {
  const numbers = values.flatMap((value, index): number | readonly number[] => {
    if (!isPlainObject(value)) return value as number;
    const found = column !== undefined && Object.hasOwn(value, column) ? value[column] : undefined;
    if (typeof found === 'number') return found;
    if (column !== undefined && (found === null || found === undefined)) return [];
    const names = Object.keys(value).slice(0, 20);
    if (column === undefined) throw badColumn('column', `is required for rows: one of ${excerpt(names.join(', '))}`);
    throw badColumn('column', `names "${excerpt(column, 50)}", which is no number in row ${index + 1}: received ${describeValue(found)}`);
  });
  if (numbers.length > 0) return numbers;
  const [first] = values;
  throw badColumn(
    'column',
    `names "${excerpt(column ?? '', 50)}", which no row has. Expected one of ${excerpt(Object.keys(first ?? {}).join(', '))}`,
  );
}

function badColumn(parameter: string, message: string): ToolkitError {
  return new ToolkitError('INVALID_PARAMETERS', `Parameter "${parameter}": ${message}.`, { issues: [{ path: parameter, message }] });
}

function figure(value: number): Figure {
  return Number.isFinite(value) ? value : null;
}

/** Returns the most frequent values. Empty when none is repeated. */
function modesOf(sorted: readonly number[]): number[] {
  const runs: { readonly value: number; length: number }[] = [];
  for (const value of sorted) {
    const run = runs.at(-1);
    if (run?.value === value) run.length += 1;
    else runs.push({ value, length: 1 });
  }
  const longest = runs.reduce((longest, { length }) => Math.max(longest, length), 0);
  return longest === 1 ? [] : runs.filter(({ length }) => length === longest).map(({ value }) => value);
}
