import { stat } from 'node:fs/promises';
import type { Finding } from '../../../../../kernel/index.ts';

/** Tolerated difference between this clock and that of a file system, in milliseconds. */
const toleranceMs = 24 * 3_600_000;

/** Reports a clock that is behind the time at which one of these files was written. Cannot prove that a clock is right. */
export async function checkClock(now: number, files: readonly string[]): Promise<Finding> {
  const written = await Promise.all(
    files.map((file) =>
      stat(file).then(
        ({ mtimeMs }) => mtimeMs,
        () => 0,
      ),
    ),
  );
  const newest = Math.max(0, ...written);
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const time = `${formatTime(now)} UTC, time zone ${zone}`;
  if (newest <= now + toleranceMs) return { check: 'Clock', state: 'ok', message: time };
  return {
    check: 'Clock',
    state: 'problem',
    message: `shows ${time}, but ${files[written.indexOf(newest)]} was written on ${formatTime(newest)}`,
    hint: 'Set the clock of this machine: with a wrong one, HTTPS and access tokens fail.',
  };
}

function formatTime(time: number): string {
  return new Date(time).toISOString().slice(0, 16).replace('T', ' ');
}
