import type { Figures } from './quiet-moment.ts';

const mebibyte = 1024 * 1024;

/** Memory is judged where it was watched for so long: before, what is kept for reuse still grows. In milliseconds. */
const leastForMemoryMs = 4 * 60_000;

const limits = { heapShare: 0.05, residentMibPerMinute: 1, descriptors: 10, loopDelayP99Ms: 50 };

export interface Facts {
  /** The quiet moments from the end of the warm-up on. */
  readonly moments: readonly Figures[];
  readonly unexpected: number;
  readonly orphans: readonly string[];
  /** Exit code of the server; undefined when it had to be killed. */
  readonly exitCode: number | undefined;
  readonly limitsDelay: boolean;
}

/** Computes the growth of a figure in its unit a minute: the slope of the least-squares line. */
export function slopePerMinute(moments: readonly Figures[], of: (figures: Figures) => number): number {
  const points = moments.map((figures) => ({ x: figures.atMs / 60_000, y: of(figures) }));
  const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;
  const [x, y] = [mean(points.map((point) => point.x)), mean(points.map((point) => point.y))];
  const spread = points.reduce((sum, point) => sum + (point.x - x) ** 2, 0);
  return spread === 0 ? 0 : points.reduce((sum, point) => sum + (point.x - x) * (point.y - y), 0) / spread;
}

/** A sentence for each limit that is broken. */
export function broken({ moments, unexpected, orphans, exitCode, limitsDelay }: Facts): readonly string[] {
  const [warm, end] = [moments[0], moments.at(-1)];
  if (warm === undefined || end === undefined) return ['No figures were taken.'];
  const growth = end.heapUsed / warm.heapUsed - 1;
  const slope = slopePerMinute(moments, ({ rss }) => rss / mebibyte);
  const judgesMemory = end.atMs - warm.atMs >= leastForMemoryMs;
  const p99 = Math.max(...moments.map(({ loopDelayMs }) => loopDelayMs.p99));
  const failures: (readonly [boolean, string])[] = [
    [
      judgesMemory && growth > limits.heapShare,
      `The heap after collection grew by ${(growth * 100).toFixed(1)} percent: at most 5 percent.`,
    ],
    [judgesMemory && slope >= limits.residentMibPerMinute, `Resident memory grew by ${slope.toFixed(2)} MiB a minute: less than 1.`],
    [
      Math.abs(end.descriptors - warm.descriptors) > limits.descriptors,
      `There were ${warm.descriptors} descriptors after the warm-up and ${end.descriptors} at the end: at most 10 apart.`,
    ],
    [orphans.length > 0, `${orphans.length} processes outlived the server: ${orphans.join('; ')}.`],
    [exitCode !== 0, `The server ended with ${exitCode ?? 'SIGKILL, because it did not end by itself'}.`],
    [unexpected > 0, `${unexpected} errors were unexpected.`],
    [limitsDelay && p99 >= limits.loopDelayP99Ms, `The event loop was late by ${p99.toFixed(1)} ms (p99): less than 50.`],
  ];
  return failures.filter(([isBroken]) => isBroken).map(([, message]) => message);
}

export const judgesMemory = (moments: readonly Figures[]): boolean =>
  (moments.at(-1)?.atMs ?? 0) - (moments[0]?.atMs ?? 0) >= leastForMemoryMs;
