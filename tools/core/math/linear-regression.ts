import { ToolkitError } from '../../../kernel/index.ts';

interface RegressionParameters {
  /** Pairs of x and y, at least two. */
  readonly points: number[][];
  readonly predict: readonly number[];
}

interface Regression {
  readonly slope: number;
  readonly intercept: number;
  readonly r_squared: number | null;
  readonly predictions: readonly number[];
}

/** Fits a line by least squares. Throws INVALID_PARAMETERS when all x are equal, EXECUTION_FAILED beyond the range of floating point. */
export async function regress({ points, predict }: RegressionParameters): Promise<Regression> {
  const [[x] = []] = points;
  if (points.every(([other]) => other === x)) throw vertical(x ?? 0);
  const { linearRegression, mean, rSquared } = await import('simple-statistics');
  const [meanX, meanY] = [0, 1].map((axis) => mean(points.map((point) => point[axis] ?? 0))) as [number, number];
  const [unitX, unitY] = [scaleOf(points.map(([px = 0]) => px - meanX)), scaleOf(points.map(([, py = 0]) => py - meanY))];
  // Centred, so that large x such as times lose no digits, and scaled, so that squares stay in range.
  const centred = points.map(([px = 0, py = 0]) => [(px - meanX) / unitX, (py - meanY) / unitY]);
  const { m, b } = linearRegression(centred);
  const yOf = (at: number): number => meanY + unitY * (m * ((at - meanX) / unitX) + b);
  const fit = rSquared(centred, (at) => m * at + b);
  const result = { slope: m * (unitY / unitX), intercept: yOf(0), predictions: predict.map(yOf) };
  if (![result.slope, result.intercept, ...result.predictions].every(Number.isFinite)) throw outOfRange();
  // Rounding can make it slightly negative when x explains nothing.
  return { ...result, r_squared: Number.isFinite(fit) ? Math.max(0, fit) : null };
}

/** Returns the power of two next to the largest value: dividing by it rounds nothing. */
function scaleOf(values: readonly number[]): number {
  const largest = values.reduce((largest, value) => Math.max(largest, Math.abs(value)), 0);
  return largest === 0 ? 1 : 2 ** Math.max(-1000, Math.floor(Math.log2(largest)));
}

function vertical(x: number): ToolkitError {
  const message = `expected points with different x, received only x = ${x}. A line through them is vertical and has no slope`;
  return new ToolkitError('INVALID_PARAMETERS', `Parameter "points": ${message}.`, { issues: [{ path: 'points', message }] });
}

function outOfRange(): ToolkitError {
  return new ToolkitError(
    'EXECUTION_FAILED',
    'The line or a prediction leaves the range of 64 bit floating point (±1.8e308). Scale x or y down, or predict nearer to the points.',
  );
}
