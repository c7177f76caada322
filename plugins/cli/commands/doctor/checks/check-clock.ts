import { stat } from 'node:fs/promises';
import type { Finding } from './finding.ts';

/** File systems and their clocks may differ by so much. In milliseconds. */
const tolerance = 24 * 3_600_000;

/** A clock that shows a time before one of these files was written is wrong. That it is right cannot be known from here. */
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
  const time = `${shown(now)} UTC, time zone ${zone}`;
  if (newest <= now + tolerance) return { check: 'Clock', state: 'ok', message: time };
  return {
    check: 'Clock',
    state: 'problem',
    message: `shows ${time}, but ${files[written.indexOf(newest)]} was written on ${shown(newest)}`,
    hint: 'Set the clock of this machine: with a wrong one, HTTPS and access tokens fail.',
  };
}

function shown(time: number): string {
  return new Date(time).toISOString().slice(0, 16).replace('T', ' ');
}
