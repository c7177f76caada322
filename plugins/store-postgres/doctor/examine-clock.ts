import type pg from 'pg';
import type { Finding } from '../../../kernel/index.ts';

const rounds = 10;

/** Offset from which it is a warning, in milliseconds: calls that were put off begin, and approvals expire, so much too early or late. */
const maxOffsetMs = 2000;

/** Median round trip from which it is a warning, in milliseconds. A durable call has about ten of them. */
const maxRoundTripMs = 50;

/** Reports by how much the clock of this machine differs from that of the database. */
export async function examineClock(client: pg.Client): Promise<Finding> {
  let best = { offsetMs: 0, tripMs: Number.POSITIVE_INFINITY };
  for (let round = 0; round < rounds; round++) {
    const startedAt = performance.now();
    const { rows } = await client.query<{ now: string }>('select extract(epoch from clock_timestamp()) * 1000 as now');
    const tripMs = performance.now() - startedAt;
    // The database read its clock about halfway.
    if (tripMs < best.tripMs) best = { offsetMs: Date.now() - tripMs / 2 - Number(rows[0]?.now), tripMs };
  }
  return clockFinding(best.offsetMs, best.tripMs / 2);
}

/** `offsetMs`: positive when this machine is ahead. */
export function clockFinding(offsetMs: number, accuracyMs: number): Finding {
  const seconds = (Math.abs(offsetMs) / 1000).toFixed(3);
  const where = offsetMs >= 0 ? 'ahead of' : 'behind';
  const message = `this machine is ${seconds} s ${where} the database, give or take ${(accuracyMs / 1000).toFixed(3)} s`;
  if (Math.abs(offsetMs) - accuracyMs < maxOffsetMs) return { check: 'Store clock', state: 'ok', message };
  const hint = 'Synchronize the clocks (NTP). Calls that wait begin, and approvals expire, by the clock of the machine that looks.';
  return { check: 'Store clock', state: 'warning', message, hint };
}

/** Reports how long a statement takes. */
export async function examineLatency(client: pg.Client): Promise<Finding> {
  const trips: number[] = [];
  for (let round = 0; round < rounds * 2; round++) {
    const startedAt = performance.now();
    await client.query('select 1');
    trips.push(performance.now() - startedAt);
  }
  trips.sort((one, other) => one - other);
  const [median = 0, longest = 0] = [trips[rounds], trips.at(-1)];
  const message = `a statement takes ${median.toFixed(1)} ms (median of ${trips.length}), ${longest.toFixed(1)} ms at most`;
  if (median <= maxRoundTripMs) return { check: 'Store latency', state: 'ok', message };
  return {
    check: 'Store latency',
    state: 'warning',
    message,
    hint: 'Run this process nearer to the database: a call has several statements.',
  };
}
